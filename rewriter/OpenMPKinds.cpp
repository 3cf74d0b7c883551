//===- OpenMPKinds.cpp - groups of OpenMP directives ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see the header.
//===----------------------------------------------------------------------===//
#include "OpenMPKinds.h"

namespace evenkeel {
using namespace clang;

bool isDeviceDirective(OpenMPDirectiveKind K) {
  return isOpenMPTargetExecutionDirective(K) || isOpenMPTeamsDirective(K) ||
         isOpenMPDistributeDirective(K);
}

bool isOneThread(OpenMPDirectiveKind K) {
  using namespace llvm::omp;
  switch (K) {
  case OMPD_single:
  case OMPD_master:
  case OMPD_masked:
  case OMPD_critical:
  case OMPD_section:
  case OMPD_sections:
  case OMPD_parallel_sections:
  case OMPD_parallel_master:
  case OMPD_parallel_masked:
  case OMPD_task:
    return true;
  default:
    return isOpenMPTaskLoopDirective(K);
  }
}

} // namespace evenkeel
