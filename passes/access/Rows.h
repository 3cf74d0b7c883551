//===- Rows.h - result of the module analysis -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the result of the analysis, in two halves. The first is keyed by IR,
// for the recorder's instrumentation: class per access, symbols to record, ids
// of regions, sites and sync points. The second is the content of facts.json,
// keyed by ids.
// Not here: the analysis (Access.h), writing files (facts/Emit.h).
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

/// How a loop nest walks an object: the access classes of
/// docs/explanation/analysis.md.
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
  /// The address depends on a value loaded in the previous iteration (chase),
  /// so misses cannot overlap.
  bool Dependent = false;
  /// Access size; 64 for memory intrinsics, which count in cache lines.
  uint64_t ElementBytes = 0;
  bool Reads = false, Writes = false;
  /// The same as in its row (AccessRow).
  std::optional<int64_t> Stride;
  unsigned Points = 1;
  std::vector<uint64_t> Sites;
  std::string Why;
};

/// A symbol whose value the recorder records. Exactly one of V and Block is
/// set.
struct SymbolLeaf {
  enum KindType { Given, Derived, Measured };
  uint64_t Id = 0;
  KindType Kind = Given;
  /// True: one value per task (execution of a region); false: one per program.
  bool PerTask = false;
  /// Integer-typed argument or instruction: record the value at each definition
  /// (arguments: at entry), sign-extended if Signed, else zero-extended. A
  /// block operation: the 64-byte lines that it touches, summed over the task;
  /// OfSource: of the source, else of the target.
  llvm::Value *V = nullptr;
  bool OfSource = false;
  bool Signed = true;
  /// The value is the number of executions of this block within the task: a
  /// loop's header (whose test may leave the loop at once) or any other block.
  llvm::BasicBlock *Block = nullptr;
  /// Calls may leave the loops around Block and continue in a caller.
  bool LeftByCalls = false;
  /// The function that contains V or Block.
  llvm::Function *F = nullptr;
  std::string Name; // "function:expression"
};

/// The rows of an object from which an index selects: a gather, a scatter, a
/// hash table.
struct RowTable {
  CountRef RowBytes; // null: not known, for the reason Why
  std::string Why;
  /// Each index is an element of another object, as it is stored there, so that
  /// rows can be renumbered; else some are computed.
  bool Loaded = false;
  std::vector<uint64_t> IndexSites; // of what the indices are made of; sorted
};

/// How one region walks one object.
struct AccessRow {
  uint64_t Region = 0;
  std::vector<uint64_t> Sites; // sorted; empty: not found, for the reason in
                               // Why
  /// If a site has contexts, only its instances with these contexts.
  std::vector<uint64_t> Contexts;
  /// The ranges of the sites to which accesses are confined; empty: the whole
  /// object.
  std::vector<uint64_t> Ranges;
  AccessClass Class = AccessClass::Unknown;
  std::optional<int64_t> Stride;
  uint64_t ElementBytes = 0;
  CountRef StrideBy; // Stride if it is not constant; may be null
  std::optional<unsigned> Points, Dimensions;
  bool Dependent = false;
  CountRef Reads, Writes;
  /// Read-modify-writes; each counts once in Reads and once in Writes.
  CountRef Atomics;
  /// The conditional ones among Reads and Writes.
  CountRef Conditional;
  /// How often each element is accessed again in loops that do not move the
  /// access; null: not at all, or no fixed number.
  CountRef Reuse;
  /// The number of consecutive elements before the access jumps; null: it does
  /// not jump, or after no fixed number.
  CountRef Run;
  /// For block operations of more than one line: how the block moves from one
  /// operation to the next, unless each continues where the last one ended; the
  /// block's size in bytes, and the distance between blocks (may be null). For
  /// other accesses: the same for runs that begin at places decided by data.
  std::optional<AccessClass> Blocks;
  CountRef BlockBytes, BlockStride;
  /// The sites whose elements are the indices of a gather or scatter; sorted.
  std::vector<uint64_t> IndexSites;
  /// If data select where accesses go on: how, each way once.
  std::vector<RowTable> Tables;
  bool Exact = true;
  /// The number of loads and stores in the row.
  uint64_t Places = 0;
  /// The library function that makes the accesses; empty: the program.
  std::string Library;
  std::string At, Why;
  /// The source location of At, for remarks; null: unknown.
  const llvm::DILocation *Place = nullptr;
};

