//===- Facts.h - facts.json: what the compiler pass found -------*- C++ -*-===//
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
//                 (optional)}],
//    "accesses":[{"region","sites":["id",..],"class","stride":BYTES|null,
//                 "element_bytes","points":N|null,"dependent":bool,
//                 "reads":EXPR,"writes":EXPR,"exact":bool,"at",
//                 "why":"reason"|null}],
//    "giveups": {"reason": N, ...}}
// An access may have "contexts": ["id", ..], "stride_formula": EXPR,
// "dimensions": N, "atomics": EXPR, "conditional": EXPR, "reuse": EXPR,
// "run": EXPR, "index_sites": ["id", ..], "places": N, "library": "function",
// "blocks": "class", "block_bytes": EXPR, "block_stride": EXPR (how what is
// gone over in order lies: blocks that are copied, runs that begin where data
// say) and "ranges": ["id", ..], of those of its sites.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_FACTS_H
#define EVENKEEL_PROFILES_FORMAT_FACTS_H

#include "Error.h"
#include "format/expr/Expr.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace evenkeel {

/// File, line and column, to be compared: line 9 comes before line 10.
using Coordinate = std::tuple<std::string, unsigned long, unsigned long>;
/// Of "src/a.c:12:3"; what is no such place comes back whole, with zeros.
Coordinate coordinateOf(const std::string &At);

struct SiteFact {
  uint64_t Id = 0;
  std::string Kind; // malloc, calloc, realloc, aligned_alloc, posix_memalign,
                    // new, new[], global, static, wrapper, ...
  std::string At;   // path:line:col
  std::string Function;
  ExprRef Size;               // bytes of one instance; may be null
  std::vector<ExprRef> Sizes; // where callers of a wrapper ask for several
  std::optional<uint64_t> ElementBytes; // where the type is known
  /// Calls of allocation wrappers that make the blocks of this site.
  struct Caller {
    uint64_t Id = 0;                // as the run time forms it
    std::vector<std::string> Calls; // path:line:col, innermost first
    ExprRef Size;                   // may be null
  };
  std::vector<Caller> Contexts; // sorted by id
  /// Arrays that the program carves from one block and accesses apart.
  struct Range {
    uint64_t Id = 0;
    std::string At;       // where the pointer to it is made
    ExprRef Offset, Size; // bytes; may be null
  };
  std::vector<Range> Ranges;
  std::string State = "live";
};

struct RegionFact {
  uint64_t Id = 0;
  std::string Kind; // parallel, task, serial
  std::string At, Function;
  /// Loads and stores in its code: "all", and of those in no row as many as
  /// touch memory of each kind ("stack", "small-static", ...). Empty: not told.
  std::map<std::string, uint64_t> Places{};
};

struct SyncFact {
  uint64_t Id = 0;
  std::string Kind; // barrier, for, sections, single, parallel, taskwait, ...
  std::string At, Function;
  std::string Context; // serial, team
};

struct SymbolFact {
  uint64_t Id = 0;
  std::string Name;  // function:expression
  std::string Kind;  // given, derived, measured
  std::string Scope; // program: one value; task: a value per task
  std::string At;
  /// Without a value for the target, a measured symbol is taken to grow like
  /// this expression: X' = X * E(target) / E(base). May be null.
  ExprRef ScalesWith;
  /// What it is in terms of other symbols, as the code says; to be believed
  /// only where the base profile bears it out. May be null.
  ExprRef Value;
  /// Formulas that mention it hold for values that are not below.
  std::optional<int64_t> Least{};
};

/// How one region walks one object (or one of several it cannot tell apart).
struct AccessFact {
  uint64_t Region = 0;
  std::vector<uint64_t> Sites; // sorted; empty: object not found (see Why)
  /// Of sites with contexts, only the blocks with these; empty: all.
  std::vector<uint64_t> Contexts;
  /// Of sites with ranges, only these; empty: from its beginning on, or all.
  std::vector<uint64_t> Ranges;
  std::string Class; // stream, strided, stencil, random, chase, invariant,
                     // unknown
  /// Bytes between consecutive accesses; random: of a gather whose index array
  /// holds even steps only.
  std::optional<int64_t> Stride;
  uint64_t ElementBytes = 0;
  ExprRef StrideFormula;              // bytes, where no constant; may be null
  std::optional<unsigned> Points;     // stencil: number of points
  std::optional<unsigned> Dimensions; // stencil: in which its points lie
  bool Dependent = false; // address comes from the last load (chase)
  ExprRef Reads, Writes;  // accesses of ONE task; never null
  /// Read-modify-writes, each one of Reads and one of Writes; null: none.
  ExprRef Atomics;
  ExprRef Conditional; // of Reads + Writes, behind a condition; null: none
  /// Rounds of loops that come back to the same elements; null: none, or
  /// another number for each element.
  ExprRef Reuse;
  /// Elements in a row until it goes on elsewhere; null: it does not, or after
  /// no fixed number.
  ExprRef Run;
  /// Block operations of more than a line: how blocks move from one operation
  /// to the next (strided, random, chase; empty: they go on where the last one
  /// ended, or it is not known); their bytes, and from one to the next.
  std::string Blocks;
  ExprRef BlockBytes, BlockStride; // may be null
  /// Gather, scatter: objects whose elements are the index; sorted.
  std::vector<uint64_t> IndexSites;
  uint64_t Places = 0; // loads and stores in the code that it stands for
  std::string Library; // function of a library that accesses; else empty
  bool Exact = true;   // false: upper bound or estimate, `Why` says which
  std::string At;      // coordinate of the first such access
  std::string Why;     // reason where class or count is not certain
};

/// Whether an access goes through an object in the order of its addresses, line
/// by line.
bool isInOrder(const AccessFact &A);

struct Facts {
  std::vector<std::string> Units;
  std::vector<SiteFact> Sites;
  std::vector<RegionFact> Regions;
  std::vector<SyncFact> Syncs;
  std::vector<SymbolFact> Symbols;
  std::vector<AccessFact> Accesses;
  std::map<std::string, uint64_t> GiveUps;

  const SiteFact *site(uint64_t Id) const;
  const RegionFact *region(uint64_t Id) const;
  const SymbolFact *symbol(uint64_t Id) const;
  /// By full name, or by the part after ':' where that is unique.
  Expected<const SymbolFact *> symbolByName(const std::string &Name) const;
};

/// Reads and checks; refuses unknown majors, ignores unknown fields.
Expected<Facts> readFacts(const std::string &Path);
/// The same from a parsed file; \p Path is named in errors.
Expected<Facts> factsFromJson(const nlohmann::json &J, const std::string &Path);
/// Deterministic text; sorts first.
std::string factsToJson(Facts F);

} // namespace evenkeel

#endif
