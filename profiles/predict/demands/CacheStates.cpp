//===- CacheStates.cpp - cache contents at the start of tasks -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CacheStates.h.
//===----------------------------------------------------------------------===//
#include "CacheStates.h"
#include "problem/Problem.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

DirtyCaches evenkeel::prediction::emptyCaches(const Profile &B) {
  return DirtyCaches(double(B.Config.llc_share_bytes) / LineBytes);
}

/// For a folded base: the cache contents before each phase with rows, the last
/// time that they differ from the previous ones.
static std::vector<DirtyCaches> cachesBefore(const BaseTables &Base,
                                             const FetchesOfTask &Of) {
  const PhaseTable &Phases = Base.Phases;
  std::vector<DirtyCaches> States{emptyCaches(Base.B)};
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> Known{
      {States[0].digest(), 0}};
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> After; // phase, state
  std::vector<uint32_t> Before(Phases.Like.size(), 0);
  // Caches that fill up gradually never repeat a state.
  const size_t Most =
      64 + 4 * size_t(std::count_if(Phases.Times.begin(), Phases.Times.end(),
                                    [](double N) { return N > 0; }));
  uint32_t Now = 0;
  for (uint32_t Its : Phases.Like) {
    auto [To, New] = After.try_emplace({Its, Now}, 0);
    if (New) {
      if (States.size() >= Most && Before[Its])
        continue; // the same as last time
      Before[Its] = Now;
      DirtyCaches Caches = States[Now];
      std::unordered_map<uint32_t, DirtyCaches::Back> Over;
      if (auto At = Base.Tasks.InPhase.find(Its);
          At != Base.Tasks.InPhase.end())
        for (uint32_t T : At->second)
          Caches.run(Base.B.Tasks[T].worker, Of(T), Over);
      auto [State, Unseen] =
          Known.try_emplace(Caches.digest(), uint32_t(States.size()));
      if (Unseen)
        States.push_back(std::move(Caches));
      To->second = State->second;
    }
    Now = To->second;
  }
  std::vector<DirtyCaches> Out;
  for (uint32_t H = 0; H < Phases.Like.size(); ++H)
    Out.push_back(Phases.stands(H) ? States[Before[H]] : emptyCaches(Base.B));
  return Out;
}

void evenkeel::prediction::eachInOrder(
    const BaseTables &Base, const FetchesOfTask &Of,
    const std::function<void(uint32_t, DirtyCaches &)> &Do) {
  DirtyCaches Caches = emptyCaches(Base.B);
  std::vector<DirtyCaches> Found;
  if (!Base.B.Like.empty())
    Found = cachesBefore(Base, Of);
  uint32_t Phase = EK_NO_TASK;
  for (uint32_t T : Base.Tasks.InOrder) {
    if (const uint32_t H = Base.B.Tasks[T].phase; !Found.empty() && H != Phase)
      Caches = std::move(Found[Phase = H]);
    Do(T, Caches);
  }
}
