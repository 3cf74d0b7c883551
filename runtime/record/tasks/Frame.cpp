//===- Frame.cpp - the state of one running task --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: the rows of Frame.h.
//===----------------------------------------------------------------------===//
#include "Frame.h"
#include "Recorder.h"
#include "RowBudget.h"
#include "record/caches/Sampling.h"
#include "record/host/Report.h"

using namespace ekrec;

void Frame::begin(uint32_t TaskNumber, Lane *L, Log *Where,
                  const Options *Opts) {
  Task = First = TaskNumber;
  TheLane = L;
  Out = Where;
  O = Opts;
  Quantum = 0;
  QuantumEnd = quantumEnd(*O, 0);
  Waited = 0;
  Symbols.begin(TaskNumber);
}

void Frame::growCounts(uint32_t Instance) {
  pauseForEnd(State);
  size_t Want = Counts.empty() ? 64 : Counts.size() * 2;
  while (Want <= Instance)
    Want *= 2;
  if (!Counts.extend(Want)) {
    count(Why::NoMemory);
    if (Counts.empty())
      Counts.extend(1);
  }
}

Frame::Row *Frame::rowOf(Page P) {
  if (__builtin_expect(State.Slots >= QuantumEnd, 0)) {
    flushQuantum();
    Quantum = quantumAt(*O, State.Slots);
    QuantumEnd = quantumEnd(*O, Quantum);
  }
  if (!P.Instance)
    return nullptr;
  if (const uint32_t Span = TheSpace.Table[P.Instance].Span)
    P.Number = EK_PAGE_ROW(P.Number >> Span << Span, Span);
  if (UsedRows.size() * 2 >= Rows.size()) {
    Vec<Row> Old = Rows;
    Rows = Vec<Row>();
    if (!Rows.extend(Old.empty() ? 1024 : Old.size() * 2)) {
      count(Why::NoMemory);
      Rows = Old;
      return nullptr;
    }
    UsedRows.clear();
    for (const Row &R : Old) {
      if (!R.Key)
        continue;
      size_t I = placeOf(R.Key);
      while (Rows[I].Key)
        I = (I + 1) & (Rows.size() - 1);
      Rows[I] = R;
      UsedRows.push(static_cast<uint32_t>(I));
    }
    Old.release();
  }
  const uint64_t Key = keyOf(P);
  size_t I = placeOf(Key);
  while (Rows[I].Key && Rows[I].Key != Key)
    I = (I + 1) & (Rows.size() - 1);
  if (!Rows[I].Key) {
    Rows[I] = {Key, 0, 0, 0, 0};
    UsedRows.push(static_cast<uint32_t>(I));
  }
  return &Rows[I];
}

void Frame::fetch(uint64_t Line, double Weight, bool Dependent) {
  if (Row *R = rowOf(lookup(Line * LineBytes))) {
    R->Reads += O->Rate;
    R->Weight += Weight * O->Rate;
    Waited += Weight * O->Rate;
    R->Dependent += Dependent ? O->Rate : 0;
  }
}

void Frame::writeBack(uint64_t Line) {
  Page P = lookupDirty(Line * LineBytes, State.Thread, State.Phase);
  if (Row *R = rowOf(P))
    R->Writes += O->Rate;
}

void Frame::curve(uint32_t Owner, unsigned Sizes, unsigned Times) {
  if (!Owner)
    return;
  InstanceCount &C = countOf(Owner);
  for (unsigned I = 0; I < LlcSizes; ++I)
    C.Curve[I] += Sizes >> I & 1 ? Times * O->Rate : 0;
}

void Frame::stall(uint64_t Cycles) { State.Slots += Cycles * SlotsPerCycle; }

void Frame::flushQuantum() {
  if (UsedRows.empty())
    return;
  uint64_t Added = 0;
  Out->lock();
  if (!closed()) {
    uint64_t First = Out->Pages.size();
    for (uint32_t I : UsedRows) {
      const Row &R = Rows[I];
      Out->Pages.push({Task, Quantum, static_cast<uint32_t>(R.Key >> 32),
                       static_cast<uint32_t>(R.Key), R.Reads, R.Writes,
                       O->Rate == 1 ? static_cast<float>(R.Weight)
                                    : roundedWeight(R.Weight),
                       R.Dependent});
    }
    Added = Out->Pages.size() - First;
    Out->Segments.push({Task, Quantum, First, Added, 0});
  }
  Out->unlock();
  rowsAdded(Added);
  for (uint32_t I : UsedRows)
    Rows[I].Key = 0;
  UsedRows.clear();
}

void Frame::writePart(const uint32_t *Next) {
  TheLane->endTask(*this);
  flushQuantum();
  Out->lock();
  bool Write = !closed();
  for (uint32_t N : Touched) {
    InstanceCount &C = Counts[N];
    if (Write) {
      Out->Accesses.push({Task, N, C.Reads, C.Writes});
      Out->Tracked += C.Reads + C.Writes;
      ek_raw_mrc M = {Task, N, {}};
      bool Any = false;
      for (unsigned I = 0; I < LlcSizes; ++I) {
        M.reads[I] = C.Curve[I];
        Any |= C.Curve[I] != 0;
      }
      StepCurve Step;
      if (Any && Step.set(M))
        Out->StepCurves.push(Step);
      else if (Any)
        Out->Curves.push(M);
      if (C.FarLines)
        Out->Far.push(
            {Task, N, C.FarLines,
             O->Rate == 1 ? C.FarWeight : double(roundedWeight(C.FarWeight))});
    }
    C = InstanceCount();
  }
  Symbols.end(Write ? &Out->Symbols : nullptr, Next);
  Out->unlock();
  Touched.clear();
}

void Frame::nextPart(uint32_t Next) {
  writePart(&Next);
  Task = Next;
  Quantum = 0;
  QuantumEnd = quantumEnd(*O, 0);
}

void Frame::end() {
  writePart(nullptr);
  Children.clear();
  Preds.clear();
}
