//===- Facts.h - facts.json: results of the analysis ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the in-memory form of `facts.json` ("evenkeel.facts/1"), its reader
// and its writer. Everything is sorted by (coordinate, id); no absolute paths.
// Not here: measured values (Profile.h) and decisions (Plan.h).
//
//   {"schema": "evenkeel.facts/1",
//    "units": ["src/a.c", ...],
//    "sites":   [{"id","kind","at":"path:line:col","function","size":EXPR|null,
//                 "sizes":[EXPR,..]
//                 (optional),"contexts":[{"id","calls":["path:line:col",..],
//                 "size":EXPR|null},..]
//                 (optional),"ranges":[{"id","at","offset":EXPR|null,
//                 "size":EXPR|null},..]
//                 (optional),"element_bytes":N|null,"state":
//                 "live"|"elided"|"dead"|"unlinked"}],
//    "regions": [{"id","kind":"parallel"|"task"|"serial","at","function",
//                 "places":{"all":N, "stack":N, ...} (optional)}],
//    "syncs":   [{"id","kind","at","function","context":"serial"|"team"}],
//    "symbols": [{"id","name":"function:expression","kind":"given"|"derived"|
//                 "measured","scope":"program"|"task","at",
//                 "scales_with":EXPR|null,"value":EXPR|null,"least":0
//                 (optional),"input":EXPR (optional)}],
//    "inputs":  [..] (optional; InputFacts.h),
//    "accesses":[{"region","sites":["id",..],"class","stride":BYTES|null,
//                 "element_bytes","points":N|null,"dependent":bool,
//                 "reads":EXPR,"writes":EXPR,"exact":bool,"at",
//                 "why":"reason"|null}],
//    "giveups": {"reason": N, ...}}
// An access may have "contexts": ["id", ..], "stride_formula": EXPR,
// "dimensions": N, "atomics": EXPR, "conditional": EXPR, "reuse": EXPR,
// "run": EXPR, "index_sites": ["id", ..], "places": N, "library": "function",
// "blocks": "class", "block_bytes": EXPR, "block_stride": EXPR (for blocks that
// are copied, and runs that begin where data say: how they lie) and
// "ranges": ["id", ..], of those of its sites. A site may have "table":
// {"row_bytes":EXPR|null,"index":"loaded"|"computed","index_sites":["id", ..],
// "why":"reason"|null}.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_FACTS_H
#define EVENKEEL_PROFILES_FORMAT_FACTS_H

#include "Error.h"
#include "format/expr/Expr.h"
#include "format/inputs/InputFacts.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace evenkeel {

/// File, line and column; compares lines as numbers.
using Coordinate = std::tuple<std::string, unsigned long, unsigned long>;
/// The parts of "src/a.c:12:3"; for other text, the text and zeros.
Coordinate coordinateOf(const std::string &At);

struct SiteFact {
  uint64_t Id = 0;
  std::string Kind; // malloc, calloc, realloc, aligned_alloc, posix_memalign,
                    // new, new[], global, static, wrapper, ...
  std::string At;   // path:line:col
  std::string Function;
  ExprRef Size;               // bytes of one instance; may be null
  std::vector<ExprRef> Sizes; // if callers of a wrapper pass several sizes
  std::optional<uint64_t> ElementBytes; // if the type is known
  /// Calls of allocation wrappers through which blocks of this site are
  /// allocated.
  struct Caller {
    uint64_t Id = 0;                // the context's id at run time
    std::vector<std::string> Calls; // path:line:col, innermost first
    ExprRef Size;                   // may be null
  };
  std::vector<Caller> Contexts; // sorted by id
  /// Arrays that the program places in one block and accesses separately.
  struct Range {
    uint64_t Id = 0;
    std::string At;       // where the pointer to it is computed
    ExprRef Offset, Size; // bytes; may be null
  };
  std::vector<Range> Ranges;
  /// An object from which indices select rows: gathers, scatters, hash tables.
  struct Table {
    ExprRef RowBytes; // null: not known, for the reason Why
    /// Indices are elements of other objects as they are stored, so that rows
    /// can be renumbered; false: some are computed.
    bool Loaded = false;
    std::vector<uint64_t> IndexSites; // what indices are made of; sorted
    std::string Why;
  };
  std::optional<Table> Rows;
  std::string State = "live"; // live, elided, dead, unlinked

  bool isLive() const { return State == "live"; }
  bool onStack() const { return Kind == "stack" || Kind == "alloca"; }
  bool isStatic() const { return Kind == "global" || Kind == "static"; }
};

struct RegionFact {
  uint64_t Id = 0;
  std::string Kind; // parallel, task, serial
  std::string At, Function;
  /// Loads and stores in the region's code: "all", and the number without a row
  /// for each kind of memory ("stack", "small-static", ...). Empty: not
  /// counted.
  std::map<std::string, uint64_t> Places{};

