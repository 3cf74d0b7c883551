//===- Plugin.cpp - entry points for opt, clang and ld.lld ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the extension points. PipelineStart takes the inventory while IR and
// source agree, or embeds the unit's code in its object file. OptimizerEarly
// (of a unit, or of a linked module under opt) runs the analysis before the
// vectoriser and the unroller copy accesses. FullLinkTimeOptimizationEarly
// (ld.lld) analyses, or instruments for recording, the whole program.
//   EVENKEEL_FACTS=FILE   write facts.json of the module, from a clone
//   EVENKEEL_DOT=FILE     write the graph of objects for Graphviz
//   EVENKEEL_PASS=record  instrument for recording; only for sampled lines, or
//                         counts, with EVENKEEL_RECORD_MODE=sampled or counts
//   EVENKEEL_PASS=print   print what the analysis knows at that point
//   EVENKEEL_PASS=off     do nothing; if unset: embed units in object files
//   EVENKEEL_UNITS=FILE   for ek-program: one program, library, archive, object
//                         or bitcode file per line; a file after a tab is not
//                         linked, only its sites are listed
//   EVENKEEL_WALKS_CODE=FILE  for ek-program: write the program as bitcode that
//                         measures how each access walks (record/Walks.h)
//   EVENKEEL_ALLOCATORS=  the user's allocation functions (format/Allocators.h)
//   EVENKEEL_KEEP_GOING=1 skip units that cannot be analysed
// -Rpass-analysis=evenkeel and -Rpass-missed=evenkeel print one remark per row.
// Pipeline names: ek-inventory, ek-prep, ek-facts, ek-program, ek-record,
// print<ek-inventory>, print<ek-calls>, print<ek-access>, print<ek-program>.
// For -print-after: ek-start (PipelineStart's pass), ek-record.
// Not here: cl::opt options; clang and ld.lld do not pass them on.
//===----------------------------------------------------------------------===//
#include "access/Access.h"
#include "facts/CallPrinter.h"
#include "facts/Emit.h"
#include "facts/Program.h"
#include "objects/Inventory.h"
#include "objects/KeptAllocations.h"
#include "record/Record.h"
#include "record/Symbols.h"
#include "record/Units.h"
#include "unit/Allocations.h"
#include "unit/GiveUps.h"
#include "unit/Prep.h"
#include "unit/Simplify.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cstdlib>

using namespace llvm;

