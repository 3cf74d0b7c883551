//===- Check.cpp - the edited units must compile --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Check.h.
//===----------------------------------------------------------------------===//
#include "Check.h"
#include <algorithm>

namespace evenkeel {

using FilesOfUnits = std::map<std::string, std::set<std::string>>;

/// Removes the edits of \p Paths.
static void leaveOut(const std::set<std::string> &Paths, Merged &M,
                     EditedFiles &Files) {
  for (const std::string &Path : Paths) {
    M.Edits.erase(Path);
    M.Includes.erase(Path);
    Files.erase(Path);
  }
  for (Finding &F : M.Findings)
    if (!F.Edits.empty() && Paths.count(F.File)) {
      F.What = Finding::State::Skipped;
      F.Reason = "would-not-compile";
      F.Edits.clear();
    }
}

/// The edited files of \p Unit that no other unit includes; if there are none,
/// all its edited files.
static std::set<std::string> filesToLeave(const std::string &Unit,
                                          const FilesOfUnits &FilesOf,
                                          const EditedFiles &Files) {
  std::set<std::string> All, Own;
  for (const std::string &Path : FilesOf.at(Unit)) {
    if (!Files.count(Path))
      continue;
    All.insert(Path);
    if (std::none_of(FilesOf.begin(), FilesOf.end(), [&](const auto &Other) {
          return Other.first != Unit && Other.second.count(Path);
        }))
      Own.insert(Path);
  }
  return Own.empty() ? All : Own;
}

static bool includesAny(const std::set<std::string> &Included,
                        const std::set<std::string> &Paths) {
  return std::any_of(Paths.begin(), Paths.end(), [&](const std::string &Path) {
    return Included.count(Path);
  });
}

std::vector<LeftUnit>
leaveBroken(const Project &P, const FilesOfUnits &FilesOf,
            const std::function<void(const std::string &)> &Show, Merged &M,
            EditedFiles &Files) {
  std::set<std::string> Work, Edited;
  for (const auto &[Path, F] : Files)
    Edited.insert(Path);
  for (const auto &[Unit, Included] : FilesOf)
    if (includesAny(Included, Edited))
      Work.insert(Unit);
  std::map<std::string, std::string> Left; // first errors
  while (!Work.empty()) {
    std::map<std::string, std::string> Overlay;
    for (const auto &[Path, F] : Files)
      Overlay[Path] = F.New;
    std::set<std::string> Back;
    for (const std::string &Unit : Work) {
      Show(Unit);
      UnitResult R = parseUnit(P, Unit, Overlay, nullptr);
      if (R.FirstError.empty())
        continue;
      Left.emplace(Unit, R.FirstError);
      Back.merge(filesToLeave(Unit, FilesOf, Files));
    }
    leaveOut(Back, M, Files);
    Work.clear();
    for (const auto &[Unit, Included] : FilesOf)
      if (includesAny(Included, Back))
        Work.insert(Unit);
  }
  std::vector<LeftUnit> Result;
  for (auto &[Unit, Error] : Left)
    Result.push_back({Unit, Error});
  return Result;
}

} // namespace evenkeel
