//===- Owners.cpp - threads that own data on the target -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Owners.h. An object is a thread's own in a phase if that thread made
// nearly all accesses to it on the base input. If nearly all samples of a
// thread's own objects now come from another thread, and these threads form a
// permutation, the demands on all objects that are some thread's own in some
// phase (in an exchange of edges, also the neighbours') are permuted in all
// phases, and with them the core time of these accesses.
//===----------------------------------------------------------------------===//
#include "Owners.h"
#include "Samples.h"
#include "models/Phase.h"
#include "tuning/Tuning.h"

using namespace evenkeel;

namespace {

using Where = std::pair<uint32_t, uint32_t>; // phase, instance

/// Numbers by thread.
using ByThread = std::map<uint32_t, double>;

/// The thread that has nearly all of \p N.
std::optional<uint32_t> most(const ByThread &N) {
  double All = 0, Most = 0;
  uint32_t Best = 0;
  for (auto [Thread, Number] : N) {
    All += Number;
    if (Number > Most) {
      Most = Number;
      Best = Thread;
    }
  }
  return All > 0 && Most >= figures().NearlyAll * All ? std::optional(Best)
                                                      : std::nullopt;
}

class Finder {
  const Problem &P;
  const PlanRequest &R;
  std::map<Where, uint32_t> OwnerOf; // on the base input
  Owners Out;

  void readBase() {
    // Take teams from the base: finished phases have no tasks in P.
    std::vector<unsigned> Threads(R.Base->Phases.size());
    std::vector<bool> Explicit(R.Base->Phases.size());
    for (const ek_raw_task &T : R.Base->Tasks) {
      Explicit[T.phase] = Explicit[T.phase] || T.flags & 1;
      ++Threads[T.phase];
    }
    std::map<Where, ByThread> Accesses;
    for (const ek_raw_access &A : R.Base->Accesses) {
      const ek_raw_task &T = R.Base->Tasks[A.task];
      if (Threads[T.phase] > 1 && !Explicit[T.phase])
        Accesses[{T.phase, A.inst}][T.index] +=
            static_cast<double>(A.reads + A.writes);
    }
    for (const auto &[At, N] : Accesses)
      if (std::optional<uint32_t> Thread = most(N)) {
        OwnerOf[At] = *Thread;
        Out.Objects.insert(At.second);
      }
  }

  void readSamples() {
    const InstanceNumbers Index = instanceNumbers(P);
    std::map<uint32_t, ByThread> Seen; // by owner on the base input
    for (const MeasuredPhase &H : R.Measured)
      for (const SampledStalls &L : H.Stalls) {
        auto I = Index.find(keyOf(L.Of));
        auto Owner = I == Index.end() ? OwnerOf.end()
                                      : OwnerOf.find({H.Phase, I->second});
        if (Owner != OwnerOf.end())
          Seen[Owner->second][L.Task] += L.Samples;
      }
    std::set<uint32_t> From, To;
    for (const auto &[Owner, N] : Seen) {
      double All = 0;
      for (auto [Thread, Number] : N)
        All += Number;
      const std::optional<uint32_t> Thread = most(N);
      if (All < figures().OwnerSamples || !Thread || *Thread == Owner)
        continue;
      Out.Now[Owner] = *Thread;
      From.insert(Owner);
      To.insert(*Thread);
    }
    if (From != To)
      Out.Now.clear();
  }

public:
  Finder(const Problem &P, const PlanRequest &R) : P(P), R(R) {}

  Owners run() {
    if (anySamples(R)) {
      readBase();
      readSamples();
    }
    return std::move(Out);
  }
};

/// Reassigns own objects in \p H to their current threads; returns the number
/// of such objects.
unsigned deal(PredictedPhase &H, const Owners &Who) {
  unsigned Given = 0;
  std::map<uint32_t, size_t> At; // by thread
  for (size_t T = 0; T < H.Tasks.size(); ++T)
    At[H.Tasks[T].Index] = T;
  if (At.size() != H.Tasks.size())
    return 0; // more than one of a thread
  std::vector<PredictedTask> Dealt = H.Tasks;
  for (PredictedTask &T : Dealt) {
    T.Demand.Units.clear();
    T.Estimates.clear();
    T.Demand.CoreSeconds = T.Accesses = 0;
  }
  for (const PredictedTask &T : H.Tasks) {
    auto Other = Who.Now.find(T.Index);
    auto To = Other == Who.Now.end() ? At.end() : At.find(Other->second);
    PredictedTask &Self = Dealt[At[T.Index]];
    PredictedTask &Taker = To == At.end() ? Self : Dealt[To->second];
    std::set<uint32_t> Own; // objects that are reassigned
    double All = 0, Gone = 0;
    for (const Estimate &E : T.Estimates) {
      const bool Goes = &Taker != &Self && Who.Objects.count(E.Instance);
      All += E.Accesses;
      if (Goes) {
        Gone += E.Accesses;
        Own.insert(E.Instance);
        ++Given;
      }
      PredictedTask &X = Goes ? Taker : Self;
      X.Estimates.push_back(E);
      X.Accesses += E.Accesses;
    }
    for (const UnitDemand &U : T.Demand.Units)
      (Own.count(U.Object) ? Taker : Self).Demand.Units.push_back(U);
    const double Part = All > 0 ? Gone / All : 0;
    Taker.Demand.CoreSeconds += T.Demand.CoreSeconds * Part;
    Self.Demand.CoreSeconds += T.Demand.CoreSeconds * (1 - Part);
    if (Part > 0.5)
      Taker.Demand.Opening = T.Demand.Opening;
  }
  H.Tasks = std::move(Dealt);
  return Given;
}

} // namespace

Owners evenkeel::findOwners(const Problem &P, const PlanRequest &R) {
  return Finder(P, R).run();
}

void evenkeel::assignToOwners(Problem &P, const Owners &Who) {
  unsigned Given = 0;
  for (PredictedPhase &H : P.Phases)
    if (!Who.Now.empty() && isTeam(H))
      Given += deal(H, Who);
  if (Given)
    P.Methods["own objects: with the thread that was sampled"] += Given;
}
