//===- FromProfile.h - a profile as ecoHMEM's advisor takes it --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: objects of ecoHMEM are call stacks; here they are sites, with the
// chain of wrapper calls where there is one. Loads and stores are lines from
// and to main memory of all tasks. Leaves out: stack variables, and small
// blocks, which belong to the C library.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_ECOHMEM_FROMPROFILE_H
#define EVENKEEL_PROFILES_FORMAT_ECOHMEM_FROMPROFILE_H

#include "AllocsInfo.h"
#include "format/Facts.h"
#include "format/profile/Profile.h"

namespace evenkeel::ecohmem {

struct ProfileTables {
  std::vector<std::string> Stacks;            // sorted
  std::vector<uint64_t> Loads, Stores, Bytes; // Bytes: peak of live bytes
  std::vector<Allocation> Allocations;        // objects are numbered from 1
  uint64_t PeakBytes = 0;
};

/// Times of allocations are those of phases, by the longest task of each, in
/// nanoseconds. Processes are ranks. Errors: no object with accesses.
Expected<ProfileTables> tablesOf(const Profile &P, const Facts &F);

} // namespace evenkeel::ecohmem

#endif
