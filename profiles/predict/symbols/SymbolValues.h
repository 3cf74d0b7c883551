//===- SymbolValues.h - the first stage: values of symbols ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what people say of the target (--for), what hooks saw of it, and how
// symbols hang together: by definitions in the code, by names, by values on the
// base input.
// Makes: the values that symbols have on the target. What a symbol without any
// is taken to be, Evaluate.h says.
// Leaves out: values that sizes tell (sizes/SizedSymbols.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_SYMBOLVALUES_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_SYMBOLVALUES_H

#include "Definitions.h"
#include "predict/base/Tables.h"
#include "predict/measured/Owners.h"
#include "problem/Request.h"
#include <memory>

namespace evenkeel {
namespace prediction {

/// Values of one symbol on the target.
struct TargetValues {
  std::unordered_map<uint32_t, double> PerIndex; // by task index (--for X@T)
  std::optional<double> Program;
  bool Inherited = false;
  bool Sized = false;
  bool Scaled = false; // as another that it goes with
  bool Partly = false; // follows from given values and from kept ones

  bool operator==(const TargetValues &O) const {
    return PerIndex == O.PerIndex && Program == O.Program &&
           Inherited == O.Inherited && Sized == O.Sized && Scaled == O.Scaled &&
           Partly == O.Partly;
  }
};
using ValuesBySymbol = std::unordered_map<uint64_t, TargetValues>;

/// By (symbol, phase); EK_NO_TASK: of the whole program.
using SeenBySymbol = std::map<std::pair<uint64_t, uint32_t>, double>;

/// Values that hooks saw.
struct SeenValues {
  SeenBySymbol All;
  /// Of the values that single phases had, one symbol's.
  struct OfPhases {
    std::map<uint32_t, double> Seen;
    std::map<uint32_t, uint32_t> OfKind; // the last phase seen of each kind
    /// Over the base's, if it is the same in all phases seen (SeenGrowth.cpp).
    std::optional<double> Growth;
  };
  std::unordered_map<uint64_t, OfPhases> ByPhase;
};

/// What is known of all symbols on the target.
struct SymbolValues {
  ValuesBySymbol Of;
  /// By loop total: the symbol whose value the total is, over a phase's tasks.
  std::unordered_map<uint64_t, uint64_t> TotalOf;
  std::shared_ptr<const SeenValues> Seen = std::make_shared<SeenValues>();
  Owners Who;              // has whose objects on the target
  bool FromPeople = false; // some value was given
  bool KnowsSizes = false; // of instances of the target

  /// Whether the target may be another input than the base.
  bool knowsTarget() const { return !Of.empty() || KnowsSizes; }
  /// The thread of the target that has what was \p Index's own.
  uint32_t ownerNow(uint32_t Index) const {
    auto Other = Who.Now.find(Index);
    return Other == Who.Now.end() ? Index : Other->second;
  }
};

/// Values that people gave: NAME=VALUE and NAME@TASK=VALUE. Names may be short
/// where that is unique, or where all that share one had the same value on the
/// base input.
Expected<ValuesBySymbol> readGiven(const BaseTables &Base,
                                   const std::vector<Given> &For);

/// Those of \p Symbols that say something: a value of the whole program that is
/// the base's as well says nothing, unless people gave another.
SeenBySymbol readSeen(const BaseTables &Base, const ValuesBySymbol &FromPeople,
                      const std::vector<KnownSymbol> &Symbols);
SeenValues makeSeenValues(const BaseTables &Base, SeenBySymbol All,
                          const Rules &Use);

/// What is given and seen, and what follows from it. \p Seen is not null.
SymbolValues givenValues(const BaseTables &Base, const Definitions &Defined,
                         const ValuesBySymbol &FromPeople,
                         std::shared_ptr<const SeenValues> Seen,
                         const Rules &Use);

// Rules. Each adds values that its rule tells to those that are known.

void addNamesakes(const BaseTables &Base, ValuesBySymbol &Known);
void addLikeTotals(const BaseTables &Base, ValuesBySymbol &Known);
/// Of loop totals of which nothing else tells.
void addAlikeTotals(const BaseTables &Base, SymbolValues &Known);
/// SymbolValues::TotalOf.
std::unordered_map<uint64_t, uint64_t> dealtTotals(const BaseTables &Base,
                                                   const ValuesBySymbol &Known);
/// SeenValues::OfPhases::Growth.
std::optional<double> seenGrowth(const BaseTables &Base, uint64_t Symbol,
                                 const std::map<uint32_t, double> &Seen);

} // namespace prediction
} // namespace evenkeel

#endif
