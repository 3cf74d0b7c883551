//===- Lane.h - the memory system of one virtual worker ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a private L1 and L2, a private part of the last level (write-back,
// write-allocate, LRU, neither inclusive nor exclusive: a dirty line that
// leaves L2 after the last level lost it goes straight to memory), a stream
// prefetcher, and how far misses overlap.
// Makes, for a Sink:
//   fetch(line, weight, dependent)  a line read from memory; weight is the part
//                                   of one memory latency that the core waits
//   writeBack(line)                 a dirty line written to memory
//   expect(line)                    fetch() will be called for it
//   owner(line)                     the line's current owner, as a number
//   curve(owner, sizes, times)      this many of its lines would be fetched
//                                   with some last-level sizes (bit i: the
//                                   i-th); called late, but before the task
//                                   ends
//   far(owner, weight, times)       a line that missed L1, with its weight if
//                                   all caches after L1 missed; called for a
//                                   sample of the lines (sampled runs: of those
//                                   that missed L2)
//   stall(cycles)                   waiting for last-level hits (core time)
//
// Sizes up to that of L2 represent whole hierarchies of that size (a footprint
// that is s times larger in these caches behaves like the original one in
// caches that are s times smaller: Merchandiser's alpha). So they are not
// filtered by a larger L2: they see the lines that miss L1. Larger sizes see
// the lines that miss L2. In full runs, one set in CurveSets represents all:
// these are the largest tables, and took a quarter of the run.
//
// Weights. Out-of-order cores overlap the misses of one reorder window
// (interval model: Karkhanis and Smith 2004; Eyerman et al. 2009). A load miss
// opens a group; later load misses less than `Rob` instructions after the
// opener join it, at most `FillBuffers` of them, unless their address depends
// on a load that missed (chase): such a miss opens the next group. A group of g
// lines costs one latency, so each line weighs 1/g. Last-level hits cost
// `LlcCycles` once per group, and nothing in a group that waits for memory
// anyway. A prefetched line weighs 1/PrefetchDepth, because that many are in
// flight per stream. A store does not wait for its line; a sequence of store
// misses is limited only by the lines in flight, so each weighs 1/FillBuffers.
// The prefetcher (Prefetcher.h) sees the lines that miss L2.
//
// Sampled runs (Sampling.h): caches have a 64th of their lines. After L1, sets
// are chosen by turned() lines, in full runs too, so that they are a subset of
// the full run's; caches with few sets, as in tests, use the lines as they are.
// Groups and neighbours are not visible. The miss of a load weighs 1 if its
// address depends on a load, 1/PrefetchDepth if the code walks through lines in
// order and there is a prefetcher, and otherwise 1/g, where g is the recent
// average number of such misses in a window (OverlapEstimate), or the number of
// lines that the missing streams of a described loop touch in a window,
// whichever is larger.
// Not here: coherence, TLBs, pollution by useless prefetches. Not thread-safe.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_LANE_H
#define EVENKEEL_RUNTIME_RECORD_LANE_H

#include "Cache.h"
#include "Options.h"
#include "PackedCache.h"
#include "Prefetcher.h"
#include "core/tuning.h"

