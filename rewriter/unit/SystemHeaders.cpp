//===- SystemHeaders.cpp - which headers belong to the system -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SystemHeaders.h.
//===----------------------------------------------------------------------===//
#include "SystemHeaders.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/HeaderSearch.h"

namespace evenkeel {
using namespace clang;

bool isInSystemHeader(const SourceManager &SM, const HeaderSearch &Headers,
                      SourceLocation Loc) {
  if (!SM.isInSystemHeader(Loc))
    return false;
  const FileID FID = SM.getFileID(Loc);
  const SrcMgr::SLocEntry &Entry = SM.getSLocEntry(FID);
  OptionalFileEntryRef File = SM.getFileEntryRefForID(FID);
  if (!File || Entry.getFile().getFileCharacteristic() == SrcMgr::C_User)
    return true; // a pragma or a marker in the file itself
  const HeaderFileInfo *Found = Headers.getExistingFileInfo(*File);
  return !Found || Found->DirInfo != SrcMgr::C_User;
}

} // namespace evenkeel
