//===- RecordPages.cpp - evenkeel record --pages --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which cases leave no record, each with its reason. Streams of
// processes lie in a private folder that is removed in every case.
//===----------------------------------------------------------------------===//
#include "RecordPages.h"
#include "NameTouches.h"
#include "TouchTable.h"
#include "Watching.h"
#include "cli/common/Siblings.h"
#include "cli/programs/Process.h"
#include "format/NewFile.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;

bool evenkeel::cli::isPagesOption(const std::string &Name) {
  static const std::array<const char *, 7> Known = {
      "--pages",  "--overhead", "--mechanism", "--chunk",
      "--window", "--output",   "--json"};
  return std::find(Known.begin(), Known.end(), Name) != Known.end();
}

[[noreturn]] static void failWithout(const WatchedProcesses &L, const Args &A,
                                     int Status) {
  const int BySignal = 128, Signals = 64;
  const std::string Shown = "'" + A.Command[0] + "'";
  const std::string Ended =
      Status ? "; it ended with status " + std::to_string(Status) : "";
  if (L.Short)
    fail(Shown + " ran too short for one pass (" + secondsText(L.LongestShort) +
         " of CPU time) within --overhead " + A.text("--overhead") +
         "; give it more to do, or a higher limit" + Ended);
  if (!L.Why.empty())
    fail(Shown + " could not be watched: " + whyNotWatched(L.Why, A));
  if (L.CutShort)
    fail(Shown + " left no record: " + NoRoomForStreams);
  if (Status > BySignal && Status <= BySignal + Signals)
    fail(Shown + " ended before the first pass, with status " +
         std::to_string(Status) + ", as by signal " +
         std::to_string(Status - BySignal));
  fail(Shown +
       " left no record: nothing was preloaded into what it runs (that is "
       "static, runs with its owner's rights, or has another LD_PRELOAD), or "
       "it called _exit before the first pass" +
       Ended);
}

/* --- the command ------------------------------------------------------------
 */

static void checkCommand(const Args &A) {
  for (const auto &[Name, Values] : A.Values)
    if (!isPagesOption(Name))
      fail(Name + " does not go with --pages");
  checkWatchable(A);
}

static void printSummary(const Args &A, const TouchRecord &R,
                         const WatchedProcesses &L, const std::string &Out,
                         int Status) {
  const std::vector<TouchedObject> Objects = touchedObjects(R, false);
  if (A.has("--json")) {
    nlohmann::json J = touchesSummary(R, Objects);
    J["schema"] = "evenkeel.recording/1";
    J["recorded"] = true;
    J["mode"] = "pages";
    J["program_status"] = Status;
    J["too_short"] = L.Short;
    J["cut_short"] = L.CutShort;
    J["not_watched"] = L.Why.empty() ? nlohmann::json(nullptr)
                                     : nlohmann::json(whyNotWatched(L.Why, A));
    printJson(J);
    return;
  }
  // stdout belongs to the program.
  std::fprintf(stderr, "%s: %s\n", Out.c_str(), passesText(R).c_str());
  if (L.Short)
    std::fprintf(stderr, "%zu %s too short for a pass\n", L.Short,
                 L.Short == 1 ? "process was" : "processes were");
  if (!L.Why.empty())
    std::fprintf(stderr, "not all processes could be watched: %s\n",
                 whyNotWatched(L.Why, A).c_str());
  if (L.CutShort)
    std::fprintf(stderr, "%zu %s before the program did: %s\n", L.CutShort,
                 L.CutShort == 1 ? "record ends" : "records end",
                 NoRoomForStreams);
  std::fprintf(stderr, "%s\n%s%s(%s)\n", workingSetText(Objects).c_str(),
               touchTable(Objects, 9).c_str(), touchNotes(R).c_str(),
               TouchesAre);
}

int evenkeel::cli::recordPages(const Args &A) {
  checkCommand(A);
  const std::string Out =
      A.has("--output") ? A.text("--output") : "touches.json";
  refuseInput(Out, A.Command);
  refuseForeign(Out);
  orFail(NewFile::canBeWritten(Out));
  TempDir Temp;
  const std::string Folder = Temp.path() + "/raw";
  fs::create_directory(Folder);
  const std::string Trial = Temp.path() + "/trial";
  fs::create_directory(Trial);
  checkOffered(A, Trial);
  Job J{A.Command, "", watchingEnvironment(A, Folder + "/touches"), false,
        false};
  J.Program = findProgram(A.Command[0]);
  J.StdoutToStderr = A.has("--json");
  const JobResult Ran = runJob(J);
  const WatchedProcesses L = readWatched(Folder);
  if (L.Processes.empty())
    failWithout(L, A, Ran.Status);
  if (Ran.Status != 0)
    std::fprintf(stderr, "evenkeel: the program ended with status %d\n",
                 Ran.Status);
  std::error_code EC;
  if (Ran.Status != 0 && fs::exists(Out, EC)) {
    std::fprintf(stderr,
                 "evenkeel: '%s' is left as it was; to keep the record of a "
                 "program that failed, name another file with -o\n",
                 Out.c_str());
    if (A.has("--json"))
      printJson({{"schema", "evenkeel.recording/1"},
                 {"recorded", false},
                 {"program_status", Ran.Status}});
    return Ran.Status;
  }
  TouchRecord R = namedRecord(L.Processes, namesOf(L.Processes, Temp.path()));
  R.Command = fs::path(A.Command[0]).filename().string();
  for (size_t I = 1; I < A.Command.size(); ++I)
    R.Command += " " + A.Command[I];
  writeFile(Out, touchesToJson(R));
  printSummary(A, R, L, Out, Ran.Status);
  return Ran.Status;
}
