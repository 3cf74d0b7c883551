//===- SeenInputs.cpp - runs that left something in a workspace -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SeenInputs.h. Runs go on while this reads, and each file is whole: one
// that has just been replaced is read in either state.
//===----------------------------------------------------------------------===//
#include "SeenInputs.h"
#include "cli/common/Cli.h"
#include "cli/programs/Launched.h"
#include <algorithm>
#include <filesystem>
#include <set>
#include <sys/stat.h>

namespace fs = std::filesystem;

namespace evenkeel::cli {

namespace {

std::optional<FileState> stateOf(const std::string &Path) {
  struct stat S;
  if (stat(Path.c_str(), &S) != 0 || !S_ISREG(S.st_mode))
    return std::nullopt;
  return FileState{uint64_t(S.st_size), std::to_string(S.st_mtim.tv_sec) + "." +
                                            std::to_string(S.st_mtim.tv_nsec)};
}

/// A run, and when its file was written.
struct Dated {
  SeenRun Run;
  fs::file_time_type Written;
};

/// The runs below \p Folder, the oldest first. Files that are not whole are
/// counted in \p Damaged.
std::vector<Dated> runsBelow(const fs::path &Folder, size_t &Damaged) {
  std::vector<Dated> Out;
  std::error_code E;
  for (const fs::directory_entry &X : fs::directory_iterator(Folder, E)) {
    if (X.path().extension() != ".json")
      continue; // not finished
    Expected<SeenRun> R = readSeenRun(X.path().string());
    if (R)
      Out.push_back({std::move(*R), X.last_write_time(E)});
    else
      Damaged += fs::exists(X.path(), E);
  }
  std::sort(Out.begin(), Out.end(), [](const Dated &A, const Dated &B) {
    return std::tie(A.Written, A.Run.Rank) < std::tie(B.Written, B.Run.Rank);
  });
  return Out;
}

/// The folders of inputs of \p W that may have runs, by id.
std::vector<std::string> inputsOf(const Workspace &W) {
  std::vector<std::string> Ids;
  std::error_code E;
  for (const fs::directory_entry &X :
       fs::directory_iterator(W.folder() + "/inputs", E))
    Ids.push_back(X.path().filename().string());
  std::sort(Ids.begin(), Ids.end());
  return Ids;
}

/// Why \p R says nothing of the program at \p Program; "": it does.
std::string whyNotOf(const SeenRun &R, const Workspace &W,
                     const std::optional<FileState> &Program) {
  if (R.Build != W.build() || !Program || !(R.Program == *Program))
    return "of another build of the program";
  return "";
}

/// Why \p R is not a run of the input that the same command names here and now;
/// "": it is.
std::string whyNotHere(const SeenRun &R) {
  std::error_code E;
  if (R.Folder != fs::current_path(E).string())
    return "in another folder";
  for (const auto &[Word, Then] : R.Files)
    if (const std::optional<FileState> Now = stateOf(R.Command[Word]);
        !Now || !(*Now == Then))
      return "before '" + R.Command[Word] + "' changed";
  return "";
}

/// Whether the files that \p R names are those that \p Target names in the same
/// places. Words are relative to the folder of the run, or to this one.
bool namesSameFiles(const SeenRun &R, const std::vector<std::string> &Target) {
  for (const auto &[Word, Then] : R.Files) {
    if (Word >= Target.size())
      return false;
    const std::optional<FileState> Its = stateOf(Target[Word]);
    if (!Its || !(*Its == Then))
      return false;
  }
  return true;
}

} // namespace

SeenInputs seenInputs(const Workspace &W, const std::string &Program,
                      const std::vector<std::string> &Command, size_t Word) {
  std::vector<std::string> Target(
      Command.begin() + static_cast<std::ptrdiff_t>(Word), Command.end());
  Target[0] = fs::path(Target[0]).filename().string();
  const std::string Own = commandId(Command, Word);
  const std::optional<FileState> Now = stateOf(Program);
  SeenInputs Out;
  std::map<std::string, size_t> Unused; // runs of this input, by reason
  size_t Damaged = 0;
  for (const std::string &Id : inputsOf(W)) {
    SeenInput Other;
    for (Dated &X :
         runsBelow(fs::path(W.folder()) / "inputs" / Id / "seen", Damaged)) {
      std::string Why = whyNotOf(X.Run, W, Now);
      if (Id == Own && Why.empty())
        Why = whyNotHere(X.Run);
      if (Id == Own && Why.empty())
        Out.Own.push_back(std::move(X.Run));
      else if (Id == Own)
        ++Unused[Why];
      else if (Why.empty()) {
        Other.Command = X.Run.Command;
        Other.NamesSameFiles &= namesSameFiles(X.Run, Target);
        Other.Runs.push_back(std::move(X.Run));
      }
    }
    if (!Other.Runs.empty())
      Out.Others.push_back(std::move(Other));
  }
  for (const auto &[Why, N] : Unused)
    Out.Notes.push_back(std::to_string(N) +
                        (N == 1 ? " run of this command was seen "
                                : " runs of this command were seen ") +
                        Why + ": not used");
  if (Damaged)
    Out.Notes.push_back("what " + std::to_string(Damaged) +
                        (Damaged == 1 ? " run" : " runs") + " left in '" +
                        shownPath(W.folder()) +
                        "/inputs' cannot be read: not used");
  return Out;
}

std::vector<SeenSummary> seenSummaries(const Workspace &W,
                                       const std::string &Program,
                                       const std::string &Build) {
  const std::optional<FileState> Now =
      W.build() == Build ? stateOf(Program) : std::nullopt;
  std::vector<SeenSummary> Out;
  size_t Damaged = 0;
  for (const std::string &Id : inputsOf(W)) {
    std::map<std::string, std::map<uint32_t, size_t>> Runs; // by reason, rank
    std::map<std::string, const SeenRun *> Last;
    const std::vector<Dated> All =
        runsBelow(fs::path(W.folder()) / "inputs" / Id / "seen", Damaged);
    for (const Dated &X : All) {
      std::string Why = whyNotOf(X.Run, W, Now);
      if (Why.empty())
        Why = whyNotHere(X.Run);
      ++Runs[Why][X.Run.Rank];
      Last[Why] = &X.Run;
    }
    for (const auto &[Why, OfRank] : Runs) {
      std::vector<std::string> Words = Last[Why]->Command;
      if (const auto It = W.inputs().find(Id); It != W.inputs().end())
        Out.push_back({It->second.Command, 0, 0, Why});
      else
        Out.push_back({commandText(Words), 0, 0, Why});
      Out.back().Seconds = Last[Why]->Seconds;
      for (const auto &Entry : OfRank)
        Out.back().Runs = std::max(Out.back().Runs, Entry.second);
    }
  }
  std::sort(
      Out.begin(), Out.end(), [](const SeenSummary &A, const SeenSummary &B) {
        return std::tie(A.Command, A.NotUsed) < std::tie(B.Command, B.NotUsed);
      });
  return Out;
}

} // namespace evenkeel::cli
