//===- Record.h - instrumentation of a recorded program ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the interface between the plugin and the recorder: one function that
// inserts recording calls into a module that has just been analysed.
// Not here: the analysis itself (Access.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_RECORD_H
#define EVENKEEL_PASSES_RECORD_RECORD_H

#include "record/Mode.h"

namespace llvm {
class Module;
}

namespace evenkeel {

struct EkAccessResult;

/// Instruments \p M for recording. \p R must describe the present state of
/// \p M. Returns whether \p M changed.
bool instrumentForRecording(llvm::Module &M, const EkAccessResult &R,
                            RecordMode Mode);

} // namespace evenkeel

#endif
