//===- BinaryFacts.cpp - facts of programs without sources ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BinaryFacts.h.
//===----------------------------------------------------------------------===//
#include "BinaryFacts.h"
#include "Calls.h"
#include "Variables.h"
#include "format/ProjectFiles.h"
#include "format/WaitCalls.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;
using namespace evenkeel;

using Kind = DILineInfoSpecifier::FileLineInfoKind;

/// The path without links and dots.
static std::string realPath(const std::string &Path) {
  SmallString<256> P(Path), Found;
  sys::path::remove_dots(P, /*remove_dot_dot=*/true);
  return sys::fs::real_path(P, Found) ? P.str().str() : Found.str().str();
}

/// Whether the compiler or the system brought the file along.
static bool isSystem(StringRef Path) {
  return Path.empty() || Path.starts_with("/usr/include/") ||
         Path.starts_with("/usr/lib/") || Path.contains("/include/c++/");
}

static std::string unitPath(DWARFUnit &U) {
  SmallString<256> P(
      dwarf::toString(U.getUnitDIE().find(dwarf::DW_AT_name), ""));
  if (!sys::path::is_absolute(P)) {
    SmallString<256> Folder(U.getCompilationDir() ? U.getCompilationDir() : "");
    sys::path::append(Folder, P);
    P = Folder;
  }
  return realPath(P.str().str());
}

/// The deepest folder that contains \p Path and the folder \p Folder.
static std::string commonFolder(const std::string &Folder, StringRef Path) {
  StringRef Both = Folder;
  while (!Both.empty() && !(Path.starts_with(Both) &&
                            Path.drop_front(Both.size()).starts_with("/")))
    Both = sys::path::parent_path(Both) == Both ? ""
                                                : sys::path::parent_path(Both);
  return Both.str();
}

BinaryFacts::BinaryFacts(std::vector<LinkedFile> &Files, uint64_t LeastBytes)
    : Files(Files), LeastBytes(LeastBytes) {
  std::set<std::string> Units;
  for (LinkedFile &B : Files)
    for (const auto &U : B.Lines->compile_units())
      if (std::string Path = unitPath(*U); !isSystem(Path))
        Units.insert(Path);
  for (const std::string &Path : Units)
    Root = &Path == &*Units.begin() ? sys::path::parent_path(Path).str()
                                    : commonFolder(Root, Path);
  for (const std::string &Path : Units)
    if (std::string Name = inRoot(Path); !Name.empty())
      Out.Units.push_back(Name);
  for (LinkedFile &B : Files) {
    addSyncs(B);
    addVariables(B);
  }
}

std::string BinaryFacts::inRoot(const std::string &File) const {
  const std::string Path = realPath(File);
  if (isSystem(Path))
    return "";
  if (Root.empty())
    return sys::path::is_absolute(Path) ? "" : Path;
  return nameInProject(Path, Root);
}

/// The function's name in the source; flang's name of a main program is its
/// own.
static std::string spelled(const DILineInfo &L) {
  return L.FunctionName == "_QQmain" ? "main program"
                                     : functionAsSpelled(L.FunctionName);
}

static DIInliningInfo framesAt(LinkedFile &B, uint64_t Address) {
  return B.Lines->getInliningInfoForAddress(
      {Address, object::SectionedAddress::UndefSection},
      DILineInfoSpecifier(Kind::AbsoluteFilePath, DINameKind::ShortName));
}

/// The key of a place in code, as the analysis forms it.
static EntityKey keyOf(const char *What, const std::string &Path,
                       const DILineInfo &L) {
  return {What,       Path,
          spelled(L), static_cast<int>(L.Line) - static_cast<int>(L.StartLine),
          L.Column,   0};
}

static std::string placeText(const std::string &Path, const DILineInfo &L) {
  return Path + ":" + std::to_string(L.Line) + ":" + std::to_string(L.Column);
}