namespace ekrec {

/// What the code reports about an access in a sampled run.
struct Hint {
  bool InOrder = false; // the code walks through lines in order
  double Together = 1;  // lines that its loop touches in one window
};

/// The number of loads that wait together, estimated from the frequency of
/// misses in sampled lines.
class OverlapEstimate {
  static constexpr uint32_t Enough = EK_OVERLAP_MISSES;
  uint64_t Begin = 0; // position of the first one
  uint32_t Memory = 0, Llc = 0;

public:
  /// Call when another task begins.
  void reset() { Memory = Llc = 0; }
  /// A load at \p Position waits, for memory or for the last level.
  void add(uint64_t Position, bool ForMemory) {
    if (!(Memory + Llc))
      Begin = Position;
    ++(ForMemory ? Memory : Llc);
    if (Memory + Llc >= Enough) {
      Begin += (Position - Begin) / 2;
      Memory /= 2;
      Llc /= 2;
    }
  }
  /// The number of loads in a group: one opens it, the others in the window
  /// join.
  double group(uint64_t Position, const Options &O, const Hint &H) const {
    uint64_t Span = Position > Begin ? Position - Begin : 1;
    double G = 1 + double(Memory + Llc - 1) * O.Rate * O.Rob / double(Span);
    G = G < H.Together ? H.Together : G;
    return G < O.FillBuffers ? G : O.FillBuffers;
  }
  /// The fraction of groups with \p Group members that wait only for the last
  /// level.
  double withoutMemory(double Group) const {
    double One = double(Llc) / double(Memory + Llc ? Memory + Llc : 1);
    double Part = 1;
    for (; Group > 1.5; Group -= 1) // the other members of the group
      Part *= One;
    return Part;
  }
};

class Lane {
  const Options *O = nullptr;
  template <typename C> struct Levels {
    C L2, Llc;
    typename C::Hits Sizes[LlcSizes];
  };
  Cache L1;                     // of a full run
  Levels<FullCache> All;        // the same,
  Levels<Cache> Few;            // if a cache has few sets
  SampledCache SampledL1;       // of a sampled run
  Levels<SampledCache> Sampled; // the same
  bool HasFew = false;          // the caches have few sets
  bool Turns = false;           // turned() lines are used after L1
  unsigned Times = 1; // number of sets that one set of Sizes represents
  unsigned SameAsLlc = LlcSizes; // index of the size that Llc itself has
  uint8_t Simulated[LlcSizes];   // the other sizes; first those up to L2's
  unsigned UpToL2 = 0, NumSimulated = 0;
  Prefetcher Streams;

  struct Member {
    uint64_t Line;
    bool Dependent;
  } Group[64]; // loads that wait for memory
  unsigned Waiting = 0, LlcHits = 0;
  uint64_t Leader = 0;      // instruction number of the group's opener
  OverlapEstimate Estimate; // sampled runs

  // The same if all L1 misses came from memory, for FarBurst lines out of every
  // FarPeriod: streams need some lines to be recognised again.
  static constexpr uint64_t FarPeriod = EK_FAR_PERIOD, FarBurst = EK_FAR_BURST;
  Prefetcher FarStreams;
  uint64_t FarSeen = 0, FarLeader = 0;
  uint32_t FarGroup[64]; // owners of the loads that would wait
  unsigned FarWaiting = 0;

  /// Sizes up to that of L2, or larger ones.
  void simulateSizes(bool UpTo) {
    for (unsigned I = 0; I < LlcSizes; ++I) {
      const uint32_t Size = O->LlcSize[I];
      if (!Size || (Size <= O->L2Bytes) != UpTo)
        continue;
      if (Size == O->LlcBytes)
        SameAsLlc = I; // sees the same lines: no need to simulate it twice
      else
        Simulated[NumSimulated++] = static_cast<uint8_t>(I);
    }
  }
  struct Shown {   // a line that the sizes have not seen yet
    uint64_t Line; // turned()
    uint32_t Owner;
    unsigned Sizes; // number of elements of Simulated that see it
  };
  static constexpr unsigned Ahead = 16;
  Shown Queue[Ahead];
  unsigned Entered = 0, Finished = 0;

  template <typename F> bool forAllSizes(F Do) {
    bool Good = Do(O->L2Bytes, O->L2Ways) && Do(O->LlcBytes, O->LlcWays);
    for (uint32_t Bytes : O->LlcSize)
      Good = Good && (!Bytes || Do(Bytes, O->LlcWays));
    return Good;
  }
  template <typename C> bool initLevels(Levels<C> &L) {
    bool Good = L.L2.init(O->L2Bytes, O->L2Ways, LineBytes) &&
                L.Llc.init(O->LlcBytes, O->LlcWays, LineBytes);
    for (unsigned I = 0; I < NumSimulated; ++I)
      Good = Good && L.Sizes[Simulated[I]].init(O->LlcSize[Simulated[I]],
                                                O->LlcWays, LineBytes);
    return Good;
  }

public:
  bool init(const Options &Opts) {
    O = &Opts;
    if (O->Counts) // not used
      return true;
    simulateSizes(/*UpTo=*/true);
    UpToL2 = NumSimulated;
    simulateSizes(/*UpTo=*/false);
    if (O->Rate != 1)
      return SampledL1.init(O->L1Bytes, O->L1Ways, LineBytes) &&
             initLevels(Sampled);
    Turns = AllLines::suit(O->L2Bytes, O->L2Ways, LineBytes) ||
            AllLines::suit(O->LlcBytes, O->LlcWays, LineBytes);
    HasFew = !forAllSizes([](uint64_t Bytes, uint32_t Ways) {
      return AllLines::suit(Bytes, Ways, LineBytes);
    });
    Times = HasFew ? 1 : CurveSets;
    return L1.init(O->L1Bytes, O->L1Ways, LineBytes) &&
           (HasFew ? initLevels(Few) : initLevels(All));
  }

