//===- WrapperCalls.h - calls of allocation wrappers ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which functions are allocation wrappers, by the same rules as the
// rewriter uses on the syntax tree (rewriter/rules/wrapper.md), found in code
// as the front end made it. Makes: the ids of wrapper calls, from which
// contexts are formed (format/ek_context.h). Metadata !ek.wrappers keeps what
// each unit knows, so that a link of units knows the wrappers of all of them.
// Not here: wrappers that the syntax does not show as such.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_WRAPPERCALLS_H
#define EVENKEEL_PASSES_OBJECTS_WRAPPERCALLS_H

#include "unit/Source.h"
#include "llvm/ADT/DenseSet.h"

namespace evenkeel {

class WrapperCalls {
  llvm::DenseSet<uint64_t> Ids;

public:
  /// Reads the notes that the units left in \p M; without notes, examines
  /// \p M's code.
  explicit WrapperCalls(llvm::Module &M);

  bool empty() const { return Ids.empty(); }
  bool contains(uint64_t Id) const { return Ids.contains(Id); }
  /// The id of the call at \p L in its own frame; 0: not a wrapper call.
  uint64_t at(const SourceMap &Source, const llvm::DILocation *L) const;
};

/// Stores in \p M, as the front end made it, what its functions and calls show.
void noteWrappers(llvm::Module &M);

} // namespace evenkeel

#endif
