//===- Process.h - running other programs -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to run one program and capture its output, to run many in
// parallel, or to become one. Arguments are passed unchanged, without a shell.
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
  std::string Directory;                                // "" = the current one
  std::vector<std::pair<std::string, std::string>> Env; // added to ours
  bool Quiet = true;        // capture stdout and stderr; else inherit both
  bool FixedLayout = false; // disable address space randomisation
  bool StdoutToStderr = false;
  std::string Program = "";    // what is executed, if not Argv[0]
  std::string OutputFile = ""; // replaced; gets stderr, and stdout unless it is
                               // captured
};

struct JobResult {
  int Status = 0;        // exit status; 128 + signal; 127: could not start
  std::string Out, Err;  // captured if Quiet (Err not with OutputFile)
  double CpuSeconds = 0; // user and system time
};

JobResult runJob(const Job &J);
/// Runs at most \p Parallel jobs at a time; returns results in the order of \p
/// Jobs. \p What names the work in progress messages. \p OnDone is called as
/// each job ends, one call at a time; a Failure from it ends the other jobs.
std::vector<JobResult>
runJobs(const std::vector<Job> &Jobs, unsigned Parallel,
        const std::string &What,
        const std::function<void(size_t, const JobResult &)> &OnDone = {});
/// Replaces this process; fails if the program cannot be started.
[[noreturn]] void becomeJob(const Job &J);

/// The first line of \p Text that contains ": error:" or "error:", or else the
/// first line, without trailing space.
std::string firstError(const std::string &Text);

} // namespace evenkeel::cli

#endif
