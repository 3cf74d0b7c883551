//===- WrapperLinks.h - code that asks what was linked ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: calls that are part of a context only if their function is an
// allocation wrapper, which units that are linked later decide
// (LinkedWrappers.h). The code knows them by their places, so a compilation
// without debug information has places for as long as that takes.
// Makes: the symbols by which units tell each other which functions are
// (format/ek_wrapper.h), as visible as the functions; around each such call a
// look at one.
// Not here: calls that unwinding leaves where nobody catches it, and
// coroutines, which may go on in another thread.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_WRAPPERLINKS_H
#define EVENKEEL_REWRITER_PLUGIN_WRAPPERLINKS_H

#include "edits/LinkedWrappers.h"
#include <memory>

namespace clang {
class CompilerInstance;
}

namespace evenkeel {

/// For the code that \p CI is going to make, which has not begun: what is in
/// the result by the time of the parse's end.
std::shared_ptr<LinkedWrappers> linkWrappers(clang::CompilerInstance &CI);

} // namespace evenkeel

#endif
