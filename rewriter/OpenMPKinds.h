//===- OpenMPKinds.h - groups of OpenMP directives --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which directives run elsewhere than on the host, and which run their
// statement on one thread.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_OPENMPKINDS_H
#define EVENKEEL_REWRITER_OPENMPKINDS_H

#include "clang/Basic/OpenMPKinds.h"

namespace evenkeel {

/// Directives whose code runs, or may run, on a device.
bool isDeviceDirective(clang::OpenMPDirectiveKind K);
/// Directives whose statement one thread executes at a time.
bool isOneThread(clang::OpenMPDirectiveKind K);

} // namespace evenkeel

#endif
