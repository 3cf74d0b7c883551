//===- StackLog.h - whole call stacks that a run showed ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the log of libevenkeel-preload (EVENKEEL_STACK_LOG): for each call
// stack that allocated an object of a site, "SITE CONTEXT BYTES FILE!OFFSET >
// FILE!OFFSET", innermost first, to the root.
// Makes: FlexMalloc's locations and memory definitions for a plan.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_ECOHMEM_STACKLOG_H
#define EVENKEEL_PROFILES_FORMAT_ECOHMEM_STACKLOG_H

#include "format/Error.h"
#include "format/plan/Plan.h"
#include <map>
#include <string>
#include <vector>

namespace evenkeel::ecohmem {

struct LoggedStack {
  uint64_t Site = 0, Context = 0, Bytes = 0;
  std::string Stack;
};

/// Each stack once, sorted. Errors: another kind of file, a line that is cut.
Expected<std::vector<LoggedStack>> parseStackLog(const std::string &Text,
                                                 const std::string &Path);
Expected<std::vector<LoggedStack>> readStackLog(const std::string &Path);

/// The allocators of FlexMalloc for fast and slow memory.
struct Allocators {
  std::string Fast, Slow;
  std::vector<std::string> SlowFolders; // memkind/pmem: where it is mounted
};
/// Error if \p Name is none of posix, memkind/hbwmalloc, memkind/pmem.
MaybeError checkAllocator(const std::string &Name);

struct FlexMallocFiles {
  std::string Locations, Definitions;
  unsigned Fast = 0, Slow = 0;          // stacks
  std::map<std::string, uint64_t> Left; // reason and number
};

/// FlexMalloc places whole objects: a stack of which the plan has a part in
/// fast memory goes there if there is room left, those with large shares first.
/// Such stacks are counted (share-rounded). Plans that move objects are
/// counted, too (moves-not-made). Errors: no stack belongs to the plan.
Expected<FlexMallocFiles> filesOf(const Plan &P,
                                  const std::vector<LoggedStack> &Stacks,
                                  const Allocators &A);

} // namespace evenkeel::ecohmem

#endif
