//===- EditedUnit.cpp - the edited files of one unit ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See EditedUnit.h.
//===----------------------------------------------------------------------===//
#include "EditedUnit.h"
#include "edits/Edits.h"
#include "edits/Paths.h"
#include "report/UnitNote.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/ErrorHandling.h"

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

const char *refusalName(Refusal R) {
  switch (R) {
  case Refusal::None:
    return "";
  case Refusal::Errors:
    return "errors";
  case Refusal::CopyFailed:
    return "copy-failed";
  case Refusal::Conflict:
    return "conflict";
  case Refusal::Unreadable:
    return "unreadable";
  case Refusal::Target:
    return "target";
  case Refusal::PrecompiledHeader:
    return "precompiled-header";
  case Refusal::NoHeader:
    return "no-header";
  case Refusal::WouldNotCompile:
    return "would-not-compile";
  case Refusal::InternalError:
    return "internal-error";
  }
  llvm_unreachable("refusal without a name");
}

EditedUnit refuse(Refusal Reason, std::string Detail) {
  EditedUnit Result;
  Result.Refused = Reason;
  Result.Detail = std::move(Detail);
  return Result;
}

std::string workingDirectory(SourceManager &SM) {
  auto Dir =
      SM.getFileManager().getVirtualFileSystem().getCurrentWorkingDirectory();
  return Dir ? *Dir : "/";
}

/// Adjusts the columns of \p Places for edits before them on their lines.
template <typename PlaceT>
static void moveColumns(SourceManager &SM, std::vector<PlaceT> &Places,
                        const std::map<std::string, FileEntryRef> &Names,
                        const Merged &All) {
  for (PlaceT &C : Places) {
    auto Edits = All.Edits.find(C.File);
    auto Name = Names.find(C.File);
    if (Edits == All.Edits.end() || Name == Names.end())
      continue;
    if (auto Buffer = SM.getMemoryBufferForFileOrNone(Name->second))
      C.Column = editedColumn(Buffer->getBuffer(), Edits->second, C.Offset);
  }
}

EditedUnit editsOf(SourceManager &SM, UnitResult Unit, const std::string &Name,
                   const BegunFiles &Begun) {
  LinkedWrappers Linked = std::move(Unit.Linked);
  std::vector<CountedLoop> Loops = std::move(Unit.Loops);
  std::vector<UnitResult> Units;
  Units.push_back(std::move(Unit));
  Expected<Merged> All = mergeUnits(std::move(Units), /*KeepGoing=*/true);
  if (!All)
    return refuse(Refusal::Conflict, All.message());
  EditedUnit Result;
  Result.Anything = !All->Findings.empty();
  Result.Note = noteAsSource(Name, *All, "");

  std::string Directory = workingDirectory(SM);
  std::map<std::string, FileEntryRef> Names;
  for (auto It = SM.fileinfo_begin(); It != SM.fileinfo_end(); ++It)
    Names.emplace(canonicalPath(It->first.getName().str(), Directory),
                  It->first);
  moveColumns(SM, Linked.Calls, Names, *All);
  moveColumns(SM, Loops, Names, *All);
  Result.Linked = std::move(Linked);
  Result.Loops = std::move(Loops);
  for (const auto &[Path, Edits] : All->Edits) {
    auto Known = Names.find(Path);
    if (Known == Names.end())
      continue;
    FileEntryRef File = Known->second;
    std::optional<llvm::MemoryBufferRef> Buffer =
        SM.getMemoryBufferForFileOrNone(File);
    if (!Buffer)
      return refuse(Refusal::Unreadable, Path);
    StringRef Text = Buffer->getBuffer();
    auto Point = All->Includes.find(Path);
    const IncludePoint *Include =
        Point == All->Includes.end() ? nullptr : &Point->second;
    auto Early = Begun.find(&File.getFileEntry());
    if (Early != Begun.end()) {
      const BegunFile &B = Early->second;
      Text = Text.take_front(B.Size);
      if (B.Open && Include && Include->Offset <= B.Read) {
        Result.NeedsHeader = true;
        Include = nullptr;
      }
    }
    if (Edits.empty() && !Include)
      continue;
    std::string New = applyEdits(Text.str(), Edits, Include);
    Result.Files.push_back(
        {File, llvm::MemoryBuffer::getMemBufferCopy(New, File.getName())});
  }
  return Result;
}

} // namespace evenkeel
