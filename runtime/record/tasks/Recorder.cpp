//===- Recorder.cpp - the record as a whole -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: the one record of the process, and each thread's state.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Recorder.h"

namespace ekrec {
Recorder TheRecorder{};
__thread ThreadState State{};
} // namespace ekrec
