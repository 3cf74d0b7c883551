//===- Contexts.h - calls of wrappers that are open on a thread -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: instrumented code tells the calls of allocation wrappers, also those
// that were inlined.
// Makes: who asks for a block, as the run time says it (format/ek_context.h).
// Not here: which functions are wrappers.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_CONTEXTS_H
#define EVENKEEL_RUNTIME_RECORD_CONTEXTS_H

#include "format/ek_context.h"
#include "record/objects/Space.h"

namespace ekrec {

/// Zeroed memory is one without calls. Calls beyond the deepest are counted in
/// Depth only, as the run time drops them.
struct OpenCalls {
  uint64_t Depth;
  uint64_t Calls[EK_CONTEXT_DEPTH];
};

/// Who asks for a block of \p Site on the calling thread.
Asked askedAt(uint64_t Site);

} // namespace ekrec

#endif
