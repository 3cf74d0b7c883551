//===- RowBudget.cpp - the length of quanta -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RowBudget.h.
//===----------------------------------------------------------------------===//
#include "RowBudget.h"
#include "Recorder.h"
#include <algorithm>

using namespace ekrec;

namespace {

constexpr unsigned MaxLevel = 20;

std::atomic<uint64_t> Added; // since the last look
std::atomic<uint64_t> Until; // at this number; 0: not checked yet
std::atomic_flag Looking;
unsigned LevelNow; // level of complete groups; guarded by Looking

uint32_t sum(uint32_t A, uint32_t B) {
  return A > UINT32_MAX - B ? UINT32_MAX : A + B;
}

uint64_t nameOf(const ek_raw_page &P) {
  return uint64_t(P.inst) << 32 | P.page;
}

/// Fast, because irregular programs have a row for nearly each miss.
void sortByName(ek_raw_page *P, uint64_t Count) {
  std::sort(P, P + Count, [](const ek_raw_page &A, const ek_raw_page &B) {
    return nameOf(A) < nameOf(B);
  });
}

/// Segments of one task by quantum, and the destination of their rows.
class Joiner {
  const Log &From;
  Vec<ek_raw_page> Rows, Both;

  void copy(const Segment &S) {
    const uint64_t Begin = Rows.size();
    for (uint64_t I = 0; I < S.Count; ++I)
      Rows.push(From.Pages[S.First + I]);
    if (!S.Level)
      sortByName(Rows.begin() + Begin, Rows.size() - Begin);
  }

  /// Joins the rows of [\p S, \p End), all within a group of \p Level, into one
  /// segment: pairs of quanta first, then pairs of these.
  void add(const Segment *S, const Segment *End, unsigned Level) {
    if (End - S == 1) {
      copy(*S);
      return;
    }
    const Segment *Middle = S;
    while (Middle != End && !(Middle->Quantum >> (Level - 1) & 1))
      ++Middle;
    if (Middle == S || Middle == End)
      return add(S, End, Level - 1);
    uint64_t Begin = Rows.size();
    add(S, Middle, Level - 1);
    uint64_t Right = Rows.size();
    add(Middle, End, Level - 1);
    uint64_t Stop = Rows.size();
    Both.clear();
    uint64_t A = Begin, B = Right;
    while (A < Right && B < Stop) {
      const uint64_t NameA = nameOf(Rows[A]), NameB = nameOf(Rows[B]);
      if (NameA != NameB) {
        Both.push(NameA < NameB ? Rows[A++] : Rows[B++]);
        continue;
      }
      ek_raw_page P = Rows[A++];
      const ek_raw_page &Q = Rows[B++];
      P.reads = sum(P.reads, Q.reads);
      P.writes = sum(P.writes, Q.writes);
      P.dependent = sum(P.dependent, Q.dependent);
      P.weight += Q.weight;
      Both.push(P);
    }
    for (; A < Right; ++A)
      Both.push(Rows[A]);
    for (; B < Stop; ++B)
      Both.push(Rows[B]);
    for (uint64_t I = 0; I < Both.size(); ++I)
      Rows[Begin + I] = Both[I];
    Rows.shrink(Begin + Both.size());
  }

public:
  explicit Joiner(const Log &L) : From(L) {}
  ~Joiner() {
    Rows.release();
    Both.release();
  }
  /// The rows of [\p S, \p End), which are a group of \p Level.
  const Vec<ek_raw_page> &join(const Segment *S, const Segment *End,
                               unsigned Level) {
    Rows.clear();
    add(S, End, Level);
    return Rows;
  }
  uint64_t lost() const { return Rows.Lost + Both.Lost; }
};

/// Receives the rows of a log in the order of its segments: in place, if they
/// are in this order already, the usual case.
class NewRows {
  Log &L;
  const bool InPlace;
  Vec<ek_raw_page> Other;
  uint64_t Kept = 0;

  static bool inOrder(const Log &L) {
    uint64_t End = 0;
    for (const Segment &S : L.Segments) {
      if (S.First < End)
        return false;
      End = S.First + S.Count;
    }
    return true;
  }

public:
  explicit NewRows(Log &L) : L(L), InPlace(inOrder(L)) {}
  uint64_t size() const { return InPlace ? Kept : Other.size(); }
  /// There are never more rows than before.
  void add(const ek_raw_page *P, uint64_t Count) {
    for (uint64_t I = 0; I < Count; ++I)
      if (InPlace)
        L.Pages[Kept++] = P[I];
      else
        Other.push(P[I]);
  }
  void finish() {
    if (InPlace) {
      L.Pages.shrink(Kept);
      return;
    }
    Other.Lost += L.Pages.Lost;
    L.Pages.release();
    L.Pages = Other;
  }
};

} // namespace

uint64_t ekrec::joinQuanta(Log &L, unsigned Level, bool Final) {
  Vec<Segment> Segments;
  uint64_t Complete = 0;
  std::sort(L.Segments.begin(), L.Segments.end(),
            [](const Segment &A, const Segment &B) {
              return A.Task != B.Task ? A.Task < B.Task : A.Quantum < B.Quantum;
            });
  NewRows New(L);
  Joiner Groups(L);
  for (const Segment *S = L.Segments.begin(), *Stop = L.Segments.end();
       S != Stop;) {
    const Segment *End = S;
    while (End != Stop && End->Task == S->Task &&
           End->Quantum >> Level == S->Quantum >> Level)
      ++End;
    const uint64_t First = New.size();
    if (!Final && (End == Stop || End->Task != S->Task)) {
      for (; S != End; ++S) { // the task's last group is not complete
        Segment Same = *S;
        Same.First = New.size();
        New.add(L.Pages.begin() + S->First, S->Count);
        Segments.push(Same);
      }
      continue;
    }
    Vec<ek_raw_page> Rows = Groups.join(S, End, Level);
    uint32_t Quantum = S->Quantum >> Level << Level;
    for (ek_raw_page &P : Rows)
      P.quantum = Quantum;
    New.add(Rows.begin(), Rows.size());
    Segments.push({S->Task, Quantum, First, New.size() - First, Level});
    Complete += New.size() - First;
    S = End;
  }
  // Rows that were lost for want of memory are missing in both.
  New.finish();
  L.Pages.Lost += Groups.lost();
  L.Segments.release();
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
    return; // another thread does it
  // Complete groups stay: if these exceed the budget, so will the whole run.
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
  // The last quantum never ends.
  return Number == UINT32_MAX
             ? UINT64_MAX
             : (uint64_t(Number) + 1) * O.QuantumCycles * SlotsPerCycle >>
                   shortLevels(O);
}

uint32_t ekrec::quantumAt(const Options &O, uint64_t Slots) {
  // The first that ends after them: ends are rounded down.
  return static_cast<uint32_t>(
      std::min<uint64_t>(UINT32_MAX, (((Slots + 1) << shortLevels(O)) - 1) /
                                         (O.QuantumCycles * SlotsPerCycle)));
}

double ekrec::shortQuanta(const Options &O, uint64_t Cycles) {
  return double(Cycles << shortLevels(O)) / double(O.QuantumCycles);
}