  /// The common case, inlined: the last used line of its L1 set.
  bool hitsFirst(uint64_t Line, bool Write) const {
    return L1.hitsFirst(Line, Write);
  }
  /// The same for a sampled run.
  bool hitsFirstSampled(uint64_t Line, bool Write) const {
    return SampledL1.hitsFirst(Line, Write);
  }

  /// One access to one line, by the task's instruction number \p Position.
  /// True: it missed L2.
  template <typename Sink>
  bool access(uint64_t Line, bool Write, bool Dependent, uint64_t Position,
              Sink &S, const Hint &H = {}) {
    uint64_t Out = 0;
    if (__builtin_expect(O->Rate != 1, 0))
      return !SampledL1.access(SampledL1.placeOf(Line), Write, Out) &&
             afterL1(Sampled, Line, Out, Write, Dependent, Position, S, H);
    if (L1.access(L1.placeOf(Line), Write, Out))
      return false;
    return HasFew ? afterL1(Few, Line, Out, Write, Dependent, Position, S, H)
                  : afterL1(All, Line, Out, Write, Dependent, Position, S, H);
  }

private:
  uint64_t turn(uint64_t Line) const { return Turns ? turned(Line) : Line; }
  uint64_t turnBack(uint64_t Line) const {
    return Turns ? turnedBack(Line) : Line;
  }

  /// The line replaced \p Out in L1.
  template <typename C, typename Sink>
  bool afterL1(Levels<C> &L, uint64_t Line, uint64_t Out, bool Write,
               bool Dependent, uint64_t Position, Sink &S, const Hint &H) {
    // Both sets are prefetched at once; that costs little if L2 hits.
    const uint64_t Turned = turn(Line);
    const typename C::Place InL2 = L.L2.placeOf(Turned);
    const typename C::Place InLlc = L.Llc.placeOf(Turned);
    L.L2.prepare(InL2);
    L.Llc.prepare(InLlc);
    if (Out & 1) {
      const uint64_t Dirty = turn(Out >> 1);
      if (!L.L2.markDirty(Dirty) && !L.Llc.markDirty(Dirty))
        S.writeBack(Out >> 1);
    }
    if (O->Rate == 1 && FarSeen++ % FarPeriod < FarBurst)
      addFar(Line, Write, Dependent, Position, S);
    Out = 0;
    if (L.L2.access(InL2, false, Out)) {
      if (isShown(Turned))
        showSizes(L, {Turned, S.owner(Line), UpToL2}, S);
      return false;
    }
    if (Out & 1 && !L.Llc.markDirty(Out >> 1))
      S.writeBack(turnBack(Out >> 1));
    const uint32_t Owner = S.owner(Line);
    bool Early =
        (O->Rate == 1 ? Streams.observe(Line) : H.InOrder && !Dependent) &&
        O->PrefetchDepth;
    Out = 0;
    bool Hit = L.Llc.access(InLlc, false, Out);
    if (!Hit && SameAsLlc < LlcSizes)
      S.curve(Owner, 1u << SameAsLlc, 1);
    if (isShown(Turned))
      showSizes(L, {Turned, Owner, NumSimulated}, S);
    if (Out & 1)
      S.writeBack(turnBack(Out >> 1));
    if (Early || Write) {
      const double Weight = 1.0 / (Early ? O->PrefetchDepth : O->FillBuffers);
      if (O->Rate != 1)
        S.far(Owner, Weight, 1);
      if (!Hit)
        S.fetch(Line, Weight, false);
    } else if (O->Rate != 1) {
      Estimate.add(Position, /*ForMemory=*/!Hit);
      const double G = Dependent ? 1 : Estimate.group(Position, *O, H);
      S.far(Owner, 1 / G, 1);
      if (Hit)
        S.stall(static_cast<uint64_t>(O->Rate * O->LlcCycles / G *
                                      Estimate.withoutMemory(G)));
      else
        S.fetch(Line, 1 / G, Dependent);
    } else {
      if (opensGroup(Dependent, Position))
        closeGroup(S);
      open(Position);
      if (Hit) {
        ++LlcHits;
      } else {
        Group[Waiting++] = {Line, Dependent};
        S.expect(Line);
      }
    }
    return true;
  }

public:
  /// Call when another task, or its next part, begins.
  template <typename Sink> void endTask(Sink &S) {
    flush(S);
    closeFarGroup(S);
    Estimate.reset();
  }

