//===- Suite.h - recorded workloads to compare policies on ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: suite.json: programs with their facts, the profile of a base input,
// and records of target inputs with the sizes given for each target.
// Not here: recording (utils/make-suite) and comparing (evenkeel bench).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_SUITE_H
#define EVENKEEL_PROFILES_FORMAT_SUITE_H

#include "Error.h"
#include <string>
#include <vector>

namespace evenkeel {

struct SuiteTarget {
  std::string Name;             // unique in its workload: "2x"
  std::string Record;           // path of the target's miss record
  std::vector<std::string> For; // NAME=VALUE, as for `plan --for`
  std::string Prefix;           // path of a record of its prefix; may be empty
  uint64_t Threads = 0; // team size, as `plan --threads`; 0: that of the base
};

struct SuiteWorkload {
  std::string Name;
  std::vector<std::string> Groups;    // "merchandiser-five", "tahoe-seven", ...
  std::string Facts, Base;            // paths
  std::vector<std::string> MoreBases; // paths of further base inputs
  std::vector<SuiteTarget> Targets;
};

struct Suite {
  std::vector<SuiteWorkload> Workloads; // in the file's order
};

/// Paths in the file are relative to its folder. Errors: missing fields; names
/// that occur twice, or contain other characters than letters, digits, '.', '_'
/// and '-' (they become file names).
Expected<Suite> readSuite(const std::string &Path);

} // namespace evenkeel

#endif
