//===- Rows.h - what the analysis knows about a module ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the result of the analysis, in two halves. The first is keyed by IR
// and is all that the recorder's instrumentation consumes: class per access,
// symbols to record, ids of regions, sites and sync points. The second is
// facts.json in the making, keyed by ids.
// Leaves out: how it is found (Access.h), writing files (facts/Emit.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_ROWS_H
#define EVENKEEL_PASSES_ACCESS_ROWS_H

#include "access/counts/Count.h"
#include "objects/Entities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class AllocaInst;
class DILocation;
class GlobalVariable;
} // namespace llvm

namespace evenkeel {

/// How a loop nest walks an object; the words are those of the design.
enum class AccessClass {
  Invariant,
  Stream,
  Strided,
  Stencil,
  Random,
  Chase,
  Unknown
};
llvm::StringRef accessClassName(AccessClass C);

/// One load, store, atomic or memory intrinsic.
struct AccessInfo {
  AccessClass Class = AccessClass::Unknown;
  /// The address comes from a value loaded in the iteration before (chase):
  /// misses cannot overlap.
  bool Dependent = false;
  /// Access size; 64 for memory intrinsics, which count in cache lines.
  uint64_t ElementBytes = 0;
  bool Reads = false, Writes = false;
  /// As in its row (AccessRow).
  std::optional<int64_t> Stride;
  unsigned Points = 1;
  std::vector<uint64_t> Sites;
  std::string Why;
};

/// A symbol whose value the recorder takes down. Exactly one of V and Block is
/// set.
struct SymbolLeaf {
  enum KindType { Given, Derived, Measured };
  uint64_t Id = 0;
  KindType Kind = Given;
  /// True: a value per task (execution of a region); false: one per program.
  bool PerTask = false;
  /// Integer-typed argument or instruction: record the value each time it is
  /// defined (arguments: at entry). Sign-extend if Signed, else zero-extend.
  /// A block operation: the 64-byte lines it touches, summed over the task;
  /// OfSource: where it copies from, else where to.
  llvm::Value *V = nullptr;
  bool OfSource = false;
  bool Signed = true;
  /// The value is the number of its executions within the task. A loop's header
  /// (whose test may leave the loop at once), or any other block.
  llvm::BasicBlock *Block = nullptr;
  /// Calls may leave the loops around Block for a function above.
  bool LeftByCalls = false;
  /// Function that holds V or Block.
  llvm::Function *F = nullptr;
  std::string Name; // "function:expression"
};

/// How one region walks one object.
struct AccessRow {
  uint64_t Region = 0;
  std::vector<uint64_t> Sites; // sorted; empty: not found, Why says so
  /// Of those with contexts, only instances with these.
  std::vector<uint64_t> Contexts;
  /// Ranges of the sites that it keeps to; empty: it may go anywhere.
  std::vector<uint64_t> Ranges;
  AccessClass Class = AccessClass::Unknown;
  std::optional<int64_t> Stride;
  uint64_t ElementBytes = 0;
  CountRef StrideBy; // Stride where it is no constant; may be null
  std::optional<unsigned> Points, Dimensions;
  bool Dependent = false;
  CountRef Reads, Writes;
  /// Read-modify-writes: one of Reads and one of Writes each.
  CountRef Atomics;
  /// Of Reads and Writes, those behind a condition.
  CountRef Conditional;
  /// How often loops that do not move it come back to an element; null: not,
  /// or other than a fixed number of times.
  CountRef Reuse;
  /// Elements in a row until it goes on elsewhere; null: it does not, or after
  /// no fixed number.
  CountRef Run;
  /// Block operations of more than a line: how the blocks move from one
  /// operation to the next, where they do not go on where the last one ended;
  /// their bytes, and from block to block (may be null). Of other accesses the
  /// same of runs that begin where data say.
  std::optional<AccessClass> Blocks;
  CountRef BlockBytes, BlockStride;
  /// Whose elements are the index of a gather or scatter; sorted.
  std::vector<uint64_t> IndexSites;
  bool Exact = true;
  /// Loads and stores that it stands for.
  uint64_t Places = 0;
  /// The function of a library that makes its accesses; empty: the program.
  std::string Library;
  std::string At, Why;
  /// Where At is, for remarks; null: nowhere in particular.
  const llvm::DILocation *Place = nullptr;
};

/// A symbol as facts.json shows it.
struct SymbolRow {
  uint64_t Id = 0;
  std::string Name;
  SymbolLeaf::KindType Kind = SymbolLeaf::Given;
  bool PerTask = false;
  std::string At;
  CountRef ScalesWith; // may be null
  /// What it is in terms of other symbols; may be null.
  CountRef Value;
  /// Formulas hold where it is 0 or more.
  bool NotBelow0 = false;
};

struct SiteRow {
  SiteInfo Info;
  CountRef Size; // may be null
  /// A wrapper's call, inlined into callers that ask for different sizes: the
  /// distinct ones, in order of the code. Size is null then.
  std::vector<CountRef> Sizes;
  std::optional<uint64_t> ElementBytes;
  /// Elided: the optimiser has removed it. Unlinked: its unit is no part of the
  /// program. Dead: nothing calls it, or nothing touches what it makes.
  enum StateType { Elided, Unlinked, Dead, Live } State = Elided;
  /// Context -> the calls that make it, innermost first, and the size there.
  struct Caller {
    std::vector<std::string> Calls;
    CountRef Size; // may be null
  };
  std::map<uint64_t, Caller> Contexts;
  /// What the program carves from a block, and accesses apart.
  struct Range {
    uint64_t Id = 0;
    std::string At;        // where the pointer to it is made
    CountRef Offset, Size; // bytes; may be null
  };
  std::vector<Range> Ranges;
};

/// A pointer to \p To lies \p Offset bytes into \p From; no offset: anywhere.
struct PointerRow {
  std::string From, To; // "malloc a.c:3:12", "variable main:p", ...
  std::optional<int64_t> Offset;
};

struct EkAccessResult {
  // Keyed by IR, for the recorder. Valid until the module changes.
  llvm::MapVector<llvm::Instruction *, AccessInfo> Accesses;
  std::vector<SymbolLeaf> Symbols; // sorted by (Id, position); ids may repeat
  /// Outlined parallel bodies, task entries, and main (kind "serial").
  llvm::MapVector<llvm::Function *, RegionInfo> Regions;
  llvm::MapVector<llvm::CallBase *, SiteInfo> Sites;
  llvm::MapVector<llvm::GlobalVariable *, SiteInfo> GlobalSites;
  /// Large arrays on the stack, and those of a size that only the run tells.
  llvm::MapVector<llvm::AllocaInst *, SiteInfo> StackSites;
  /// Kind "parallel" sits on __kmpc_fork_call: the wait ends as it returns.
  llvm::MapVector<llvm::CallBase *, SyncInfo> Syncs;

  // Keyed by id, for facts.json and the printers; sorted.
  std::vector<std::string> Units;
  std::vector<SiteRow> SiteRows;
  std::vector<RegionInfo> RegionRows;
  std::vector<SyncInfo> SyncRows;
  std::vector<SymbolRow> SymbolRows;
  std::vector<AccessRow> Rows;
  std::vector<PointerRow> Pointers;
  std::map<std::string, uint64_t> GiveUps; // reason -> number

  bool invalidate(llvm::Module &, const llvm::PreservedAnalyses &PA,
                  llvm::ModuleAnalysisManager::Invalidator &);
};

} // namespace evenkeel

#endif
