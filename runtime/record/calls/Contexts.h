//===- Contexts.h - open wrapper calls of a thread --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the calls of allocation wrappers that instrumented code reports,
// including inlined ones.
// Makes: the context of a block, as the runtime forms it (format/ek_context.h).
// Not here: which functions are wrappers.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_CONTEXTS_H
#define EVENKEEL_RUNTIME_RECORD_CONTEXTS_H

#include "format/ek_context.h"
#include "record/objects/Space.h"

namespace ekrec {

/// Zero-initialised: no calls. Calls beyond the maximum depth only count in
/// Depth; the runtime drops them, too.
struct OpenCalls {
  uint64_t Depth;
  uint64_t Calls[EK_CONTEXT_DEPTH];
};

/// The requester of a block for \p Site on the calling thread.
Asked askedAt(uint64_t Site);

} // namespace ekrec

#endif
