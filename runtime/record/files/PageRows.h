//===- PageRows.h - transfers per page in stream order ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: logs have page rows in segments, one per quantum of a task, with
// internal numbers of tasks and instances that depend on timing.
// Makes: the same with the stream's row numbers, in its order; and sums per
// chunk of an instance, with the course of its fetches (format/Course.h). The
// course needs quanta as short as recorded; the quanta that are written are
// longer (RowBudget.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_PAGEROWS_H
#define EVENKEEL_RUNTIME_RECORD_PAGEROWS_H

#include "record/tasks/Frame.h"

namespace ekrec {

struct RowOrder { // rows of tasks and instances by internal number
  Vec<uint32_t> Task, Instance;
};

struct TaskSegment {
  uint32_t Task; // row number
  const Log *From;
  const Segment *S;
};

inline bool lessTaskInst(uint32_t TA, uint32_t IA, uint32_t TB, uint32_t IB) {
  return TA != TB ? TA < TB : IA < IB;
}

/// Replaces internal numbers in page rows, and sorts each segment by instance
/// and page. Call once, when nothing is added any more.
void nameRows(const RowOrder &Of);

/// The segments of tasks in the stream, by task and quantum.
Vec<TaskSegment> orderSegments(const RowOrder &Of);

/// Receives rows.
template <typename T> class Sink {
  void *Who;
  void (*Call)(void *, const T &);

public:
  template <typename Function>
  Sink(Function &F)
      : Who(&F), Call([](void *Self, const T &Row) {
          (*static_cast<Function *>(Self))(Row);
        }) {}
  void operator()(const T &Row) const { Call(Who, Row); }
};

/// Sums of the rows of renumbered segments per task, instance and chunk, in
/// this order. Consumes \p Segments.
void forEachChunk(Vec<TaskSegment> Segments, const Vec<ek_raw_inst> &Instances,
                  const Vec<ek_raw_task> &Tasks, Sink<ek_raw_miss> Put);

} // namespace ekrec

#endif