namespace evenkeel {
namespace {

struct PrepPass : PassInfoMixin<PrepPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    prepareModule(M);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

StringRef environment(const char *Name) {
  const char *V = std::getenv(Name);
  return V ? V : "";
}

/// Whether \p M is a unit that will be linked with full LTO. Its facts are
/// written by the link.
bool isForLink(const Module &M) {
  auto *Thin =
      mdconst::extract_or_null<ConstantInt>(M.getModuleFlag("ThinLTO"));
  return Thin && Thin->isZero();
}

bool recording() { return environment("EVENKEEL_PASS") == "record"; }

bool factsWanted() {
  return !environment("EVENKEEL_FACTS").empty() ||
         !environment("EVENKEEL_DOT").empty() ||
         environment("EVENKEEL_PASS") == "print";
}

/// Writes the facts and printouts that the environment variables ask for.
void emit(const EkAccessResult &R, LLVMContext &C) {
  if (StringRef Path = environment("EVENKEEL_FACTS"); !Path.empty())
    if (Error E = writeFacts(R, Path))
      C.emitError("cannot write facts: " + toString(std::move(E)));
  if (StringRef Path = environment("EVENKEEL_DOT"); !Path.empty())
    if (Error E = writeDot(R, Path))
      C.emitError("cannot write the graph: " + toString(std::move(E)));
  if (environment("EVENKEEL_PASS") == "print")
    printAccesses(R, outs());
}

/// Only a compilation prints remarks; a linked program would print too many.
bool remarksWanted(const Module &M) {
  const DiagnosticHandler *H = M.getContext().getDiagHandlerPtr();
  return H && (H->isAnalysisRemarkEnabled("evenkeel") ||
               H->isMissedOptRemarkEnabled("evenkeel"));
}

EkAccess analysis() { return EkAccess(!environment("EVENKEEL_DOT").empty()); }

/// When compiling for recording, StartPass has already analysed the module,
/// where it inserted the code that reports symbols.
bool factsAreWritten(const Module &M) { return reportsSymbols(M); }

/// Analyses a clone, so that the module being compiled does not change.
struct ClonePass : PassInfoMixin<ClonePass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    bool Remarks = remarksWanted(M);
    bool Facts = factsWanted() && !isForLink(M) && !factsAreWritten(M);
    if (!Remarks && !Facts)
      return PreservedAnalyses::all();
    std::unique_ptr<Module> Clone = CloneModule(M);
    prepareModule(*Clone);
    ModuleAnalysisManager Own;
    EkAccessResult R = analysis().run(*Clone, Own);
    if (Facts)
      emit(R, M.getContext());
    if (Remarks)
      remark(R, M);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

struct FactsPass : PassInfoMixin<FactsPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &AM) {
    if (environment("EVENKEEL_FACTS").empty())
      M.getContext().emitError("ek-facts: EVENKEEL_FACTS names no file");
    else
      ClonePass().run(M, AM);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// Analyses the program that consists of \p Units. Problems become errors of
/// \p C, unless units may be skipped. Sites of \p Unlinked are listed, not
/// analysed.
void analyzeProgram(std::vector<UnitCode> Units,
                    std::vector<UnitProblem> Problems, LLVMContext &C,
                    ArrayRef<UnitCode> Unlinked = {}) {
  Program P = linkProgram(std::move(Units), Problems);
  bool KeepGoing = environment("EVENKEEL_KEEP_GOING") == "1" && P.M;
  if (!P.M && Problems.empty())
    Problems.push_back({"no-unit", "no unit to analyse"});
  for (const UnitProblem &Problem : Problems) {
    if (!P.M || (!KeepGoing && !Problem.Partial))
      return C.emitError(Problem.Line);
    errs() << "warning: " << Problem.Line << '\n';
    noteGiveUp(*P.M, Problem.Reason);
  }
  for (const UnitCode &U : Unlinked) {
    LLVMContext Apart;
    auto Unit = parseBitcodeFile(MemoryBufferRef(U.Bitcode, U.Name), Apart);
    if (!Unit) {
      consumeError(Unit.takeError());
      continue;
    }
    setRoots(**Unit);
    noteUnlinked(*P.M, **Unit);
  }
  prepareModule(*P.M);
  StringRef Path = environment("EVENKEEL_WALKS_CODE");
  if (Path.empty())
    return emit(analysis().runForRows(*P.M), C);
  ModuleAnalysisManager Own;
  EkAccessResult R = analysis().run(*P.M, Own);
  emit(R, C);
  instrumentForRecording(*P.M, R, RecordMode::Walks);
  std::error_code E;
  raw_fd_ostream OS(Path, E);
  if (E)
    C.emitError("cannot write code to '" + Path + "': " + E.message());
  else
    WriteBitcodeToFile(*P.M, OS);
}

/// Under opt: analyses the program in the files that EVENKEEL_UNITS lists.
struct ProgramPass : PassInfoMixin<ProgramPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    std::vector<UnitCode> Units;
    std::vector<UnitProblem> Problems;
    auto List = MemoryBuffer::getFile(environment("EVENKEEL_UNITS"));
    if (!List) {
      M.getContext().emitError("ek-program: EVENKEEL_UNITS names no file");
      return PreservedAnalyses::all();
    }
    SmallVector<StringRef, 16> Paths;
    (*List)->getBuffer().split(Paths, '\n', -1, /*KeepEmpty=*/false);
    // Files after a tab are not linked.
    std::vector<UnitCode> Unlinked;
    std::vector<UnitProblem> Ignored;
    for (StringRef Path : Paths)
      if (Path.consume_front("\t"))
        readUnits(Path, Unlinked, Ignored);
      else
        readUnits(Path, Units, Problems);
    analyzeProgram(std::move(Units), std::move(Problems), M.getContext(),
                   Unlinked);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// Prints the analysis of the unoptimised module as a program of its own. Paths
/// are relative to the folder of its sources, wherever it was compiled.
struct ProgramPrinter : PassInfoMixin<ProgramPrinter> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    std::vector<UnitProblem> Problems;
    Program P = linkProgram({{M.getModuleIdentifier(), bitcodeOf(M)}}, Problems,
                            /*RootOfSources=*/true);
    for (const UnitProblem &Problem : Problems)
      M.getContext().emitError(Problem.Line);
    if (!P.M)
      return PreservedAnalyses::all();
    prepareModule(*P.M);
    ModuleAnalysisManager Own;
    printAccesses(EkAccess().run(*P.M, Own), outs());
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// Under ld.lld: analyses the units embedded in the objects if every object has
/// one; otherwise the module that the linker made of them.
struct LinkPass : PassInfoMixin<LinkPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (recording() && isLinkOfUnits(M))
      return PreservedAnalyses::all(); // RecordUnitsPass does it
    std::vector<UnitProblem> Problems;
    std::vector<UnitCode> Units = embeddedUnits(M, Problems);
    size_t Compiled = std::distance(M.debug_compile_units_begin(),
                                    M.debug_compile_units_end());
    bool Complete = !Units.empty() && Units.size() >= Compiled;
    if (!Complete) {
      std::unique_ptr<Module> Clone = CloneModule(M);
      Clone->setModuleInlineAsm("");
      Units = {{M.getModuleIdentifier(), bitcodeOf(*Clone)}};
      Problems.clear();
    }
    if (factsWanted())
      analyzeProgram(std::move(Units), std::move(Problems), M.getContext());
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

struct RecordPass : PassInfoMixin<RecordPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    prepareModule(M);
    ModuleAnalysisManager Own;
    EkAccessResult R = EkAccess().run(M, Own);
    // The analysis has read the names of variables; only line tables are still
    // needed, for race reports. Cloning the rest for further bodies and
    // carrying it through the code generator takes a tenth of the build time.
    stripNonLineTableDebugInfo(M);
    StringRef Mode = environment("EVENKEEL_RECORD_MODE");
    instrumentForRecording(M, R,
                           Mode == "sampled"  ? RecordMode::Sampled
                           : Mode == "counts" ? RecordMode::Counts
                                              : RecordMode::Full);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

/// Analyses \p M, which is simplified and prepared, and inserts the code that
/// reports its symbols.
void analyzeAndReportSymbols(Module &M, bool Facts) {
  ModuleAnalysisManager Own;
  EkAccessResult R = analysis().run(M, Own);
  if (Facts)
    emit(R, M.getContext()); // of the module whose symbols are reported
  reportSymbols(M, R);
}

/// Embeds the unit, as the front end made it, in its object file, unless this
/// compilation has another purpose. Leaves the inventory in the unit if a later
/// pass needs it.
struct StartPass : PassInfoMixin<StartPass> {
  OptimizationLevel Level;
  explicit StartPass(OptimizationLevel Level) : Level(Level) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &AM) {
    if (environment("EVENKEEL_PASS").empty() &&
        (!factsWanted() || isForLink(M)))
      embedUnit(M, Level);
    if (!recording()) {
      if (factsWanted() || remarksWanted(M))
        InventoryPass().run(M, AM);
      return PreservedAnalyses::all();
    }
    // Unoptimised code is recorded without simplification.
    const bool Optimised = Level != OptimizationLevel::O0;
    if (Optimised)
      normalizeUnit(M);
    keepNamedAllocators(M);
    InventoryPass().run(M, AM);
    keepAllocations(M);
    if (!Optimised)
      return PreservedAnalyses::all();
    simplifyModule(M);
    std::string Code = isForLink(M) ? "" : codeForLink(M);
    prepareModule(M);
    analyzeAndReportSymbols(M, factsWanted() && !isForLink(M));
    unrollShortLoops(M);
    if (!Code.empty())
      carryCode(M, Code);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

/// Under ld.lld: does StartPass's work for all units whose objects carried
/// their code.
struct RecordUnitsPass : PassInfoMixin<RecordUnitsPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!isLinkOfUnits(M))
      return PreservedAnalyses::all();
    OpenedUnits Units(M);
    setRoots(M);
    finishLink(M);
    prepareModule(M);
    analyzeAndReportSymbols(M, factsWanted());
    unrollShortLoops(M);
    simplifyFunctions(M); // as the compiler continues with a unit
    Units.close();
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

/// Replaces the linker's own optimisation (utils/wrappers).
struct FinishPass : PassInfoMixin<FinishPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    finishCode(M);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

void addRecording(ModulePassManager &MPM) {
  MPM.addPass(InventoryPass());
  MPM.addPass(RecordPass());
}

void addAnalysis(ModulePassManager &MPM) {
  MPM.addPass(ClonePass());
  if (recording())
    addRecording(MPM);
}

bool parse(StringRef Name, ModulePassManager &MPM) {
  if (Name == "ek-inventory")
    MPM.addPass(InventoryPass());
  else if (Name == "print<ek-inventory>")
    MPM.addPass(InventoryPrinter(outs()));
  else if (Name == "print<ek-calls>")
    MPM.addPass(CallPrinter(outs()));
  else if (Name == "ek-prep")
    MPM.addPass(PrepPass());
  else if (Name == "ek-facts")
    MPM.addPass(FactsPass());
  else if (Name == "ek-program")
    MPM.addPass(ProgramPass());
  else if (Name == "print<ek-program>")
    MPM.addPass(ProgramPrinter());
  else if (Name == "print<ek-access>")
    MPM.addPass(AccessPrinter(outs()));
  else if (Name == "ek-record")
    MPM.addPass(RecordPass());
  else
    return false;
  return true;
}

/// Sets the pass names for -print-after and similar options.
void nameForPrinting(PassInstrumentationCallbacks &PIC) {
  PIC.addClassToPassName(StartPass::name(), "ek-start");
  PIC.addClassToPassName(RecordPass::name(), "ek-record");
}

void registerAll(PassBuilder &PB) {
  if (PassInstrumentationCallbacks *PIC = PB.getPassInstrumentationCallbacks())
    nameForPrinting(*PIC);
  PB.registerAnalysisRegistrationCallback([](ModuleAnalysisManager &MAM) {
    MAM.registerPass([] { return EkAccess(); });
  });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) { return parse(Name, MPM); });
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(StartPass(Level));
      });
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { addAnalysis(MPM); });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(LinkPass());
        if (recording()) {
          MPM.addPass(RecordUnitsPass());
          addRecording(MPM);
          if (Level == OptimizationLevel::O1)
            MPM.addPass(FinishPass());
        }
      });
}

} // namespace
} // namespace evenkeel

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT
    LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "evenkeel", EVENKEEL_VERSION,
          evenkeel::registerAll};
}
