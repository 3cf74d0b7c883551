//===- Program.cpp - units become one program to analyse ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what prevents linking units into one program, and LLVM's pipeline up
// to the point where ordinary compilations analyse (Plugin.cpp,
// OptimizerEarly), without unrolling, which copies accesses. Units pass through
// it one by one, as in a build: facts that only another unit's code shows (for
// example, that a call does not change a loop bound) do not remove loads from
// the real program either.
// Not here: internalisation, because code outside the program may call
// functions that no unit calls; and further code that link-time optimisation of
// the program would remove.
//===----------------------------------------------------------------------===//
#include "facts/Program.h"
#include "format/ProjectRoot.h"
#include "objects/Inventory.h"
#include "objects/KeptAllocations.h"
#include "unit/Allocations.h"
#include "unit/Simplify.h"
#include "unit/Source.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA1.h"
#include "llvm/TargetParser/Triple.h"
#include <cstdlib>

using namespace llvm;

namespace evenkeel {

namespace {
struct Unit {
  std::string Name;      // of the main file
  std::string Directory; // compilation directory; empty: no debug information
  std::string Hash;      // distinguishes units with equal names
  std::unique_ptr<Module> M;
};

/// Keeps errors for our own message, and hides all other diagnostics.
struct Collector : DiagnosticHandler {
  std::string &First;
  explicit Collector(std::string &First) : First(First) {}
  bool handleDiagnostics(const DiagnosticInfo &DI) override {
    if (DI.getSeverity() == DS_Error && First.empty()) {
      raw_string_ostream OS(First);
      DiagnosticPrinterRawOStream P(OS);
      DI.print(P);
    }
    return true;
  }
};
} // namespace

/// Drops module flags for code generation, in which units may differ.
static void dropFlags(Module &M) {
  NamedMDNode *Flags = M.getModuleFlagsMetadata();
  if (!Flags)
    return;
  SmallVector<Module::ModuleFlagEntry, 8> All;
  M.getModuleFlagsMetadata(All);
  Flags->eraseFromParent();
  for (const Module::ModuleFlagEntry &E : All)
    if (E.Key->getString() == "Debug Info Version" ||
        E.Key->getString() == "Dwarf Version")
      M.addModuleFlag(Module::Max, E.Key->getString(),
                      mdconst::extract<ConstantInt>(E.Val));
}

/// Converts assignment tracking, which clang enables for ordinary compilations
/// only, back to declared variables, as the front end emits them.
static void dropAssignments(Module &M) {
  bool Records = M.IsNewDbgInfoFormat;
  if (!Records)
    M.convertToNewDbgValues();
  for (Function &F : M) {
    for (Instruction &I : instructions(F))
      if (auto *Variable = dyn_cast<AllocaInst>(&I))
        for (DbgVariableRecord *R : at::getDVRAssignmentMarkers(Variable))
          DbgVariableRecord::createDVRDeclare(
              Variable, R->getVariable(), R->getExpression(), R->getDebugLoc())
              ->insertBefore(R);
    at::deleteAll(&F);
  }
  if (!Records)
    M.convertFromNewDbgValues();
}

void normalizeUnit(Module &M) {
  dropAssignments(M);
  for (Function &F : M) {
    F.removeFnAttr(Attribute::OptimizeForSize);
    F.removeFnAttr(Attribute::MinSize);
  }
}

static const DICompileUnit *compileUnit(const Module &M) {
  auto Units = M.debug_compile_units();
  return Units.begin() == Units.end() ? nullptr : *Units.begin();
}

static std::vector<Unit> parse(LLVMContext &C, std::vector<UnitCode> Codes,
                               std::string &Complaint,
                               std::vector<UnitProblem> &Problems) {
  std::vector<Unit> Units;
  for (UnitCode &Code : Codes) {
    if (std::string Why = foreignBitcode(Code.Bitcode); !Why.empty()) {
      Problems.push_back(
          {"unit-of-other-llvm", "unit '" + Code.Name + "' is " + Why});
      continue;
    }
    Expected<std::unique_ptr<Module>> M =
        parseBitcodeFile(MemoryBufferRef(Code.Bitcode, Code.Name), C);
    std::string Why;
    if (!M)
      Why = toString(M.takeError());
    else if (!Complaint.empty())
      Why = Complaint;
    else if (verifyModule(**M))
      Why = "its code is not consistent";
    Complaint.clear();
    if (!Why.empty()) {
      Problems.push_back({"unit-broken", "broken unit '" + Code.Name + "': " +
                                             Why + "; compile it again"});
      continue;
    }
    dropFlags(**M);
    (*M)->setModuleInlineAsm("");
    normalizeUnit(**M);
    Unit U;
    U.Name = Code.Name;
    if (const DICompileUnit *CU = compileUnit(**M)) {
      U.Name = realPath(CU->getDirectory(), CU->getFilename());
      U.Directory = realPath(CU->getDirectory(), ".");
    }
    std::array<uint8_t, 20> Sum = SHA1::hash(ArrayRef<uint8_t>(
        reinterpret_cast<const uint8_t *>(Code.Bitcode.data()),
        Code.Bitcode.size()));
    U.Hash.assign(Sum.begin(), Sum.end());
    U.M = std::move(*M);
    Units.push_back(std::move(U));
    std::string().swap(Code.Bitcode);
  }
  llvm::sort(Units, [](const Unit &A, const Unit &B) {
    return std::tie(A.Name, A.Hash) < std::tie(B.Name, B.Hash);
  });
  return Units;
}

static bool isBelow(StringRef Path, StringRef Root) {
  return Path == Root || Root == "/" ||
         (Path.consume_front(Root) && Path.starts_with("/"));
}

/// The root for messages: EVENKEEL_ROOT, else the common folder of all units;
/// empty if that is "/".
static std::string rootOf(const std::vector<Unit> &Units) {
  if (const char *R = std::getenv("EVENKEEL_ROOT"); R && *R)
    return realPath("", R);
  ProjectRoot Found;
  for (const Unit &U : Units)
    if (!U.Directory.empty())
      Found.add(U.Directory, U.Name);
  return Found.get();
}

void setRoots(Module &M) {
  for (DICompileUnit *CU : M.debug_compile_units())
    SourceMap::setRoot(
        M, *CU,
        rootOfUnit(realPath(CU->getDirectory(), "."),
                   realPath(CU->getDirectory(), CU->getFilename())));
}

/// Removes units that define a symbol which another unit already defines, and
/// units for another processor. If a build compiles a source in several ways
/// (libtool: with and without -fPIC), its units conflict with each other and
/// one of them is kept.
static void leaveOut(std::vector<Unit> &Units,
                     std::vector<UnitProblem> &Problems) {
  StringMap<size_t> Definer;
  std::vector<Unit> Kept;
  std::string Mains, Again;
  unsigned MainCount = 0, AgainCount = 0;
  for (Unit &U : Units) {
    const Triple Mine(U.M->getTargetTriple());
    if (!Kept.empty() &&
        (U.M->getDataLayout() != Kept[0].M->getDataLayout() ||
         Mine.getArch() != Triple(Kept[0].M->getTargetTriple()).getArch())) {
      Problems.push_back(
          {"unit-of-other-target",
           "unit '" + U.Name + "' is compiled for " + Mine.str() +
               ", others for " + Kept[0].M->getTargetTriple() +
               "; choose a program with --link EXE or its units with --units"});
      continue;
    }
    std::string Twice;
    size_t Other = 0;
    bool Main = false;
    for (GlobalValue &G : U.M->global_values()) {
      if (!G.isStrongDefinitionForLinker() || G.hasLocalLinkage() ||
          G.hasAppendingLinkage() || G.hasAvailableExternallyLinkage())
        continue;
      Main |= G.getName() == "main";
      auto It = Definer.find(G.getName());
      if (It != Definer.end() && Twice.empty()) {
        Twice = G.getName().str();
        Other = It->second;
      }
    }
    if (!Twice.empty() && Kept[Other].Name == U.Name) {
      if (AgainCount++ == 0)
        Again = U.Name;
      continue;
    }
    if (Main)
      Mains += (MainCount++ ? ", " : "") + U.Name;
    if (!Twice.empty()) {
      if (!Main || Twice != "main")
        Problems.push_back({"unit-defines-again",
                            "units '" + Kept[Other].Name + "' and '" + U.Name +
                                "' both define '" + Twice +
                                "'; choose a program with --link EXE or its "
                                "units with --units"});
      continue;
    }
    for (GlobalValue &G : U.M->global_values())
      if (G.isStrongDefinitionForLinker() && !G.hasLocalLinkage())
        Definer[G.getName()] = Kept.size();
    Kept.push_back(std::move(U));
  }
  if (AgainCount)
    Problems.push_back(
        {"unit-listed-again",
         "'" + Again + "'" +
             (AgainCount > 1
                  ? " and " + std::to_string(AgainCount - 1) + " other sources"
                  : "") +
             " listed more than once; one unit of each is analysed",
         /*Partial=*/true});
  if (MainCount > 1)
    Problems.push_back(
        {"unit-defines-again",
         std::to_string(MainCount) + " units define main (" + Mains +
             "); choose a program with --link EXE or its units with --units "
             "A,B"});
  Units = std::move(Kept);
}

Program linkProgram(std::vector<UnitCode> Codes,
                    std::vector<UnitProblem> &Problems, bool RootOfSources) {
  Program P;
  P.Context = std::make_unique<LLVMContext>();
  P.Context->enableDebugTypeODRUniquing();
  std::string Complaint;
  P.Context->setDiagnosticHandler(std::make_unique<Collector>(Complaint));
  std::vector<Unit> Units =
      parse(*P.Context, std::move(Codes), Complaint, Problems);
  std::string Root = RootOfSources ? "" : rootOf(Units);
  for (Unit &U : Units) {
    if (U.Directory.empty())
      Problems.push_back({"unit-without-debug-information",
                          "unit '" + U.Name +
                              "' has no debug information; compile it with "
                              "-g"});
    else if (!Root.empty() && isBelow(U.Name, Root))
      U.Name = U.Name.substr(Root.size() + 1);
  }
  leaveOut(Units, Problems);
  if (Units.empty())
    return P;
  for (Unit &U : Units) {
    if (!RootOfSources)
      setRoots(*U.M);
    keepNamedAllocators(*U.M);
    ModuleAnalysisManager Own;
    InventoryPass().run(*U.M, Own);
    keepAllocations(*U.M);
    simplifyModule(*U.M);
  }
  P.M = std::move(Units[0].M);
  P.M->setModuleIdentifier("program");
  Linker L(*P.M);
  for (size_t I = 1; I < Units.size(); ++I)
    if (L.linkInModule(std::move(Units[I].M))) {
      Problems.push_back(
          {"unit-does-not-link",
           "unit '" + Units[I].Name + "' does not link: " + Complaint});
      P.M.reset();
      return P;
    }
  if (Units.size() > 1)
    finishLink(*P.M);
  return P;
}

} // namespace evenkeel
