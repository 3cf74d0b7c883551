//===- Dependences.h - what tasks wait for -------------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which siblings a task waits for, by what `depend` says, and which
// tasks their creator has waited for.
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

/// What task \p Child, just created by \p Parent, waits for. \p Deps: as the
/// compiler hands them to libomp.
void linkChild(Frame &Parent, Frame &Child, const void *Deps, int32_t NumDeps);
/// Whether the part that \p Parent runs ends where it creates a task.
bool endsPart(const Frame &Parent);
/// \p Child has ended: what its taskgroup still waits for.
void afterChild(Frame &Parent, const Frame &Child);
/// The running task has waited for its children; \p All: for theirs, too.
/// Returns the last parts of those that nobody else waited for; it holds until
/// the next call.
const Vec<uint32_t> &waitedFor(Frame &F, bool All);
/// Writes down that the running part of \p F waits for F.Preds.
void writePreds(const Frame &F, Log &Out);

} // namespace ekrec

#endif
