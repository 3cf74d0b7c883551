//===- Dependences.h - dependences between tasks ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the siblings for which a task waits according to `depend`, and the
// tasks for which their creator has waited.
// Makes: edges between tasks and their parts.
// Not here: when tasks begin and end (RunningTasks.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_DEPENDENCES_H
#define EVENKEEL_RUNTIME_RECORD_DEPENDENCES_H

#include "record/host/Vec.h"
#include <cstdint>

namespace ekrec {

class Frame;
struct Log;

/// Adds the dependences of task \p Child, just created by \p Parent. \p Deps:
/// as the compiler passes them to libomp.
void linkChild(Frame &Parent, Frame &Child, const void *Deps, int32_t NumDeps);
/// Whether the current part of \p Parent ends when it creates a task.
bool endsPart(const Frame &Parent);
/// \p Child has ended: updates what its taskgroup has to wait for.
void afterChild(Frame &Parent, const Frame &Child);
/// The running task has waited for its children; \p All: for all descendants.
/// Returns the last parts of those that no other task waited for; valid until
/// the next call.
const Vec<uint32_t> &waitedFor(Frame &F, bool All);
/// Writes the dependences of the current part of \p F on F.Preds.
void writePreds(const Frame &F, Log &Out);

} // namespace ekrec

#endif
