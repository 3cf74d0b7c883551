//===- RecordPages.cpp - evenkeel record --pages --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the options mean for the library, and which cases leave no
// record, each with its reason. Streams of processes lie in a private folder
// that is removed in every case.
//===----------------------------------------------------------------------===//
#include "RecordPages.h"
#include "NameTouches.h"
#include "TouchTable.h"
#include "cli/common/Siblings.h"
#include "cli/programs/Launched.h"
#include "cli/programs/Preloadable.h"
#include "cli/programs/Process.h"
#include "format/NewFile.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
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

/* --- options ----------------------------------------------------------------
 */

/// The number before \p Unit at the end of \p Text; NaN if there is none.
static double numberBefore(const std::string &Text, const std::string &Unit) {
  if (Text.size() <= Unit.size() ||
      Text.compare(Text.size() - Unit.size(), Unit.size(), Unit) != 0)
    return std::nan("");
  const std::string Digits = Text.substr(0, Text.size() - Unit.size());
  if (Digits.find_first_not_of("0123456789.") != std::string::npos)
    return std::nan("");
  char *End = nullptr;
  const double N = std::strtod(Digits.c_str(), &End);
  return *End ? std::nan("") : N;
}

static double overheadOf(const Args &A) {
  const std::string Text = A.text("--overhead");
  const double Percent = numberBefore(Text, "%");
  if (!(Percent >= 0.01 && Percent <= 50))
    fail("--overhead is a share of the program's CPU time from 0.01% to 50%, "
         "as in 1%, not '" +
         Text + "'");
  return Percent / 100;
}

static double windowOf(const Args &A) {
  const std::string Text = A.text("--window");
  double Seconds = numberBefore(Text, "ms") / 1000;
  if (std::isnan(Seconds))
    Seconds = numberBefore(Text, "s");
  if (!(Seconds >= 0.0001 && Seconds <= 100))
    fail("--window is a time from 0.1ms to 100s, not '" + Text + "'");
  return Seconds;
}

static uint64_t chunkOf(const Args &A) {
  const std::string Text = A.text("--chunk");
  for (const auto &[Unit, Scale] : {std::pair("KiB", 1024.0),
                                    {"MiB", 1024.0 * 1024},
                                    {"GiB", 1024.0 * 1024 * 1024}}) {
    const double Given = numberBefore(Text, Unit) * Scale;
    if (!(Given >= 4096 && Given <= 1024.0 * 1024 * 1024 * 1024))
      continue;
    const auto Bytes = static_cast<uint64_t>(Given);
    if ((Bytes & (Bytes - 1)) == 0)
      return Bytes;
  }
  fail("--chunk is a power of two from 4KiB to 1024GiB, not '" + Text + "'");
}

static void checkMechanism(const std::string &Name) {
  for (const char *Known : {"accessed-bits", "write-protect",
                            "accessed-bits+write-protect", "auto"})
    if (Name == Known)
      return;
  fail("--mechanism is accessed-bits, write-protect, both joined by '+', or "
       "auto, not '" +
       Name + "'");
}

static std::vector<std::pair<std::string, std::string>>
environmentOf(const Args &A, const std::string &Prefix) {
  std::vector<std::pair<std::string, std::string>> Env = {
      {"EVENKEEL_TOUCHES", Prefix},
      {"EVENKEEL_TOUCHES_OVERHEAD", std::to_string(overheadOf(A))},
      {"LD_PRELOAD", preloadFirst(libraryFile("libevenkeel-touches.so"))}};
  checkMechanism(A.text("--mechanism"));
  if (A.text("--mechanism") != "auto")
    Env.push_back({"EVENKEEL_TOUCHES_BY", A.text("--mechanism")});
  if (A.has("--chunk"))
    Env.push_back({"EVENKEEL_TOUCHES_CHUNK", std::to_string(chunkOf(A))});
  if (A.has("--window"))
    Env.push_back({"EVENKEEL_TOUCHES_WINDOW", std::to_string(windowOf(A))});
  return Env;
}

/* --- what processes leave ---------------------------------------------------
 */

