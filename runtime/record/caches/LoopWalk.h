//===- LoopWalk.h - the sampled lines that a loop touches -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: accesses of a loop, each at a constant distance from that of the
// previous iteration (streams), and the trip count.
// Makes: the accesses to sampled lines in the order in which the loop makes
// them: by iteration, then as in the code. Consecutive accesses of a stream to
// one line are one event. Steps below half a page cost one division per
// page; for longer steps, each access is tested.
// Not here: the meaning of an event (SampledAccesses.cpp). Not thread-safe.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_LOOPWALK_H
#define EVENKEEL_RUNTIME_RECORD_LOOPWALK_H

#include "Sampling.h"

namespace ekrec {

class LoopWalk {
public:
  static constexpr unsigned MaxStreams = 16;
  struct Event {
    uint64_t Iteration, Address, Times;
    unsigned Stream;
  };

private:
  struct Stream {
    uint64_t Start, Bytes; // canonical
    int64_t Step;
    uint64_t Last;    // of the last iteration
    unsigned Shift;   // |Step| is 1 << Shift; NoShift: it is no power of two
    uint64_t Address; // of the next event
    uint64_t Times;
  } Streams[MaxStreams];
  uint64_t Nexts[MaxStreams]; // iteration of each stream's next event, or None
  unsigned NumStreams = 0;
  uint64_t Trips = 0;

  static constexpr uint64_t None = UINT64_MAX;
  static constexpr unsigned NoShift = 64;

  uint64_t at(const Stream &S, uint64_t I) const {
    return S.Start + static_cast<uint64_t>(S.Step) * I;
  }
  static uint64_t width(const Stream &S) {
    return static_cast<uint64_t>(S.Step < 0 ? -S.Step : S.Step);
  }
  /// The number of whole steps in a distance; most steps are an element's size.
  static uint64_t steps(uint64_t Distance, const Stream &S) {
    return __builtin_expect(S.Shift == NoShift, 0) ? Distance / width(S)
                                                   : Distance >> S.Shift;
  }
  static bool touches(uint64_t A, uint64_t Bytes, uint64_t Line) {
    return A < Line + LineBytes && A + Bytes > Line;
  }
  /// Sets the next event: iteration \p I, at \p A, touches \p Line, as do the
  /// \p N following iterations if there are that many.
  void set(unsigned Which, uint64_t I, uint64_t A, uint64_t Line, uint64_t N) {
    Stream &S = Streams[Which];
    uint64_t Left = Trips - I;
    Nexts[Which] = I;
    S.Address = A < Line ? Line : A;
    S.Times = N < Left ? N + 1 : Left;
  }

  /// The first sampled line in [A, A + Bytes); 0 = none.
  static uint64_t sampledIn(uint64_t A, uint64_t Bytes) {
    for (uint64_t Page = A >> SampledPageBits;
         Page <= (A + Bytes - 1) >> SampledPageBits; ++Page)
      if (uint64_t Line = sampledLineOf(Page); touches(A, Bytes, Line))
        return Line;
    return 0;
  }

  /// Finds the next event of stream \p Which from iteration \p From on, which
  /// must be within the loop.
  void find(unsigned Which, uint64_t From) {
    const Stream &S = Streams[Which];
    constexpr int64_t PageBytes = 1 << SampledPageBits;
    const uint64_t A = at(S, From), Last = S.Last;
    if (S.Step > 0 && S.Step < PageBytes / 2) {
      const uint64_t LastPage = (Last + S.Bytes - 1) >> SampledPageBits;
      for (uint64_t Page = A >> SampledPageBits; Page <= LastPage; ++Page) {
        const uint64_t Line = sampledLineOf(Page);
        if (A >= Line + LineBytes)
          continue;
        if (Last + S.Bytes <= Line)
          return;
        uint64_t I = From, Here = A;
        if (A + S.Bytes <= Line) {
          I += steps(Line - (A + S.Bytes), S) + 1;
          Here = at(S, I);
        }
        if (touches(Here, S.Bytes, Line))
          return set(Which, I, Here, Line,
                     steps(Line + LineBytes - 1 - Here, S));
      }
      return;
    }
    if (!S.Step) {
      uint64_t Line = From ? 0 : sampledIn(S.Start, S.Bytes);
      if (Line)
        set(Which, 0, A, Line, Trips);
      return;
    }
    if (S.Step > 0 || S.Step <= -PageBytes / 2) {
      uint64_t Here = A;
      for (uint64_t I = From; I < Trips;
           ++I, Here += static_cast<uint64_t>(S.Step))
        if (uint64_t Line = sampledIn(Here, S.Bytes))
          return set(Which, I, Here, Line, 0);
      return;
    }
    for (uint64_t Page = (A + S.Bytes - 1) >> SampledPageBits;
         Page >= Last >> SampledPageBits; --Page) {
      const uint64_t Line = sampledLineOf(Page);
      if (A + S.Bytes <= Line)
        continue;
      if (Last >= Line + LineBytes)
        return;
      uint64_t I = From, Here = A;
      if (A >= Line + LineBytes) {
        I += steps(A - (Line + LineBytes), S) + 1;
        Here = at(S, I);
      }
      if (touches(Here, S.Bytes, Line))
        return set(Which, I, Here, Line, steps(Here + S.Bytes - 1 - Line, S));
    }
  }

public:
  void begin(uint64_t NumTrips) {
    Trips = NumTrips;
    NumStreams = 0;
  }
  /// \p Start is canonical; call it at most MaxStreams times.
  void add(uint64_t Start, int64_t Step, uint64_t Bytes) {
    const unsigned N = NumStreams++;
    Stream &S = Streams[N];
    S.Start = Start;
    S.Bytes = Bytes ? Bytes : 1;
    S.Step = Step;
    S.Last = at(S, Trips - 1);
    const uint64_t Width = width(S);
    S.Shift = Width & (Width - 1)
                  ? NoShift
                  : static_cast<unsigned>(__builtin_ctzll(Width | 1ull << 63));
    Nexts[N] = None;
    if (Trips)
      find(N, 0);
  }
  /// The next event before iteration \p End. False: there is none.
  bool next(uint64_t End, Event &Out) {
    uint64_t I = End;
    unsigned First = MaxStreams;
    for (unsigned N = 0; N < NumStreams; ++N)
      if (Nexts[N] < I) {
        I = Nexts[N];
        First = N;
      }
    if (First == MaxStreams)
      return false;
    const Stream &S = Streams[First];
    Out = {I, S.Address, S.Times, First};
    Nexts[First] = None;
    if (I + Out.Times < Trips)
      find(First, I + Out.Times);
    return true;
  }
  bool done() const {
    for (unsigned N = 0; N < NumStreams; ++N)
      if (Nexts[N] != None)
        return false;
    return true;
  }
};

} // namespace ekrec

#endif
