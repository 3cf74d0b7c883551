//===- WriteBacks.cpp - dirty lines that wait in caches -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes, leaves out: see WriteBacks.h. Also what a record tells of it:
// which of the lines that a task fetched it made dirty, and which lines of
// freed objects it pushed out.
//===----------------------------------------------------------------------===//
#include "WriteBacks.h"
#include "Digest.h"
#include "predict/Extrapolator.h"
#include "problem/Problem.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

double DirtyCaches::run(uint32_t Worker, const std::vector<Fetch> &All,
                        std::unordered_map<uint32_t, Back> &Out) {
  Cache &C = Of[Worker];
  Segment Own{0, {}};
  for (const Fetch &F : All)
    if (F.Lines > 0) {
      Own.Lines += F.Lines;
      Own.Parts.push_back(F);
    }
  if (Own.Lines <= 0)
    return 1;
  const double Opening = std::min(1.0, Capacity / Own.Lines);
  auto Evict = [&](Segment &S, double Lines) {
    const double Share = std::min(1.0, Lines / S.Lines);
    for (Fetch &F : S.Parts) {
      if (F.Dirty > 0) {
        Back &B = Out[F.Inst];
        B.Lines += F.Dirty * Share;
        B.Own += &S == &Own ? F.Dirty * Share : 0;
      }
      F.Dirty *= 1 - Share;
    }
    S.Lines -= Lines;
    C.Lines -= Lines;
  };
  C.Lines += Own.Lines;
  while (C.Lines > Capacity && !C.Held.empty()) {
    Segment &Oldest = C.Held.front();
    Evict(Oldest, std::min(Oldest.Lines, C.Lines - Capacity));
    if (Oldest.Lines <= 0)
      C.Held.pop_front();
  }
  if (C.Lines > Capacity)
    Evict(Own, C.Lines - Capacity);
  C.Held.push_back(std::move(Own));
  return Opening;
}

std::pair<uint64_t, uint64_t> DirtyCaches::digest() const {
  Digest Out;
  auto Add = [&](double X) { Out.add(std::round(X * 1024)); };
  std::map<uint32_t, const Cache *> Sorted;
  for (const auto &[Worker, Its] : Of)
    Sorted[Worker] = &Its;
  for (const auto &[Worker, Its] : Sorted) {
    Out.add(uint64_t(Worker));
    for (const Segment &S : Its->Held) {
      Add(S.Lines);
      for (const Fetch &F : S.Parts) {
        Out.add(uint64_t(F.Inst));
        Add(F.Dirty);
      }
    }
  }
  return Out.value();
}

/// Of a folded base: what the tasks of each phase with rows find in the caches,
/// when it runs the last time that they do not find what they found before.
std::vector<DirtyCaches> Extrapolator::cachesBefore(const FetchesOf &Of) {
  std::vector<DirtyCaches> States{emptyCaches()};
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> Known{
      {States[0].digest(), 0}};
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> After; // phase, state
  std::vector<uint32_t> Before(Like.size(), 0);
  // Caches that fill up little by little are found in ever other states.
  const size_t Most =
      64 + 4 * size_t(std::count_if(Times.begin(), Times.end(),
                                    [](double N) { return N > 0; }));
  uint32_t Now = 0;
  for (uint32_t H = 0; H < Like.size(); ++H) {
    const uint32_t Its = Like[H];
    auto [To, New] = After.try_emplace({Its, Now}, 0);
    if (New) {
      if (States.size() >= Most && Before[Its])
        continue; // as the last time
      Before[Its] = Now;
      DirtyCaches Caches = States[Now];
      std::unordered_map<uint32_t, DirtyCaches::Back> Over;
      if (auto At = TasksAt.find(Its); At != TasksAt.end())
        for (uint32_t T : At->second)
          Caches.run(B.Tasks[T].worker, Of(T), Over);
      auto [State, Unseen] =
          Known.try_emplace(Caches.digest(), uint32_t(States.size()));
      if (Unseen)
        States.push_back(std::move(Caches));
      To->second = State->second;
    }
    Now = To->second;
  }
  std::vector<DirtyCaches> Out;
  for (uint32_t H = 0; H < Like.size(); ++H)
    Out.push_back(stands(H) ? States[Before[H]] : emptyCaches());
  return Out;
}

/// Calls \p Do with each row of a task and the caches in which it begins, and
/// which it changes. \p Of: what tasks fetch.
void Extrapolator::eachInOrder(
    const FetchesOf &Of,
    const std::function<void(uint32_t, DirtyCaches &)> &Do) {
  DirtyCaches Caches = emptyCaches();
  std::vector<DirtyCaches> Found;
  if (!B.Like.empty())
    Found = cachesBefore(Of);
  uint32_t Phase = EK_NO_TASK;
  for (uint32_t T : InOrder) {
    if (const uint32_t H = B.Tasks[T].phase; !Found.empty() && H != Phase)
      Caches = std::move(Found[Phase = H]);
    Do(T, Caches);
  }
}