namespace {
struct Left {
  std::vector<RawTouches> Processes; // with passes
  size_t Short = 0;                  // that ended before their first pass
  double LongestShort = 0;           // s of CPU time
  size_t CutShort = 0;               // whose stream found no room
  std::string Why;                   // a process that could not be watched
};
} // namespace

static Left readAll(const std::string &Folder) {
  Left L;
  std::vector<std::string> Files;
  for (const auto &Entry : fs::directory_iterator(Folder))
    if (Entry.path().extension() == ".why")
      L.Why = readTextFile(Entry.path().string());
    else if (Entry.path().extension() == ".full")
      ++L.CutShort;
    else
      Files.push_back(Entry.path().string());
  std::sort(Files.begin(), Files.end());
  for (const std::string &File : Files) {
    if (fs::file_size(File) < sizeof(ek_touch_header))
      continue; // it ended as soon as it had begun
    RawTouches T = orFail(readRawTouches(File));
    if (!T.Passes.empty()) {
      L.Processes.push_back(std::move(T));
      continue;
    }
    if (!T.End) // it was killed, called _exit, or became another program
      continue;
    ++L.Short;
    L.LongestShort = std::max(L.LongestShort, double(T.End->program_ns) / 1e9);
  }
  std::sort(L.Processes.begin(), L.Processes.end(),
            [](const RawTouches &A, const RawTouches &B) {
              return std::pair(A.Header.rank, A.Header.pid) <
                     std::pair(B.Header.rank, B.Header.pid);
            });
  return L;
}

static const char *const NoRoom =
    "no room in the folder for temporary files (TMPDIR), or within the "
    "program's limit of file sizes";

/// What \p Why, which a process left, means.
static std::string whyText(const std::string &Why, const Args &A) {
  if (Why == "mechanism")
    return "this kernel or container does not offer " +
           (A.text("--mechanism") == "auto" ? "any mechanism"
                                            : A.text("--mechanism")) +
           " (accessed-bits needs /proc/PID/clear_refs and smaps, "
           "write-protect userfaultfd of Linux 6.7)";
  if (Why == "processor")
    return "pages are watched on x86-64 and AArch64 only";
  return std::string("no ") +
         (Why == "thread" ? "further thread" : "address space") +
         " for the watcher";
}

[[noreturn]] static void failWithout(const Left &L, const Args &A, int Status) {
  const int BySignal = 128, Signals = 64;
  const std::string Shown = "'" + A.Command[0] + "'";
  const std::string Ended =
      Status ? "; it ended with status " + std::to_string(Status) : "";
  if (L.Short)
    fail(Shown + " ran too short for one pass (" + secondsText(L.LongestShort) +
         " of CPU time) within --overhead " + A.text("--overhead") +
         "; give it more to do, or a higher limit" + Ended);
  if (!L.Why.empty())
    fail(Shown + " could not be watched: " + whyText(L.Why, A));
  if (L.CutShort)
    fail(Shown + " left no record: " + NoRoom);
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
  const std::string Program = findProgram(A.Command[0]);
  if (Program.empty())
    fail("no program '" + A.Command[0] + "'");
  checkPreloadable(Program, A.Command[0]);
  // As a symbol, whose name is a text of its own.
  if (readTextFile(Program).find(std::string("\0__asan_init", 12) + '\0') !=
      std::string::npos)
    fail("'" + A.Command[0] +
         "' was built with AddressSanitizer, which lets no library in front; "
         "build it without");
}

static void printSummary(const Args &A, const TouchRecord &R, const Left &L,
                         const std::string &Out, int Status) {
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
                                     : nlohmann::json(whyText(L.Why, A));
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
                 whyText(L.Why, A).c_str());
  if (L.CutShort)
    std::fprintf(stderr, "%zu %s before the program did: %s\n", L.CutShort,
                 L.CutShort == 1 ? "record ends" : "records end", NoRoom);
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
  Job J{A.Command, "", environmentOf(A, Folder + "/touches"), false, false};
  J.Program = findProgram(A.Command[0]);
  J.StdoutToStderr = A.has("--json");
  const JobResult Ran = runJob(J);
  const Left L = readAll(Folder);
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
