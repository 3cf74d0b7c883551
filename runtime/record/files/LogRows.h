//===- LogRows.h - all threads' rows in stream order ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: each thread's log has rows with internal numbers of tasks and
// instances; the rows of a task are all in one log.
// Makes: all rows of a kind with the stream's row numbers, sorted by task and
// instance, one after the other, so that there is never a second copy of them.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_LOGROWS_H
#define EVENKEEL_RUNTIME_RECORD_LOGROWS_H

#include "PageRows.h"
#include "record/tasks/Recorder.h"
#include <algorithm>

namespace ekrec {

template <typename T> inline bool lessRow(const T &A, const T &B) {
  return lessTaskInst(A.task, A.inst, B.task, B.inst);
}

/// Sets the final numbers and order of rows; drops rows of tasks that are not
/// in the stream.
template <typename T> void nameAndSort(Vec<T> &Rows, const RowOrder &Of) {
  size_t Kept = 0;
  for (T Row : Rows) {
    Row.task = Of.Task[Row.task];
    Row.inst = Of.Instance[Row.inst];
    if (Row.task != EK_NO_TASK)
      Rows[Kept++] = Row;
  }
  Rows.shrink(Kept);
  const auto Less = [](const T &A, const T &B) { return lessRow(A, B); };
  if (!std::is_sorted(Rows.begin(), Rows.end(), Less))
    std::sort(Rows.begin(), Rows.end(), Less);
}

/// The rows of one log that were not passed on yet. By default, they are stored
/// as they are written.
template <typename T> struct LogHead {
  const T *At, *End;
  bool done() const { return At == End; }
  const T &row() const { return *At; }
  void next() { ++At; }
};

/// Passes the rows of \p Heads to \p Put, in order. Consumes \p Heads.
template <typename Head, typename Function>
void mergeRows(Vec<Head> Heads, Function Put) {
  size_t Left = 0;
  for (const Head &H : Heads)
    if (!H.done())
      Heads[Left++] = H;
  Heads.shrink(Left);
  const auto Later = [](const Head &A, const Head &B) {
    return lessRow(B.row(), A.row());
  };
  std::make_heap(Heads.begin(), Heads.end(), Later);
  while (!Heads.empty()) {
    std::pop_heap(Heads.begin(), Heads.end(), Later);
    Head &H = Heads.back();
    Put(H.row());
    H.next();
    if (H.done())
      Heads.pop();
    else
      std::push_heap(Heads.begin(), Heads.end(), Later);
  }
  Heads.release();
}

/// Passes all rows of a kind to \p Put and frees their memory.
template <typename T, typename Function>
void forEachRow(Vec<T> Log::*Which, const RowOrder &Of, Function Put) {
  Vec<LogHead<T>> Heads;
  for (Log *L = TheRecorder.Logs.load(); L; L = L->NextLog) {
    nameAndSort(L->*Which, Of);
    Heads.push({(L->*Which).begin(), (L->*Which).end()});
  }
  mergeRows(Heads, Put);
  for (Log *L = TheRecorder.Logs.load(); L; L = L->NextLog)
    (L->*Which).release();
}

/// The miss-ratio curves of one log, of both kinds.
struct CurveHead {
  const ek_raw_mrc *At, *End;
  const StepCurve *Step, *StepEnd;
  bool done() const { return At == End && Step == StepEnd; }
  bool isStep() const {
    return At == End || (Step != StepEnd && lessTaskInst(Step->task, Step->inst,
                                                         At->task, At->inst));
  }
  ek_raw_mrc row() const { return isStep() ? Step->curve() : *At; }
  void next() { isStep() ? void(++Step) : void(++At); }
};

template <typename Function>
void forEachCurve(const RowOrder &Of, Function Put) {
  Vec<CurveHead> Heads;
  for (Log *L = TheRecorder.Logs.load(); L; L = L->NextLog) {
    nameAndSort(L->Curves, Of);
    nameAndSort(L->StepCurves, Of);
    Heads.push({L->Curves.begin(), L->Curves.end(), L->StepCurves.begin(),
                L->StepCurves.end()});
  }
  mergeRows(Heads, Put);
  for (Log *L = TheRecorder.Logs.load(); L; L = L->NextLog) {
    L->Curves.release();
    L->StepCurves.release();
  }
}

} // namespace ekrec

#endif
