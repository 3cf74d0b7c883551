//===- FirstError.cpp - diagnostics reduced to the first error ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FirstError.h.
//===----------------------------------------------------------------------===//
#include "FirstError.h"
#include "edits/Paths.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"

namespace evenkeel {
using namespace clang;

std::string oneLine(const Diagnostic &Info, const std::string &Root) {
  std::string Line;
  if (Info.hasSourceManager() && Info.getLocation().isValid()) {
    SourceManager &SM = Info.getSourceManager();
    PresumedLoc PL = SM.getPresumedLoc(SM.getExpansionLoc(Info.getLocation()));
    if (PL.isValid()) {
      auto Dir = SM.getFileManager()
                     .getVirtualFileSystem()
                     .getCurrentWorkingDirectory();
      std::string Path =
          canonicalPath(PL.getFilename(), Dir ? *Dir : std::string("/"));
      std::string Relative = relativeTo(Path, Root);
      Line = (Relative.empty() ? Path : Relative) + ":" +
             std::to_string(PL.getLine()) + ":" +
             std::to_string(PL.getColumn()) + ": ";
    }
  }
  llvm::SmallString<256> Text;
  Info.FormatDiagnostic(Text);
  return Line + Text.str().str();
}

void FirstErrorConsumer::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                          const Diagnostic &Info) {
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  if (Level >= DiagnosticsEngine::Error && First.empty())
    First = oneLine(Info, Root);
}

} // namespace evenkeel
