//===- LoopWalk.h - the sampled lines that a loop comes by ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: accesses that each iteration of a loop makes at a constant distance
// from the one before (streams), and how many iterations there are.
// Makes: which of them are to sampled lines, in the order in which the loop
// makes them: by iteration, then as in the code. Accesses of a stream to one
// line, one behind the other, are one event. Steps below a page cost a division
// per page; others are tried one by one.
// Leaves out: what an event means (Recorder.cpp). Not thread-safe.
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
    Event Next;
  } Streams[MaxStreams];
  unsigned NumStreams = 0;
  uint64_t Trips = 0;

  static constexpr uint64_t None = UINT64_MAX;

  uint64_t at(const Stream &S, uint64_t I) const {
    return S.Start + static_cast<uint64_t>(S.Step) * I;
  }
  /// Whole steps in a distance; most are an element's size.
  static uint64_t steps(uint64_t Distance, uint64_t Step) {
    return Step & (Step - 1) ? Distance / Step
                             : Distance >> __builtin_ctzll(Step);
  }
  static bool touches(uint64_t A, uint64_t Bytes, uint64_t Line) {
    return A < Line + LineBytes && A + Bytes > Line;
  }
  /// Iterations from \p From on, the access at which touches \p Line.
  uint64_t run(const Stream &S, uint64_t From, uint64_t Line) const {
    uint64_t A = at(S, From);
    uint64_t N =
        S.Step >= 0
            ? steps(Line + LineBytes - 1 - A, static_cast<uint64_t>(S.Step))
            : steps(A + S.Bytes - 1 - Line, static_cast<uint64_t>(-S.Step));
    uint64_t Left = Trips - From;
    return N + 1 < Left ? N + 1 : Left;
  }
  void set(Stream &S, uint64_t I, uint64_t Line, uint64_t Times) {
    uint64_t A = at(S, I);
    S.Next.Iteration = I;
    S.Next.Address = A < Line ? Line : A;
    S.Next.Times = Times;
  }

  /// The first sampled line that [A, A + Bytes) touches; 0 = none.
  static uint64_t sampledIn(uint64_t A, uint64_t Bytes) {
    for (uint64_t Page = A >> SampledPageBits;
         Page <= (A + Bytes - 1) >> SampledPageBits; ++Page)
      if (uint64_t Line = sampledLineOf(Page); touches(A, Bytes, Line))
        return Line;
    return 0;
  }

  void find(Stream &S, uint64_t From) {
    constexpr int64_t PageBytes = 1 << SampledPageBits;
    S.Next.Iteration = None;
    if (From >= Trips)
      return;
    if (!S.Step) {
      uint64_t Line = From ? 0 : sampledIn(S.Start, S.Bytes);
      if (Line)
        set(S, 0, Line, Trips);
      return;
    }
    if (S.Step >= PageBytes / 2 || S.Step <= -PageBytes / 2) {
      for (uint64_t I = From; I < Trips; ++I)
        if (uint64_t Line = sampledIn(at(S, I), S.Bytes))
          return set(S, I, Line, 1);
      return;
    }
    uint64_t A = at(S, From), Last = at(S, Trips - 1);
    if (S.Step > 0) {
      for (uint64_t Page = A >> SampledPageBits;
           Page <= (Last + S.Bytes - 1) >> SampledPageBits; ++Page) {
        uint64_t Line = sampledLineOf(Page), I = From;
        if (A >= Line + LineBytes)
          continue;
        if (Last + S.Bytes <= Line)
          return;
        if (A + S.Bytes <= Line)
          I += steps(Line - (A + S.Bytes), static_cast<uint64_t>(S.Step)) + 1;
        if (I >= Trips)
          return;
        if (touches(at(S, I), S.Bytes, Line))
          return set(S, I, Line, run(S, I, Line));
      }
      return;
    }
    for (uint64_t Page = (A + S.Bytes - 1) >> SampledPageBits;
         Page >= Last >> SampledPageBits; --Page) {
      uint64_t Line = sampledLineOf(Page), I = From;
      if (A + S.Bytes <= Line)
        continue;
      if (Last >= Line + LineBytes)
        return;
      if (A >= Line + LineBytes)
        I += steps(A - (Line + LineBytes), static_cast<uint64_t>(-S.Step)) + 1;
      if (I >= Trips)
        return;
      if (touches(at(S, I), S.Bytes, Line))
        return set(S, I, Line, run(S, I, Line));
    }
  }

public:
  void begin(uint64_t NumTrips) {
    Trips = NumTrips;
    NumStreams = 0;
  }
  /// \p Start is canonical; at most MaxStreams.
  void add(uint64_t Start, int64_t Step, uint64_t Bytes) {
    Stream &S = Streams[NumStreams];
    S = {Start, Bytes ? Bytes : 1, Step, {None, 0, 0, NumStreams}};
    ++NumStreams;
    find(S, 0);
  }
  /// The next event before iteration \p End. False: there is none.
  bool next(uint64_t End, Event &Out) {
    Stream *First = nullptr;
    for (unsigned I = 0; I < NumStreams; ++I)
      if (Streams[I].Next.Iteration < End &&
          (!First || Streams[I].Next.Iteration < First->Next.Iteration))
        First = &Streams[I];
    if (!First)
      return false;
    Out = First->Next;
    find(*First, Out.Iteration + Out.Times);
    return true;
  }
  bool done() const {
    for (unsigned I = 0; I < NumStreams; ++I)
      if (Streams[I].Next.Iteration != None)
        return false;
    return true;
  }
};

} // namespace ekrec

#endif