  bool isSerial() const { return Kind == "serial"; }
};

struct SyncFact {
  uint64_t Id = 0;
  std::string Kind; // barrier, for, sections, single, parallel, taskwait, ...
  std::string At, Function;
  std::string Context; // serial, team
};

struct SymbolFact {
  enum KindType : uint8_t { Given, Derived, Measured };
  enum ScopeType : uint8_t {
    Task,
    Program
  }; // has a value of each task, or one
  uint64_t Id = 0;
  std::string Name; // function:expression
  KindType Kind = Given;
  ScopeType Scope = Task;
  std::string At;
  /// If a measured symbol has no value for the target, it is assumed to grow
  /// like this expression: X' = X * E(target) / E(base). May be null.
  ExprRef ScalesWith;
  /// The symbol in terms of other symbols, according to the code; used only if
  /// the base profile agrees. May be null.
  ExprRef Value;
  /// Formulas with this symbol hold for values from this one up.
  std::optional<int64_t> Least{};
  /// The id under which annotated sources hand its value to the runtime before
  /// its region or (Measured) compiled code a loop's total after it; 0:
  /// neither.
  uint64_t HandedAs = 0;
  /// The symbol's value over the program's inputs, according to the code; used
  /// only if the base run agrees. Its symbols are ids of inputs. May be null.
  ExprRef Input{};
};

/// How one region walks one object (or several that cannot be distinguished).
struct AccessFact {
  enum ClassType : uint8_t {
    Unknown,
    Stream,
    Strided,
    Stencil,
    Random,
    Chase,
    Invariant
  };
  uint64_t Region = 0;
  std::vector<uint64_t> Sites; // sorted; empty: object not found (see Why)
  /// Only blocks with these contexts; empty: all.
  std::vector<uint64_t> Contexts;
  /// Only these ranges; empty: the whole object.
  std::vector<uint64_t> Ranges;
  ClassType Class = Unknown;
  /// Bytes between consecutive accesses. Random: only for a gather whose index
  /// array holds even steps.
  std::optional<int64_t> Stride;
  uint64_t ElementBytes = 0;
  ExprRef StrideFormula;              // bytes, if not constant; may be null
  std::optional<unsigned> Points;     // stencil: number of points
  std::optional<unsigned> Dimensions; // stencil: dimensions of its points
  bool Dependent = false; // the address depends on the last load (chase)
  ExprRef Reads, Writes;  // accesses of ONE task; never null
  /// Read-modify-writes, each counted in Reads and in Writes; null: none.
  ExprRef Atomics;
  ExprRef
      Conditional; // the part of Reads + Writes under a condition; null: none
  /// Trip count of loops that access the same elements again; null: none, or
  /// not the same for all elements.
  ExprRef Reuse;
  /// Number of consecutive elements before the access continues elsewhere;
  /// null: it does not, or the number varies.
  ExprRef Run;
  /// Block operations of more than a line: how blocks follow each other
  /// (Strided, Random, Chase; none: consecutive or unknown), their size, and
  /// the distance between them.
  std::optional<ClassType> Blocks;
  ExprRef BlockBytes, BlockStride; // may be null
  /// Gather, scatter: objects that contain the index; sorted.
  std::vector<uint64_t> IndexSites;
  uint64_t Places = 0; // number of loads and stores in the code
  std::string Library; // library function that makes the access, or empty
  bool Exact = true;   // false: upper bound or estimate, see Why
  std::string At;      // place of the first such access
  std::string Why;     // reason if class or count is not certain
};

/// As in facts.json.
const char *text(AccessFact::ClassType C);
const char *text(SymbolFact::KindType K);

/// Whether an access walks through an object line by line in address order.
bool isInOrder(const AccessFact &A);

struct Facts {
  std::vector<std::string> Units;
  std::vector<SiteFact> Sites;
  std::vector<RegionFact> Regions;
  std::vector<SyncFact> Syncs;
  std::vector<SymbolFact> Symbols;
  std::vector<InputFact> Inputs;
  std::vector<AccessFact> Accesses;
  std::map<std::string, uint64_t> GiveUps;

  const SiteFact *site(uint64_t Id) const;
  const RegionFact *region(uint64_t Id) const;
  const SymbolFact *symbol(uint64_t Id) const;
  /// By full name, or by the part after ':' if that is unique.
  Expected<const SymbolFact *> symbolByName(const std::string &Name) const;
};

/// Errors: unknown majors, wrong fields. Unknown fields are ignored.
Expected<Facts> readFacts(const std::string &Path);
/// The same for parsed JSON; \p Path appears in errors.
Expected<Facts> factsFromJson(const nlohmann::json &J, const std::string &Path);
/// Deterministic: sorts first.
std::string factsToJson(Facts F);

} // namespace evenkeel

#endif
