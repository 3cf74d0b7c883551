//===- PageRows.h - transfers per page, in the order of a stream -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: logs have page rows in segments, one per quantum of a task, under
// numbers of tasks and instances that depend on timing.
// Makes: the same by the numbers of a stream's rows, in its order; sums per
// chunk of an instance, and when in a task's course its lines were fetched
// (format/Course.h). That wants quanta as short as they were recorded; what is
// written are longer ones (RowBudget.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_PAGEROWS_H
#define EVENKEEL_RUNTIME_RECORD_PAGEROWS_H

#include "record/tasks/Frame.h"

namespace ekrec {

struct RowOrder { // rows of tasks and instances, by internal number
  Vec<uint32_t> Task, Instance;
};

struct TaskSegment {
  uint32_t Task; // row
  const Log *From;
  const Segment *S;
};

inline bool lessTaskInst(uint32_t TA, uint32_t IA, uint32_t TB, uint32_t IB) {
  return TA != TB ? TA < TB : IA < IB;
}

/// Names page rows after the rows of tasks and instances, each segment by
/// instance and page. Once, when nothing is added any more.
void nameRows(const RowOrder &Of);

/// Segments of the stream's tasks, by task and quantum.
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

/// Rows of named segments added up per task, instance and chunk, in this order.
/// Takes \p Segments.
void forEachChunk(Vec<TaskSegment> Segments, const Vec<ek_raw_inst> &Instances,
                  const Vec<ek_raw_task> &Tasks, Sink<ek_raw_miss> Put);

} // namespace ekrec

#endif
