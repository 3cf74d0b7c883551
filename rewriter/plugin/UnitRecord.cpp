//===- UnitRecord.cpp - how a unit was compiled, in its object ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See UnitRecord.h.
//===----------------------------------------------------------------------===//
#include "UnitRecord.h"
#include "format/builds/BuildNote.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace llvm;

namespace evenkeel {

namespace {
/// Adds the line when the module is complete.
struct AddRecord : PassInfoMixin<AddRecord> {
  std::shared_ptr<std::string> Assembly;

  explicit AddRecord(std::shared_ptr<std::string> Assembly)
      : Assembly(std::move(Assembly)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!Assembly->empty())
      M.appendModuleInlineAsm(*Assembly);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};
} // namespace

UnitRecord::UnitRecord(clang::CompilerInstance &CI) {
  if (!std::getenv(UnitVariable) ||
      !CI.getTarget().getTriple().isOSBinFormatELF() ||
      CI.getFrontendOpts().Inputs.size() != 1)
    return;
  Assembly = std::make_shared<std::string>();
  CI.getCodeGenOpts().PassBuilderCallbacks.push_back(
      [Assembly = Assembly](PassBuilder &PB) {
        PB.registerPipelineStartEPCallback(
            [Assembly](ModulePassManager &MPM, OptimizationLevel) {
              MPM.addPass(AddRecord(Assembly));
            });
      });
}

static std::string absolutePath(clang::SourceManager &SM, StringRef Path) {
  SmallString<256> Full(Path);
  SM.getFileManager().makeAbsolutePath(Full);
  sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return Full.str().str();
}

/// The files outside system headers, with hashes of their contents on disk: the
/// compiler's memory may have edited texts.
static std::map<std::string, uint64_t> filesOf(clang::SourceManager &SM) {
  std::map<std::string, uint64_t> Files;
  for (unsigned I = 0; I < SM.local_sloc_entry_size(); ++I) {
    const clang::SrcMgr::SLocEntry &E = SM.getLocalSLocEntry(I);
    if (!E.isFile() ||
        clang::SrcMgr::isSystem(E.getFile().getFileCharacteristic()))
      continue;
    const clang::OptionalFileEntryRef File =
        E.getFile().getContentCache().OrigEntry;
    if (!File)
      continue;
    const std::string Path = absolutePath(SM, File->getName());
    if (Files.count(Path))
      continue;
    if (auto Text =
            SM.getFileManager().getVirtualFileSystem().getBufferForFile(Path))
      Files[Path] = contentHash((*Text)->getBuffer());
  }
  return Files;
}

void UnitRecord::finish(clang::CompilerInstance &CI) const {
  if (!Assembly)
    return;
  clang::SourceManager &SM = CI.getSourceManager();
  const clang::OptionalFileEntryRef Main =
      SM.getFileEntryRefForID(SM.getMainFileID());
  std::optional<CompileLine> Line = readCompileLine(std::getenv(UnitVariable));
  if (!Main || Main->getName() == "<stdin>" || !Line)
    return;
  BuiltUnit U;
  U.Line = std::move(*Line);
  U.File = absolutePath(SM, Main->getName());
  U.IsCxx = CI.getLangOpts().CPlusPlus;
  U.Files = filesOf(SM);
  *Assembly = assemblyOf(UnitsSection, unitLine(U));
}

} // namespace evenkeel
