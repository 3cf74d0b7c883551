//===- RowBudget.cpp - how long quanta have to be -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes, leaves out: see RowBudget.h.
//===----------------------------------------------------------------------===//
#include "RowBudget.h"
#include "Recorder.h"
#include <algorithm>

using namespace ekrec;

namespace {

constexpr unsigned MaxLevel = 20;

std::atomic<uint64_t> Added; // since the last look
std::atomic<uint64_t> Until; // so many; 0: not looked yet
std::atomic_flag Looking;
unsigned LevelNow; // of complete groups; guarded by Looking

uint32_t sum(uint32_t A, uint32_t B) {
  return A > UINT32_MAX - B ? UINT32_MAX : A + B;
}

bool before(const ek_raw_page &A, const ek_raw_page &B) {
  return A.inst != B.inst ? A.inst < B.inst : A.page < B.page;
}

/// Segments of one task, by quantum, and where their rows go.
class Joiner {
  Log &From;
  Vec<ek_raw_page> &Rows;

  void copy(const Segment &S) {
    ek_raw_page *P = From.Pages.begin() + S.First;
    if (!S.Level)
      std::sort(P, P + S.Count, before);
    for (uint64_t I = 0; I < S.Count; ++I)
      Rows.push(P[I]);
  }

public:
  Joiner(Log &L, Vec<ek_raw_page> &Out) : From(L), Rows(Out) {}

  /// Rows of [\p S, \p End), which lie within a group of \p Level, as one
  /// segment behind what Rows has. Pairs of quanta first, then pairs of those.
  void join(const Segment *S, const Segment *End, unsigned Level) {
    if (End - S == 1) {
      copy(*S);
      return;
    }
    const Segment *Middle = S;
    while (Middle != End && !(Middle->Quantum >> (Level - 1) & 1))
      ++Middle;
    if (Middle == S || Middle == End)
      return join(S, End, Level - 1);
    uint64_t Begin = Rows.size();
    join(S, Middle, Level - 1);
    uint64_t Right = Rows.size();
    join(Middle, End, Level - 1);
    uint64_t Stop = Rows.size();
    Vec<ek_raw_page> Both;
    for (uint64_t A = Begin, B = Right; A < Right || B < Stop;) {
      if (B == Stop || (A < Right && before(Rows[A], Rows[B]))) {
        Both.push(Rows[A++]);
      } else if (A == Right || before(Rows[B], Rows[A])) {
        Both.push(Rows[B++]);
      } else {
        ek_raw_page P = Rows[A++];
        const ek_raw_page &Q = Rows[B++];
        P.reads = sum(P.reads, Q.reads);
        P.writes = sum(P.writes, Q.writes);
        P.dependent = sum(P.dependent, Q.dependent);
        P.weight += Q.weight;
        Both.push(P);
      }
    }
    for (uint64_t I = 0; I < Both.size(); ++I)
      Rows[Begin + I] = Both[I];
    while (Rows.size() > Begin + Both.size())
      Rows.pop();
    Both.release();
  }
};

} // namespace

uint64_t ekrec::joinQuanta(Log &L, unsigned Level, bool Final) {
  Vec<Segment> Segments;
  Vec<ek_raw_page> Rows;
  uint64_t Complete = 0;
  std::sort(L.Segments.begin(), L.Segments.end(),
            [](const Segment &A, const Segment &B) {
              return A.Task != B.Task ? A.Task < B.Task : A.Quantum < B.Quantum;
            });
  for (const Segment *S = L.Segments.begin(), *Stop = L.Segments.end();
       S != Stop;) {
    const Segment *End = S;
    while (End != Stop && End->Task == S->Task &&
           End->Quantum >> Level == S->Quantum >> Level)
      ++End;
    uint64_t First = Rows.size();
    if (!Final && (End == Stop || End->Task != S->Task)) {
      for (; S != End; ++S) { // the task's last group waits
        Segment Same = *S;
        Same.First = Rows.size();
        for (uint64_t I = 0; I < S->Count; ++I)
          Rows.push(L.Pages[S->First + I]);
        Segments.push(Same);
      }
      continue;
    }
    Joiner(L, Rows).join(S, End, Level);
    uint32_t Quantum = S->Quantum >> Level << Level;
    for (uint64_t I = First; I < Rows.size(); ++I)
      Rows[I].quantum = Quantum;
    Segments.push({S->Task, Quantum, First, Rows.size() - First, Level});
    Complete += Rows.size() - First;
    S = End;
  }
  // Rows that found no memory are missing on both sides.
  Rows.Lost += L.Pages.Lost;
  L.Pages.release();
  L.Segments.release();
  L.Pages = Rows;
  L.Segments = Segments;
  return Complete;
}