/// Something that the program reads from outside, or a choice among several
/// such inputs.
struct InputRow {
  enum KindType {
    Argument,    // argument Index of the command line, from 1
    Operand,     // the argument at position Index, from 1, after options
    Option,      // the value of an option
    Count,       // the number of arguments, with the program's name
    Environment, // the variable Name
    File,        // read from the file Of or, if that is empty, Name
    FileSize,    // the size of that file
    First        // the first of Of that has a value
  } Kind = Argument;
  uint64_t Id = 0;
  int64_t Index = 0;
  /// Option: its names with dashes; the value is the next argument (Next),
  /// follows in the same one (Joined), or is where getopt finds it.
  std::vector<std::string> Names;
  enum FormType { Next, Joined, GetOpt } Form = Next;
  /// Option, Operand: getopt's letters, and its long names ("size" or, with a
  /// value, "size:").
  std::string Letters;
  std::vector<std::string> LongNames;
  std::string Name;
  /// Characters in front of the value; -1: up to the first '='.
  int64_t Skip = 0;
  std::string Convert; // integer, number, text, scan, equals, equals-any-case
  int Base = 10;       // integer; 0: as in C
  std::string Format;  // scan: as for scanf; equals: the text to compare with
  unsigned Field = 0;  // scan, file: number of the value, from 0
  std::vector<CountRef> Of;
  std::string At; // where it is converted
};

/// A symbol as in facts.json.
struct SymbolRow {
  uint64_t Id = 0;
  std::string Name;
  SymbolLeaf::KindType Kind = SymbolLeaf::Given;
  bool PerTask = false;
  std::string At;
  CountRef ScalesWith; // may be null
  /// Its formula in terms of other symbols; may be null.
  CountRef Value;
  /// Its value as an expression over inputs; may be null.
  CountRef Input;
  /// Formulas with it hold only if it is 0 or more.
  bool NotBelow0 = false;
  /// The id under which annotated sources hand its value to the runtime before
  /// a region (that of the variable's first value) or, a loop's total, compiled
  /// code after it. 0: regions do not capture it, or it has no plain name.
  uint64_t HandedAs = 0;
};

struct SiteRow {
  SiteInfo Info;
  CountRef Size; // may be null
  /// If a wrapper's call is inlined into callers that request different sizes:
  /// the distinct sizes, in code order. Size is null then.
  std::vector<CountRef> Sizes;
  std::optional<uint64_t> ElementBytes;
  /// Elided: the optimiser has removed it. Unlinked: its unit is not part of
  /// the program. Dead: it is never called, or its objects are never accessed.
  enum StateType { Elided, Unlinked, Dead, Live } State = Elided;
  /// Context -> the calls that form it, innermost first, and the size there.
  struct Caller {
    std::vector<std::string> Calls;
    CountRef Size; // may be null
  };
  std::map<uint64_t, Caller> Contexts;
  /// A range that the program carves from a block and accesses separately.
  struct Range {
    uint64_t Id = 0;
    std::string At;        // where the pointer to it is computed
    CountRef Offset, Size; // bytes; may be null
  };
  std::vector<Range> Ranges;
  /// From all accesses with an index.
  std::optional<RowTable> Table;
};

/// A pointer to \p To is stored at byte \p Offset of \p From; no offset:
/// anywhere.
struct PointerRow {
  std::string From, To; // "malloc a.c:3:12", "variable main:p", ...
  std::optional<int64_t> Offset;
};

struct EkAccessResult {
  // Keyed by IR, for the recorder. Valid until the module changes.
  llvm::MapVector<llvm::Instruction *, AccessInfo> Accesses;
  std::vector<SymbolLeaf> Symbols; // sorted by (Id, position); ids may repeat
  /// Outlined parallel bodies, task entries, and main.
  llvm::MapVector<llvm::Function *, RegionInfo> Regions;
  llvm::MapVector<llvm::CallBase *, SiteInfo> Sites;
  llvm::MapVector<llvm::GlobalVariable *, SiteInfo> GlobalSites;
  /// Large arrays on the stack, and arrays whose size is known only at run
  /// time.
  llvm::MapVector<llvm::AllocaInst *, SiteInfo> StackSites;
  /// Kind "parallel" is stored at __kmpc_fork_call: the wait ends when it
  /// returns.
  llvm::MapVector<llvm::CallBase *, SyncInfo> Syncs;

  // Keyed by id, for facts.json and the printers; sorted.
  std::vector<std::string> Units;
  std::vector<SiteRow> SiteRows;
  std::vector<RegionInfo> RegionRows;
  std::vector<SyncInfo> SyncRows;
  std::vector<SymbolRow> SymbolRows;
  std::vector<InputRow> InputRows;
  std::vector<AccessRow> Rows;
  std::vector<PointerRow> Pointers;
  std::map<std::string, uint64_t> GiveUps; // reason -> number

  bool invalidate(llvm::Module &, const llvm::PreservedAnalyses &PA,
                  llvm::ModuleAnalysisManager::Invalidator &);
};

} // namespace evenkeel

#endif