/// Shares of fetched lines that tasks make dirty: all of them where a task only
/// writes an object, none where it only reads. The rest of an instance's lines
/// that were ever written back is left to the tasks that do both; where these
/// hardly fetched any, as the instance lay in the caches, as many of its words
/// as the phase's stores could reach are dirty.
void Extrapolator::readDirty() {
  struct Lines {
    double Back = 0, Written = 0, Both = 0;
  };
  std::vector<Lines> Of(B.Instances.size());
  for (uint32_t T = 0; T < Demands.size(); ++T)
    for (const BaseDemand &Q : Demands[T]) {
      Of[Q.Inst].Back += Q.Writes * times(T);
      if (Q.Stores > 0)
        (Q.Loads > 0 ? Of[Q.Inst].Both : Of[Q.Inst].Written) +=
            Q.Reads * times(T);
    }
  std::map<std::pair<uint32_t, uint32_t>, double> Stores; // phase, instance
  for (uint32_t T = 0; T < Demands.size(); ++T)
    for (const BaseDemand &Q : Demands[T])
      Stores[{B.Tasks[T].phase, Q.Inst}] += Q.Stores;
  for (uint32_t T = 0; T < Demands.size(); ++T)
    for (BaseDemand &Q : Demands[T]) {
      if (Q.Stores <= 0)
        continue;
      Q.Dirty = 1;
      if (Q.Loads <= 0)
        continue;
      const Lines &L = Of[Q.Inst];
      const double Bytes = std::max(1.0, double(B.Instances[Q.Inst].bytes));
      const double Seen = std::min(1.0, L.Both * LineBytes / Bytes);
      Q.Dirty =
          (1 - Seen) * std::min(1.0, Stores.at({B.Tasks[T].phase, Q.Inst}) *
                                         WordBytes / Bytes);
      if (Seen > 0)
        Q.Dirty += Seen * std::clamp((L.Back - L.Written) / L.Both, 0.0, 1.0);
    }
  BaseGone.resize(Demands.size());
  Fetched.resize(Demands.size());
  std::vector<DirtyCaches::Fetch> All;
  auto Fetches = [&](uint32_t T) -> const std::vector<DirtyCaches::Fetch> & {
    All.clear();
    for (const BaseDemand &Q : Demands[T])
      All.push_back({Q.Inst, Q.Reads, Q.Reads * Q.Dirty});
    return All;
  };
  eachInOrder(Fetches, [&](uint32_t T, DirtyCaches &Caches) {
    std::unordered_map<uint32_t, DirtyCaches::Back> Back;
    Caches.run(B.Tasks[T].worker, Fetches(T), Back);
    for (BaseDemand &Q : Demands[T])
      if (auto It = Back.find(Q.Inst); It != Back.end())
        Q.PushedOut = It->second.Lines;
    readLeftByGone(T, Back);
  });
}

/// Lines of freed objects are written back under the names of those that lie
/// there now.
void Extrapolator::readLeftByGone(
    uint32_t T, const std::unordered_map<uint32_t, DirtyCaches::Back> &Back) {
  const double Left = BaseGone[T] = leftByGone(T, Back);
  uint32_t Freed = EK_NO_TASK;
  for (const auto &Entry : Back)
    Freed = std::min(Freed, B.Instances[Entry.first].free_phase);
  auto More = [&](const BaseDemand &Q) {
    return B.Instances[Q.Inst].alloc_phase >= Freed
               ? std::max(0.0, Q.Writes - Q.PushedOut)
               : 0;
  };
  double Sum = 0;
  for (const BaseDemand &Q : Demands[T])
    Sum += More(Q);
  for (BaseDemand &Q : Demands[T])
    if (Sum > 0)
      Q.OfGone = More(Q) * std::min(1.0, Left / Sum);
}

/// Of the lines that \p T pushes out, those of objects that are freed by then.
double Extrapolator::leftByGone(
    uint32_t T,
    const std::unordered_map<uint32_t, DirtyCaches::Back> &Back) const {
  double Sum = 0;
  for (const auto &[Inst, Its] : Back)
    if (B.Instances[Inst].free_phase < B.Tasks[T].phase)
      Sum += Its.Lines;
  return Sum;
}

DirtyCaches Extrapolator::emptyCaches() const {
  return DirtyCaches(double(B.Config.llc_share_bytes) / LineBytes);
}

} // namespace extrapolation
} // namespace evenkeel