static uint64_t joinAll(unsigned Level, bool Final) {
  uint64_t Complete = 0;
  for (Log *L = TheRecorder.Logs.load(); L; L = L->NextLog) {
    L->lock();
    Complete += joinQuanta(*L, Level, Final);
    L->unlock();
  }
  return Complete;
}

void ekrec::rowsAdded(uint64_t N) {
  const uint64_t Budget = TheRecorder.Opts.Rows;
  uint64_t Limit = Until.load(std::memory_order_relaxed);
  if (Added.fetch_add(N, std::memory_order_relaxed) + N <=
      (Limit ? Limit : Budget))
    return;
  if (Looking.test_and_set(std::memory_order_acquire))
    return; // someone else looks
  // What is complete stays: with more than the budget of that, so has the run.
  while (joinAll(LevelNow, false) > Budget && LevelNow < MaxLevel)
    ++LevelNow;
  uint64_t Left = 0;
  for (Log *L = TheRecorder.Logs.load(); L; L = L->NextLog) {
    L->lock();
    Left += L->Pages.size();
    L->unlock();
  }
  Added.store(Left, std::memory_order_relaxed);
  Until.store(Left + Budget / 2, std::memory_order_relaxed);
  Looking.clear(std::memory_order_release);
}

unsigned ekrec::finishRows() {
  uint64_t Rows = 0;
  for (const Log *L = TheRecorder.Logs.load(); L; L = L->NextLog)
    Rows += L->Pages.size();
  if (!LevelNow && Rows <= TheRecorder.Opts.Rows)
    return 0;
  while (joinAll(LevelNow, true) > TheRecorder.Opts.Rows && LevelNow < MaxLevel)
    ++LevelNow;
  return LevelNow;
}

unsigned ekrec::joinedQuanta(unsigned Level) {
  const unsigned Short = shortLevels(TheRecorder.Opts);
  return Level < Short ? 0 : Level - Short;
}

void ekrec::endQuanta(unsigned Level) {
  const unsigned Short = shortLevels(TheRecorder.Opts);
  if (Level < Short)
    joinAll(Level = Short, true);
  for (Log *L = TheRecorder.Logs.load(); L; L = L->NextLog) {
    for (ek_raw_page &P : L->Pages)
      P.quantum >>= Level;
    for (Segment &S : L->Segments)
      S.Quantum >>= Level;
  }
}

uint64_t ekrec::quantumEnd(const Options &O, uint32_t Number) {
  // The last one never ends.
  return Number == UINT32_MAX
             ? UINT64_MAX
             : (uint64_t(Number) + 1) * O.QuantumCycles * SlotsPerCycle >>
                   shortLevels(O);
}

uint32_t ekrec::quantumAt(const Options &O, uint64_t Slots) {
  // The first that ends behind them: ends are rounded down.
  return static_cast<uint32_t>(
      std::min<uint64_t>(UINT32_MAX, (((Slots + 1) << shortLevels(O)) - 1) /
                                         (O.QuantumCycles * SlotsPerCycle)));
}

double ekrec::shortQuanta(const Options &O, uint64_t Cycles) {
  return double(Cycles << shortLevels(O)) / double(O.QuantumCycles);
}