std::optional<uint64_t> BinaryFacts::siteIn(LinkedFile &B, uint64_t Address) {
  const DIInliningInfo Frames = framesAt(B, Address);
  for (uint32_t I = 0; I < Frames.getNumberOfFrames(); ++I) {
    const DILineInfo &L = Frames.getFrame(I);
    const std::string Path =
        L.Line && L.FileName != DILineInfo::BadString ? inRoot(L.FileName) : "";
    if (Path.empty())
      continue;
    SiteFact S;
    S.Id = entityId(keyOf("site", Path, L));
    S.Kind = "malloc";
    S.At = placeText(Path, L);
    S.Function = spelled(L);
    if (Known.insert(S.Id).second)
      Out.Sites.push_back(S);
    return S.Id;
  }
  return std::nullopt;
}

uint64_t BinaryFacts::siteOf(const std::vector<CodePlace> &Stack) {
  for (const CodePlace &At : Stack)
    for (LinkedFile &B : Files)
      if (B.Name == At.Module)
        if (std::optional<uint64_t> Id = siteIn(B, At.Address))
          return *Id;
  return 0;
}

/// The kind of wait in the library function \p Name; none if it does not wait.
static std::optional<std::string> waitIn(StringRef Name) {
  if (Name == "__kmpc_fork_call" || Name == "__kmpc_fork_call_if" ||
      Name == "GOMP_parallel" || Name.starts_with("GOMP_parallel_"))
    return "parallel";
  // Fortran's names: of mpif.h and the module mpi, and of mpi_f08.
  std::string Spelled = Name.str();
  if (Name.consume_front("mpi_") && Name.consume_back("_")) {
    if (!Name.consume_back("_f08"))
      Name.consume_back("_f08ts"); // MPICH
    Spelled = "MPI_" + Name.str();
    if (!Name.empty())
      Spelled[4] = llvm::toUpper(Spelled[4]);
  }
  if (!StringRef(Spelled).starts_with("MPI_"))
    return std::nullopt;
  if (const auto Which = waitOf(Spelled))
    return std::string(syncKindName(*Which));
  return std::nullopt;
}

void BinaryFacts::addSyncs(LinkedFile &B) {
  for (const LibraryCall &C : libraryCalls(B.object())) {
    const std::optional<std::string> What = waitIn(C.To);
    if (!What)
      continue;
    const DIInliningInfo Frames = framesAt(B, C.At);
    if (!Frames.getNumberOfFrames())
      continue;
    const DILineInfo &L = Frames.getFrame(0);
    const std::string Path =
        L.Line && L.FileName != DILineInfo::BadString ? inRoot(L.FileName) : "";
    if (Path.empty())
      continue;
    SyncFact S;
    S.Id = entityId(keyOf(("sync-" + *What).c_str(), Path, L));
    S.Kind = *What;
    S.At = placeText(Path, L);
    S.Function = spelled(L);
    S.Context = "serial";
    if (Known.insert(S.Id).second)
      Out.Syncs.push_back(S);
  }
}

void BinaryFacts::addVariables(LinkedFile &B) {
  const auto Add = [&](const StaticVariable &V) {
    const std::string Path = V.File.empty() ? "" : inRoot(V.File);
    if (V.Bytes < LeastBytes || (Path.empty() && !V.IsCommon))
      return;
    SiteFact S;
    S.Id = entityId(V.key(Path));
    S.Kind = V.Function.empty() ? "global" : "static";
    S.At = Path.empty() ? V.Name : Path + ":" + std::to_string(V.Line) + ":0";
    S.Function = V.shown();
    S.Size = makeConst(double(V.Bytes));
    Variables[B.Name].emplace(V.shown(), S.Id);
    if (Known.insert(S.Id).second)
      Out.Sites.push_back(S);
  };
  for (const auto &U : B.Lines->compile_units())
    if (DWARFDie D = U->getNonSkeletonUnitDIE(/*ExtractUnitDIEOnly=*/false))
      forEachVariable(B.object(), *D.getDwarfUnit(), Add);
  forEachBareCommon(B, Add);
}