  /// Reports everything known so far.
  template <typename Sink> void flush(Sink &S) {
    closeGroup(S);
    if (O->Rate != 1)
      finishSizes(Sampled, S);
    else if (HasFew)
      finishSizes(Few, S);
    else
      finishSizes(All, S);
  }

private:
  /// Whether the line's set is simulated. The numbers of sets are multiples of
  /// Times, and the lines of a set are equal modulo Times.
  bool isShown(uint64_t Turned) const { return !(Turned & (Times - 1)); }

  /// Shows the line to the sizes, some lines later: their tables are the
  /// largest, and loading them from the host's memory takes that long.
  template <typename C, typename Sink>
  void showSizes(Levels<C> &L, const Shown &New, Sink &S) {
    for (unsigned I = 0; I < New.Sizes; ++I) {
      const auto &Size = L.Sizes[Simulated[I]];
      Size.prepare(Size.placeOf(New.Line));
    }
    Shown &E = Queue[Entered++ % Ahead];
    if (Entered - Finished > Ahead)
      finishOldest(L, S);
    E = New;
  }
  template <typename C, typename Sink>
  void finishOldest(Levels<C> &L, Sink &S) {
    const Shown &E = Queue[Finished++ % Ahead];
    unsigned Missing = 0;
    for (unsigned I = 0; I < E.Sizes; ++I) {
      auto &Size = L.Sizes[Simulated[I]];
      Missing |= static_cast<unsigned>(!Size.access(Size.placeOf(E.Line)))
                 << Simulated[I];
    }
    if (Missing)
      S.curve(E.Owner, Missing, Times);
  }
  template <typename C, typename Sink> void finishSizes(Levels<C> &L, Sink &S) {
    while (Finished != Entered)
      finishOldest(L, S);
  }

  /// A line that missed L1, treated as if it came from memory.
  template <typename Sink>
  void addFar(uint64_t Line, bool Write, bool Dependent, uint64_t Position,
              Sink &S) {
    constexpr unsigned Times = FarPeriod / FarBurst;
    const uint32_t Owner = S.owner(Line);
    const bool Early = FarStreams.observe(Line) && O->PrefetchDepth;
    if (Early || Write) {
      S.far(Owner, 1.0 / (Early ? O->PrefetchDepth : O->FillBuffers), Times);
      return;
    }
    if (FarWaiting && (Dependent || Position - FarLeader >= O->Rob ||
                       FarWaiting >= O->FillBuffers))
      closeFarGroup(S);
    if (!FarWaiting)
      FarLeader = Position;
    FarGroup[FarWaiting++] = Owner;
  }
  template <typename Sink> void closeFarGroup(Sink &S) {
    for (unsigned I = 0; I < FarWaiting; ++I)
      S.far(FarGroup[I], 1.0 / FarWaiting, FarPeriod / FarBurst);
    FarWaiting = 0;
  }

  /// Closes the open group, whose weights are known now.
  template <typename Sink> void closeGroup(Sink &S) {
    const unsigned N = Waiting, Hits = LlcHits;
    Waiting = LlcHits = 0;
    for (unsigned I = 0; I < N; ++I)
      S.fetch(Group[I].Line, 1.0 / N, Group[I].Dependent);
    if (!N && Hits)
      S.stall(O->LlcCycles);
  }

  bool opensGroup(bool Dependent, uint64_t Position) const {
    return Waiting + LlcHits && (Dependent || Position - Leader >= O->Rob ||
                                 Waiting + LlcHits >= O->FillBuffers);
  }
  void open(uint64_t Position) {
    if (!(Waiting + LlcHits))
      Leader = Position;
  }
};

} // namespace ekrec

#endif
