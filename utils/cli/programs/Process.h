//===- Process.h - running other programs -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: run one program and keep what it says, run many at once, or become
// one. Arguments are passed as they are; no shell is involved.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PROCESS_H
#define EVENKEEL_UTILS_CLI_PROCESS_H

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace evenkeel::cli {

struct Job {
  std::vector<std::string> Argv;
  std::string Directory;                                // "" = here
  std::vector<std::pair<std::string, std::string>> Env; // added to ours
  bool Quiet = true;        // capture stdout and stderr; else inherit both
  bool FixedLayout = false; // no address space randomisation
  bool StdoutToStderr = false;
};

struct JobResult {
  int Status = 0;        // exit status; 128 + signal; 127 cannot start
  std::string Out, Err;  // captured when Quiet
  double CpuSeconds = 0; // user and system time
};

JobResult runJob(const Job &J);
/// At most \p Parallel at a time; results in order of \p Jobs. \p What names
/// the work in progress messages. \p OnDone hears of each job as it ends, one
/// at a time; a Failure from it ends the rest.
std::vector<JobResult>
runJobs(const std::vector<Job> &Jobs, unsigned Parallel,
        const std::string &What,
        const std::function<void(size_t, const JobResult &)> &OnDone = {});
/// Replaces this process; fails when the program cannot be started.
[[noreturn]] void becomeJob(const Job &J);

/// First line of \p Text that holds ": error:" or "error:", else the first
/// line, without trailing space.
std::string firstError(const std::string &Text);

} // namespace evenkeel::cli

#endif
