//===- ImportTouches.cpp - touched pages as a profile to plan from --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ImportTouches.h. What LLVM reads of the binaries comes from
// evenkeel-stacks, a separate program.
//===----------------------------------------------------------------------===//
#include "ImportTouches.h"
#include "cli/common/Siblings.h"
#include "cli/programs/Process.h"
#include "format/Facts.h"
#include "format/Identity.h"
#include "format/NewFile.h"
#include "format/Stacks.h"
#include "format/touches/TouchProfile.h"
#include "text/Reasons.h"
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;
using nlohmann::json;

/// Smaller static variables share pages with others and are not placed.
static constexpr const char *LeastVariable = "65536";

namespace {

struct Outputs {
  std::string Profile, Facts, Stacks;
};

/// What the binaries tell: facts, and the sites of stacks and variables.
struct Told {
  Facts Sites;
  std::vector<uint64_t> OfStack; // by object; 0: none
  std::map<std::string, std::map<std::string, uint64_t>> Variables;
};

} // namespace

static Outputs checkedOutputs(const Args &A) {
  const auto Or = [&](const char *Option, const char *Name) {
    return A.text(Option).empty() ? std::string(Name) : A.text(Option);
  };
  const Outputs Out = {Or("--output", "base.ekdb"),
                       Or("--facts-output", "facts.json"),
                       Or("--stacks", "stacks.json")};
  std::vector<std::string> Taken = A.all("--program");
  Taken.push_back(A.text("--touches"));
  for (const std::string &Path : {Out.Profile, Out.Facts, Out.Stacks}) {
    refuseInput(Path, Taken);
    refuseForeign(Path);
    orFail(NewFile::canBeWritten(Path));
    Taken.push_back(Path);
  }
  return Out;
}

/// Runs evenkeel-stacks, whose errors are the user's.
static void runStacks(std::vector<std::string> Words) {
  Words.insert(Words.begin(), siblingProgram("evenkeel-stacks"));
  const JobResult R =
      runJobs({Job{Words, "", {}, true, false}}, 1, "reading line tables")
          .at(0);
  if (R.Status == 0)
    return;
  const std::string Line = firstError(R.Err);
  fail(Line.compare(0, 7, "error: ") == 0
           ? Line.substr(7)
           : "reading line tables failed: " + Line);
}

/// The frames of \p O as pairs of file and address.
static json framesOf(const TouchObject &O) {
  constexpr int Hex = 16;
  json Out = json::array();
  for (const std::string &Frame : O.Frames)
    if (const size_t Mark = Frame.rfind('!'); Mark != std::string::npos)
      Out.push_back({Frame.substr(0, Mark),
                     std::strtoull(Frame.c_str() + Mark + 1, nullptr, Hex)});
  return Out;
}

static Told tell(const TouchRecord &R, const Args &A, const TempDir &Temp) {
  json Stacks = json::array();
  for (const TouchObject &O : R.Objects)
    Stacks.push_back(framesOf(O));
  const std::string In = Temp.path() + "/call-stacks",
                    Out = Temp.path() + "/told";
  writeFile(In, Stacks.dump(-1, ' ', false, json::error_handler_t::replace));
  std::vector<std::string> Words = {"--facts", In, LeastVariable, Out};
  for (const std::string &Program : A.all("--program"))
    Words.push_back(Program);
  runStacks(Words);
  const json J = json::parse(readTextFile(Out));
  Told T;
  T.Sites = orFail(factsFromJson(J.at("facts"), Out));
  for (const json &Id : J.at("sites"))
    T.OfStack.push_back(idFromString(Id.get<std::string>()));
  for (const auto &[Module, Its] : J.at("variables").items())
    for (const auto &[Name, Id] : Its.items())
      T.Variables[Module][Name] = idFromString(Id.get<std::string>());
  return T;
}

/// The site of the static variable \p O: of its program, or else of a library.
static uint64_t variableSite(const TouchRecord &R, const TouchObject &O,
                             const Told &T) {
  const std::string Name = O.Name.substr(0, O.Name.find(" ("));
  const std::string &Program = R.Processes.at(O.Process).Program;
  if (const auto M = T.Variables.find(Program); M != T.Variables.end())
    if (const auto V = M->second.find(Name); V != M->second.end())
      return V->second;
  for (const auto &[Module, Its] : T.Variables)
    if (const auto V = Its.find(Name); V != Its.end())
      return V->second;
  return 0;
}

