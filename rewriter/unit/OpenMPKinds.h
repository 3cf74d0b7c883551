//===- OpenMPKinds.h - groups of OpenMP directives --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which directives run on a device, which run their statement on one
// thread or on a team, and which never create a team.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_OPENMPKINDS_H
#define EVENKEEL_REWRITER_OPENMPKINDS_H

#include "edits/Findings.h"
#include "clang/Basic/OpenMPKinds.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class OMPExecutableDirective;
class Stmt;
} // namespace clang

namespace evenkeel {

/// Directives whose code runs, or may run, on a device.
bool isDeviceDirective(clang::OpenMPDirectiveKind K);
/// Directives whose statement one thread executes at a time.
bool isOneThread(clang::OpenMPDirectiveKind K);
/// Which threads reach code inside the directives \p Enclosing (outermost
/// first); Unknown if none of them decides that.
Reach reachInside(
    llvm::ArrayRef<const clang::OMPExecutableDirective *> Enclosing);
/// Whether \p D is a parallel directive whose if clause is always false: the
/// encountering thread executes its statement, and no thread waits at its end.
bool neverForks(const clang::OMPExecutableDirective &D,
                const clang::ASTContext &Context);

/// Whether \p S, the statement of \p D, may end by cancellation, or on a
/// different thread from the one that began it.
bool leavesEarly(const clang::OMPExecutableDirective *D, const clang::Stmt *S);

} // namespace evenkeel

#endif
