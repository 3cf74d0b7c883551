//===- PageRows.cpp - transfers per page in stream order ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PageRows.h.
//===----------------------------------------------------------------------===//
#include "PageRows.h"
#include "format/Course.h"
#include "record/tasks/Recorder.h"
#include "record/tasks/RowBudget.h"
#include <algorithm>

using namespace ekrec;
using evenkeel::Course;

void ekrec::nameRows(const RowOrder &Of) {
  for (Log *From = TheRecorder.Logs.load(); From; From = From->NextLog)
    for (const Segment &S : From->Segments) {
      const uint32_t Row = Of.Task[S.Task];
      if (Row == EK_NO_TASK)
        continue;
      ek_raw_page *P = From->Pages.begin() + S.First;
      for (uint64_t I = 0; I < S.Count; ++I) {
        P[I].task = Row;
        P[I].inst = Of.Instance[P[I].inst];
      }
      const auto Less = [](const ek_raw_page &A, const ek_raw_page &B) {
        return (uint64_t(A.inst) << 32 | A.page) <
               (uint64_t(B.inst) << 32 | B.page);
      };
      // Joined quanta are usually in order.
      if (!std::is_sorted(P, P + S.Count, Less))
        std::sort(P, P + S.Count, Less);
    }
}

Vec<TaskSegment> ekrec::orderSegments(const RowOrder &Of) {
  Vec<TaskSegment> Segments;
  for (const Log *From = TheRecorder.Logs.load(); From; From = From->NextLog)
    for (const Segment &S : From->Segments)
      if (const uint32_t Row = Of.Task[S.Task]; Row != EK_NO_TASK)
        Segments.push({Row, From, &S});
  std::sort(Segments.begin(), Segments.end(),
            [](const TaskSegment &A, const TaskSegment &B) {
              return lessTaskInst(A.Task, A.S->Quantum, B.Task, B.S->Quantum);
            });
  return Segments;
}

namespace {

struct ChunkRow {
  ek_raw_miss M;
  float When[Course::Parts]; // lines

  void add(const ek_raw_miss &N) {
    M.reads += N.reads;
    M.writes += N.writes;
    M.weight += N.weight;
  }
};

bool before(const ChunkRow &A, const ChunkRow &B) {
  return lessTaskInst(A.M.inst, A.M.chunk, B.M.inst, B.M.chunk);
}

/// Merges the rows of one task so that each chunk occurs once, by instance and
/// chunk.
void merge(Vec<ChunkRow> &V) {
  std::sort(V.begin(), V.end(), before);
  size_t Kept = 0;
  for (size_t I = 0; I < V.size(); ++I)
    if (Kept && !before(V[Kept - 1], V[I])) {
      V[Kept - 1].add(V[I].M);
      for (unsigned K = 0; K < Course::Parts; ++K)
        V[Kept - 1].When[K] += V[I].When[K];
    } else {
      V[Kept++] = V[I];
    }
  while (V.size() > Kept)
    V.pop();
}

uint32_t chunkOf(uint64_t Page, uint64_t Bytes) {
  const uint64_t Chunk = Bytes ? Page * EK_PAGE * EK_CHUNKS / Bytes : 0;
  return static_cast<uint32_t>(std::min<uint64_t>(Chunk, EK_CHUNKS - 1));
}

/// Calls \p Each with each chunk's part of the row, for all chunks of its
/// pages.
template <typename Function>
void splitByChunk(const ek_raw_page &P, uint64_t Bytes, Function Each) {
  const uint64_t First = EK_PAGE_FIRST(P.page);
  const uint64_t Have = std::max<uint64_t>((Bytes + EK_PAGE - 1) / EK_PAGE, 1);
  const uint64_t End = std::max(
      First + 1, std::min(First + (uint64_t(1) << EK_PAGE_SPAN(P.page)), Have));
  const uint64_t Pages = End - First;
  uint64_t Done = 0;
  uint32_t Reads = 0, Writes = 0;
  while (Done < Pages) {
    const uint32_t Chunk = chunkOf(First + Done, Bytes);
    const uint64_t Before = Done;
    while (++Done < Pages && chunkOf(First + Done, Bytes) == Chunk) {
    }
    const auto R = static_cast<uint32_t>(P.reads * Done / Pages),
               W = static_cast<uint32_t>(P.writes * Done / Pages);
    if (R != Reads || W != Writes || Pages == 1)
      Each(Chunk, R - Reads, W - Writes,
           P.reads ? P.weight * double(R - Reads) / double(P.reads)
                   : P.weight * double(Done - Before) / double(Pages));
    Reads = R;
    Writes = W;
  }
}

} // namespace

void ekrec::forEachChunk(Vec<TaskSegment> Segments,
                         const Vec<ek_raw_inst> &Instances,
                         const Vec<ek_raw_task> &Tasks, Sink<ek_raw_miss> Put) {
  Vec<ChunkRow> One;
  constexpr size_t Least = 1 << 16;
  size_t Limit = Least;
  for (size_t I = 0; I < Segments.size(); ++I) {
    const TaskSegment &T = Segments[I];
    const double Length =
                     shortQuanta(TheRecorder.Opts, Tasks[T.Task].core_cycles),
                 From = double(T.S->Quantum) / Length,
                 To = double(T.S->Quantum + (1u << T.S->Level)) / Length;
    // Quanta no shorter than a sixteenth of the task would blur the course.
    const bool Known = Length >= double(Course::Parts << T.S->Level);
    Course Share; // the quantum's share of each sixteenth
    if (Known)
      Share.add(1, std::min(From, 1 - 1 / Length), std::min(To, 1.0));
    const ek_raw_page *P = T.From->Pages.begin() + T.S->First;
    const size_t Begin = One.size();
    auto Add = [&](uint32_t Inst, uint32_t Chunk, uint32_t Reads,
                   uint32_t Writes, double Weight) {
      const ek_raw_miss M = {T.Task, Inst, Chunk, 0, Reads, Writes, Weight, 0};
      if (One.size() > Begin && One.back().M.inst == Inst &&
          One.back().M.chunk == Chunk)
        One.back().add(M);
      else
        One.push({M, {}});
      for (unsigned C = 0; Known && C < Course::Parts; ++C)
        One.back().When[C] += float(Share.Lines[C] * Reads);
    };
    for (const ek_raw_page *Row = P; Row != P + T.S->Count; ++Row)
      splitByChunk(
          *Row, Instances[Row->inst].bytes,
          [&](uint32_t Chunk, uint32_t Reads, uint32_t Writes, double Weight) {
            Add(Row->inst, Chunk, Reads, Writes, Weight);
          });
    const bool LastOfTask =
        I + 1 == Segments.size() || Segments[I + 1].Task != T.Task;
    if (LastOfTask || One.size() > Limit) {
      merge(One);
      Limit = std::max(Least, One.size() * 2);
    }
    if (!LastOfTask)
      continue;
    for (ChunkRow &C : One) {
      Course When;
      std::copy(C.When, C.When + Course::Parts, When.Lines);
      C.M.course = When.packed();
      Put(C.M);
    }
    One.clear();
    Limit = Least;
  }
  One.release();
  Segments.release();
}
