//===- Dependences.cpp - dependences between tasks ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: the edges of the task graph (Dependences.h).
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Dependences.h"
#include "Frame.h"
#include "Recorder.h"
#include "core/tuning.h"

using namespace ekrec;

namespace {
// Head of kmp_depend_info, the compiler's interface to libomp.
struct OmpDepend {
  intptr_t Address;
  size_t Length;
  uint8_t Flags; // 1 in, 2 out
};
} // namespace

static Siblings::Address *find(Siblings &S, uint64_t Where) {
  if (S.Used * 2 >= S.Table.size()) {
    Vec<Siblings::Address> Old = S.Table;
    S.Table = Vec<Siblings::Address>();
    if (!S.Table.resize(Old.empty() ? 128 : Old.size() * 2)) {
      S.Table = Old;
      return nullptr;
    }
    for (const Siblings::Address &A : Old) {
      if (!A.Where)
        continue;
      size_t I = A.Where * 0x9E3779B97F4A7C15ull >> 20 & (S.Table.size() - 1);
      while (S.Table[I].Where)
        I = (I + 1) & (S.Table.size() - 1);
      S.Table[I] = A;
    }
    Old.release();
  }
  size_t I = Where * 0x9E3779B97F4A7C15ull >> 20 & (S.Table.size() - 1);
  while (S.Table[I].Where && S.Table[I].Where != Where)
    I = (I + 1) & (S.Table.size() - 1);
  if (!S.Table[I].Where) {
    S.Table[I].Where = Where;
    ++S.Used;
  }
  return &S.Table[I];
}

/// The distinct siblings for which `depend` makes task \p Number wait; by first
/// part.
static void siblingsBefore(Siblings &S, uint32_t Number, const void *Deps,
                           int32_t NumDeps, Vec<uint32_t> &Before) {
  auto Add = [&](uint32_t Pred) {
    bool Known = !Pred || Pred == Number;
    for (uint32_t P : Before)
      Known |= P == Pred;
    if (!Known)
      Before.push(Pred);
  };
  auto *D = static_cast<const OmpDepend *>(Deps);
  for (int32_t I = 0; I < NumDeps; ++I) {
    Siblings::Address *A =
        D[I].Address ? find(S, static_cast<uint64_t>(D[I].Address)) : nullptr;
    if (!A)
      continue;
    if (D[I].Flags == 1) {
      Add(A->LastOut);
      S.Readers_.push({Number, A->Readers});
      A->Readers = static_cast<uint32_t>(S.Readers_.size());
      continue;
    }
    bool Read = false;
    for (uint32_t R = A->Readers; R; R = S.Readers_[R - 1].Next)
      if (S.Readers_[R - 1].Task != Number) {
        Read = true;
        Add(S.Readers_[R - 1].Task);
      }
    if (!Read)
      Add(A->LastOut);
    A->LastOut = Number;
    A->Readers = 0;
  }
}

static uint32_t lastPart(uint32_t First) {
  return TheRecorder.Tasks[First].Last;
}

bool ekrec::endsPart(const Frame &Parent) {
  // The child may need what the part has computed so far; and if a part waits
  // for many tasks, waiting for the part replaces waiting for all of them.
  constexpr uint64_t Worth = EK_PART_CYCLES * SlotsPerCycle;
  bool Explicit = TheRecorder.Tasks[Parent.Task].Explicit;
  return Explicit &&
         (State.Slots >= Worth || Parent.Preds.size() > EK_PART_TASKS);
}

void ekrec::linkChild(Frame &Parent, Frame &Child, const void *Deps,
                      int32_t NumDeps) {
  Siblings &S = Parent.Children;
  Vec<uint32_t> &Before = S.Scratch;
  Before.clear();
  siblingsBefore(S, Child.First, Deps, NumDeps, Before);
  // A thread's task numbers increase: tasks before the first one of the wave
  // were waited for, as were all their predecessors.
  bool SamePart = false;
  uint32_t WaveFirst = S.Wave.empty() ? Child.First : S.Wave[0];
  for (uint32_t Pred : Before) {
    if (Pred < WaveFirst)
      continue;
    size_t Low = 0, High = S.Wave.size();
    while (High - Low > 1) {
      size_t Mid = (Low + High) / 2;
      (S.Wave[Mid] <= Pred ? Low : High) = Mid;
    }
    S.HasNext[Low] = 1;
    SamePart |= Low >= S.WaveOfPart;
    Child.Preds.push(lastPart(Pred));
  }
  // Siblings from the same part imply what the parent's part waited for.
  if (!SamePart)
    for (uint32_t Pred : Parent.Preds)
      Child.Preds.push(Pred);
  S.Wave.push(Child.First);
  S.HasNext.push(0);
}

void ekrec::afterChild(Frame &Parent, const Frame &Child) {
  if (!State.Groups)
    return;
  for (uint32_t First : Child.Children.Wave)
    Parent.Children.Beneath.push(lastPart(First));
  for (uint32_t Last : Child.Children.Beneath)
    Parent.Children.Beneath.push(Last);
}

void ekrec::writePreds(const Frame &F, Log &Out) {
  Out.lock();
  for (uint32_t Pred : F.Preds)
    if (!closed())
      Out.Deps.push({F.Task, Pred});
  Out.unlock();
}

const Vec<uint32_t> &ekrec::waitedFor(Frame &F, bool All) {
  Siblings &S = F.Children;
  Vec<uint32_t> &Last = S.Scratch;
  Last.clear();
  for (size_t I = 0; I < S.Wave.size(); ++I)
    if (!S.HasNext[I])
      Last.push(lastPart(S.Wave[I]));
  for (size_t I = 0; All && I < S.Beneath.size(); ++I)
    Last.push(S.Beneath[I]);
  S.Wave.clear();
  S.HasNext.clear();
  if (All)
    S.Beneath.clear();
  return Last;
}
