//===- Tables.h - the base run, by phase, task, symbol, access --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the rows of a base profile and the facts of its program.
// Makes: lookup tables for all stages of the prediction. Each is made once,
// from the profile, the facts and the tables before it, and does not change
// afterwards.
// Not here: the target; what tasks did to objects (Demands.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_TABLES_H
#define EVENKEEL_PROFILES_PREDICT_BASE_TABLES_H

#include "format/Facts.h"
#include "format/ek_sizes.h"
#include "format/profile/Profile.h"
#include "tuning/Tuning.h"
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace evenkeel {
namespace prediction {

/// The size of most elements in numerical code.
constexpr double WordBytes = 8;

/// The runtime places objects from this size on.
constexpr double LargeBytes = EK_LARGE_BYTES;

/// Phases of the base. In a folded base one of several equal phases has rows
/// and represents the others.
struct PhaseTable {
  std::vector<uint32_t> Like;     // by phase: the phase that represents it
  std::vector<uint32_t> LastLike; // the last phase that it represents, else 0
  std::vector<double> Times;      // the number of phases that it represents,
                                  // else 0
  std::vector<bool> Explicit;     // whether it has explicit tasks

  bool stands(uint32_t Phase) const { return Like[Phase] == Phase; }
  /// Whether the phase and all phases that it represents are before \p From.
  bool isOver(uint32_t Phase, uint32_t From) const {
    return LastLike[Phase] < From;
  }
};
PhaseTable makePhaseTable(const Profile &B);

/// Tasks of the base, by row of Profile.Tasks.
struct TaskTable {
  std::vector<uint32_t> Began; // the row where the task's execution began
  /// For explicit tasks: position among the phase's tasks of the region. A
  /// taskloop's iterations are distributed among them.
  std::vector<unsigned> Place;
  std::map<std::pair<uint32_t, uint64_t>, unsigned> Made; // phase, region
  /// Rows of threads' tasks by (phase, index).
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> OfThread;
  std::unordered_map<uint64_t, std::vector<uint32_t>> InRegion;
  std::unordered_map<uint32_t, std::vector<uint32_t>> InPhase;
  std::vector<uint32_t> InOrder; // rows, phase by phase
};
TaskTable makeTaskTable(const Profile &B);

/// The rank of \p Task, in a program of several ranks.
uint32_t rankOf(const Profile &B, uint32_t Task);

/// Values of one symbol on the base input.
struct BaseValues {
  const SymbolFact *Fact = nullptr;
  std::unordered_map<uint32_t, double> PerTask; // by row of Profile.Tasks
  std::set<uint32_t> Indices; // of tasks with a value, in any phase
  bool Reported = false;      // the program could report it
  std::optional<double> Program;
  std::map<uint32_t, double> PerRank; // per-program values, if ranks differ
  bool OneValue = true;               // every recorded value is the same
  /// Threads of one team, or ranks, had different values, and not only because
  /// their own numbers differ.
  bool Differs = false;
  std::optional<double> First;

  bool isMeasured() const { return Fact && Fact->Kind == SymbolFact::Measured; }
};
using BaseSymbols = std::unordered_map<uint64_t, BaseValues>;
BaseSymbols makeBaseSymbols(const Facts &F, const Profile &B);

/// Whether the symbol is the rank's own number.
bool isRankNumber(const Profile &B, const BaseValues &V);

/// One of the expressions of an access.
enum class CountOf { Reads, Writes, Run };
constexpr unsigned CountsOfAccess = 3;
const ExprRef &exprOf(const AccessFact &A, CountOf Which);

/// Accesses of the facts.
struct AccessTable {
  using Key = std::pair<uint64_t, uint64_t>; // region, site
  std::map<Key, std::vector<const AccessFact *>> Of;
  std::map<uint64_t, std::vector<const AccessFact *>> In; // by region
  std::unordered_map<const AccessFact *, size_t> PlaceOf; // within In
  /// By symbol: the regions whose counts depend on it, directly or because one
  /// of their symbols scales with it.
  std::unordered_map<uint64_t, std::set<uint64_t>> RegionsWith;

  /// The accesses of \p Region to objects of \p Site; null: none.
  const std::vector<const AccessFact *> *find(uint64_t Region,
                                              uint64_t Site) const {
    auto It = Of.find({Region, Site});
    return It == Of.end() ? nullptr : &It->second;
  }
};
AccessTable makeAccessTable(const Facts &F);

/// Kinds of team phases, by the values passed to their tasks (PhaseKinds.cpp).
struct PhaseKinds {
  std::vector<uint32_t> Of;     // by phase, as PredictedPhase::Kind
  std::vector<bool> TakesTurns; // similar phases are of other kinds
};
PhaseKinds makePhaseKinds(const Profile &B, const PhaseTable &Phases,
                          const BaseSymbols &Symbols, const Rules &Use);

struct BaseTables {
  const Facts &F;
  const Profile &B;
  PhaseTable Phases;
  TaskTable Tasks;
  BaseSymbols Symbols;
  AccessTable Accesses;
  PhaseKinds Kinds;

  /// The number of target phases that row \p Task represents.
  double times(uint32_t Task) const {
    return Phases.Times[B.Tasks[Task].phase];
  }
  /// The accesses of the region of \p Task to objects of the site of \p Inst;
  /// null: none.
  const std::vector<const AccessFact *> *accesses(uint32_t Task,
                                                  uint32_t Inst) const {
    return Accesses.find(B.Tasks[Task].region, B.Instances[Inst].site);
  }
};
/// \p F and \p B must outlive the tables.
BaseTables makeBaseTables(const Facts &F, const Profile &B, const Rules &Use);

} // namespace prediction
} // namespace evenkeel

#endif