/// Facts, profile and call stacks name each other, so they are written
/// together.
static void writeAll(const Args &A, const Outputs &Out,
                     const ecohmem::TracedRun &Run, const TempDir &Temp) {
  const std::string Facts = factsToJson(Run.Sites);
  const std::string Path = Temp.path() + "/facts.json",
                    Stacks = Temp.path() + "/stacks.json";
  writeFile(Path, Facts);
  std::vector<std::string> Words = {Path, "", Stacks};
  for (const std::string &Program : A.all("--program"))
    Words.push_back(Program);
  runStacks(Words);
  orFail(readStacks(Stacks));
  writeFile(Out.Facts, Facts);
  writeFile(Out.Stacks, readTextFile(Stacks));
  orFail(writeProfile(Out.Profile, Run.Record));
}

static void print(const Args &A, const Outputs &Out,
                  const ecohmem::TracedRun &Run) {
  std::printf("profile    %s: %llu object%s, %u process%s, %s\n",
              Out.Profile.c_str(), static_cast<unsigned long long>(Run.Objects),
              Run.Objects == 1 ? "" : "s", Run.Processes,
              Run.Processes == 1 ? "" : "es", secondsText(Run.Seconds).c_str());
  std::printf("facts      %s: %zu sites, %zu sync points\n", Out.Facts.c_str(),
              Run.Sites.Sites.size(), Run.Sites.Syncs.size());
  std::printf("not known  how often a page is used within a window, which "
              "accesses reach main memory\n"
              "           (plan estimates it), phases and threads (the run is "
              "one phase), how counts\n"
              "           grow (the plan is for this input)\n");
  for (const auto &[Why, Of] : Run.Left)
    std::printf("left out   %llu objects with %s of the touched pages (%s): "
                "%s\n",
                static_cast<unsigned long long>(Of.first),
                percentText(Of.second).c_str(), Why.c_str(),
                meaningOf(Why, {Reason::Trace}).c_str());
  std::printf("next       evenkeel plan --facts %s --base %s --machine NAME "
              "--fast SIZE -o plan.json &&\n"
              "           evenkeel run --plan plan.json --stacks %s -- %s\n",
              Out.Facts.c_str(), Out.Profile.c_str(), Out.Stacks.c_str(),
              A.all("--program")[0].c_str());
}

int cli::importTouches(const Args &A) {
  for (const auto &[Name, Values] : A.Values)
    if (Name != "--touches" && Name != "--program" && Name != "--output" &&
        Name != "--facts-output" && Name != "--stacks" && Name != "--json")
      fail(Name + " does not go with --touches");
  if (!A.has("--program"))
    fail("--touches needs the program that was watched: --program FILE");
  const Outputs Out = checkedOutputs(A);
  const std::string Path = A.text("--touches");
  const TouchRecord R = orFail(readTouches(Path));
  const TempDir Temp;
  Told T = tell(R, A, Temp);
  std::vector<uint64_t> Sites = T.OfStack;
  std::vector<const char *> Why;
  for (size_t I = 0; I < R.Objects.size(); ++I) {
    const TouchObject &O = R.Objects[I];
    if (!Sites[I] && O.Kind == "data")
      Sites[I] = variableSite(R, O, T);
    Why.push_back(O.Frames.empty() ? "memory-without-site"
                                   : "stack-of-addresses");
  }
  Expected<ecohmem::TracedRun> Run =
      runOfTouches(R, Sites, Why, std::move(T.Sites));
  if (!Run)
    fail("'" + Path + "': " + Run.message() +
         "; is --program what it watched, built with -g?");
  Run->Record.Input = idToString(detail::avalanche([&] {
    uint64_t H = detail::EmptyHash;
    detail::mixString(H, R.Command);
    return H;
  }()));
  Run->Record.Command = R.Command;
  writeAll(A, Out, *Run, Temp);
  if (!A.has("--json")) {
    print(A, Out, *Run);
    return 0;
  }
  json Left = json::object();
  for (const auto &[Name, Of] : Run->Left)
    Left[Name] = {{"objects", Of.first}, {"touched_share", Of.second}};
  printJson({{"schema", "evenkeel.import/1"},
             {"objects", Run->Objects},
             {"processes", Run->Processes},
             {"seconds", Run->Seconds},
             {"syncs", Run->Sites.Syncs.size()},
             {"left_out", std::move(Left)}});
  return 0;
}
