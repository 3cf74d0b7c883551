//===- Library.cpp - sources that call a library --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Library.h.
//===----------------------------------------------------------------------===//
#include "Library.h"
#include "edits/Paths.h"
#include "format/File.h"
#include "kept/Layout.h"
#include "library/MemoryHeader.h"
#include "report/LibraryReport.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>

namespace evenkeel {

static std::string textOf(const std::string &Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

static std::string styleName(LibraryCalls Style) {
  return Style == LibraryCalls::OpenMP ? "--style omp" : "--style memkind";
}

Expected<LibrarySources> LibrarySources::read(LibraryCalls Style,
                                              const std::string &Path,
                                              const std::string &Machine) {
  if (Path.empty())
    return Error{styleName(Style) +
                 " needs a plan, which says what goes to which memory; give "
                 "--plan plan.json"};
  Expected<Plan> P = readPlan(Path);
  if (!P)
    return P.takeError();
  if (P->KeepsFirstTouch)
    return Error{"'" + Path +
                 "' keeps first touch, so no data has a memory of its own and "
                 "there is nothing to write; plan with less fast memory "
                 "(--fast) or for another input"};
  Expected<evenkeel::Machine> M =
      readMachine(Machine.empty() ? P->Machine : Machine);
  if (!M)
    return Machine.empty()
               ? Error{"'" + Path + "' is for the machine '" + P->Machine +
                       "', which has no file of that name; give its file with "
                       "--machine"}
               : M.takeError();
  if (M->Name != P->Machine)
    return Error{"'" + Path + "' is for the machine '" + P->Machine +
                 "', and --machine gives '" + M->Name +
                 "'; plan for that one first (evenkeel plan --machine " +
                 Machine + "), or leave --machine out"};
  Expected<Spaces> On = spacesOf(*M, Style);
  if (!On)
    return On.takeError();
  LibrarySources Out;
  Out.Style = Style;
  Out.On = *On;
  Out.Where = placementOf(*P, *On);
  Out.From = std::move(*P);
  if (!Out.Where.any())
    return Error{"'" + Path + "' places no object in " +
                 spaceWords(On->Fast == Space::Ordinary ? On->Slow : On->Fast) +
                 " that fits there whole, so there is nothing to write"};
  return Out;
}

std::string LibrarySources::headerPath(const Project &P) const {
  return P.Root + "/" + memoryHeaderName(Style);
}

MaybeError
LibrarySources::check(const Project &P,
                      const std::map<std::string, UnitResult> &Units) const {
  const std::string Path = headerPath(P), Text = textOf(Path);
  if (!Text.empty() && !isMemoryHeader(Text))
    return Error{"'" + Path +
                 "' was not made by evenkeel rewrite, which would replace it; "
                 "rename it"};
  for (const auto &[Unit, R] : Units)
    for (const BlockFlow &F : R.Flows)
      if (F.DefinesMain)
        return std::nullopt;
  return Error{styleName(Style) +
               " needs all sources of a program, because it changes what frees "
               "a block; no source here defines main"};
}

MaybeError LibrarySources::checkOpenMP(
    const Project &P, const Merged &M,
    const std::map<std::string, std::set<std::string>> &FilesOf,
    const std::set<std::string> &WithoutOpenMP) const {
  if (Style != LibraryCalls::OpenMP)
    return std::nullopt;
  for (const std::string &Unit : WithoutOpenMP)
    for (const std::string &File : FilesOf.at(Unit))
      if (auto It = M.Edits.find(File); It != M.Edits.end())
        return Error{relativeTo(Unit, P.Root) +
                     " is compiled without -fopenmp, which --style omp needs; "
                     "add it, or use --style memkind"};
  return std::nullopt;
}

void LibrarySources::takeBack(const Merged &M) {
  std::set<uint64_t> Placed;
  for (const Finding &F : M.Findings)
    if (F.What == Finding::State::Rewritten || F.Reason == "tier-chosen")
      Placed.insert(F.Id);
  for (auto &[Site, In] : Where.Sites)
    if (!Placed.count(Site))
      In = Space::Ordinary;
}

void LibrarySources::addHeader(const Project &P, Merged &M,
                               EditedFiles &Files) const {
  std::set<std::string> Used;
  const std::string Path = headerPath(P), Old = textOf(Path);
  for (const std::string &File : M.Files)
    if (File != Path) {
      auto It = Files.find(File);
      addUsedMemory(It == Files.end() ? textOf(File) : It->second.New, Used);
    }
  if (Files.empty() && Old.empty())
    return;
  std::string New = memoryHeader(Style, Used);
  M.Files.insert(Path);
  if (New == Old)
    return;
  M.Edits[Path] = lineEdits(Old, New);
  Files[Path] = {Old, std::move(New)};
}

MaybeError LibrarySources::writeWhole(const std::string &Path) const {
  return writeWholeFile(Path, planToJson(wholePlan(From, Where, On)));
}

std::string LibrarySources::summary(const Merged &M) const {
  LibraryLoss Lost;
  Lost.Divided = Where.Divided;
  Lost.Moves = Where.Moves;
  Lost.FastBytes = From.FastBytes;
  Lost.Machine = From.Machine;
  Lost.PlanBytes = Where.PlanBytes;
  Lost.WholeBytes = Where.bytesIn(On.Fast);
  return librarySummaryText(M, Lost);
}

} // namespace evenkeel
