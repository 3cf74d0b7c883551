//===- WrapperLinks.h - code that depends on linked wrappers ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: calls that belong to a context only if their function is an allocation
// wrapper, which is decided when other units are linked (LinkedWrappers.h).
// They are found in the code by their places; if the user wants no debug
// information, it exists only until then.
// Makes: the symbols by which units tell each other which functions are
// wrappers (format/ek_wrapper.h), with the visibility of the functions; and a
// test of such a symbol around each of these calls.
// Not here: calls whose exceptions are not caught in the function, and
// coroutines, which may resume on another thread.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_WRAPPERLINKS_H
#define EVENKEEL_REWRITER_PLUGIN_WRAPPERLINKS_H

#include "edits/LinkedWrappers.h"
#include <memory>

namespace clang {
class CompilerInstance;
}

namespace evenkeel {

/// Applies to the code that \p CI makes, which must not have begun. The caller
/// fills the returned value before the parse ends.
std::shared_ptr<LinkedWrappers> linkWrappers(clang::CompilerInstance &CI);

} // namespace evenkeel

#endif
