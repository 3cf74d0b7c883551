//===- SystemHeaders.h - which headers are the system's ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a header is the system's where it was found in a system folder, or
// says so itself (a pragma, a line marker). Clang also counts what such a
// header includes, to silence warnings: a project's own headers, where CMake
// gathers them for precompiling behind `#pragma clang system_header`. Those are
// not.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_SYSTEMHEADERS_H
#define EVENKEEL_REWRITER_SYSTEMHEADERS_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class HeaderSearch;
class SourceManager;
} // namespace clang

namespace evenkeel {

/// \p Loc is a place in a file, not in a macro. \p Headers is the search that
/// found the file.
bool isInSystemHeader(const clang::SourceManager &SM,
                      const clang::HeaderSearch &Headers,
                      clang::SourceLocation Loc);

} // namespace evenkeel

#endif
