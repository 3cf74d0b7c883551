//===- Probe.cpp - evenkeel probe -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the best base for a plan is the beginning of the very run that it is
// for. This is `evenkeel record` with the options for that.
// Makes: probe.ekdb, as record does.
// Not here: how a run is recorded (Record.cpp).
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include <cstdio>
#include <cstdlib>

using namespace evenkeel;
using namespace evenkeel::cli;

static int run(const Args &A) {
  if (A.Command.empty())
    fail("no program; write it after --, as in: evenkeel probe -- ./solver "
         "input");
  if (const std::string N = A.text("--seconds");
      N.find_first_not_of("0123456789.") != std::string::npos ||
      !(std::atof(N.c_str()) > 0))
    fail("--seconds must be a number of seconds, not '" + N + "'");
  Args Record = A;
  Record.Options = &recordCommand().Options;
  Record.Values.erase("--seconds");
  if (!A.has("--counts"))
    Record.Values["--sampled"] = {""};
  Record.Values["--until"] = {
      A.has("--seconds") ? "phases " + A.text("--seconds") + "s" : "phases"};
  Record.Values["--output"] = {A.text("--output")};
  Record.Values["--machine"] = {A.text("--machine")};
  const int Status = recordCommand().Run(Record);
  if (!Status && !A.has("--json"))
    std::fprintf(
        stderr,
        "next: evenkeel plan --facts facts.json --base %s --machine %s "
        "--fast 25%%\n",
        A.text("--output").c_str(), A.text("--machine").c_str());
  return Status;
}

/// The option of record that probe hands on.
static Option ofRecord(const std::string &Name) {
  for (const Option &O : recordCommand().Options)
    if (Name == O.Name)
      return O;
  fail("record has no option " + Name);
}

namespace evenkeel::cli {
const Subcommand &probeCommand() {
  static const Subcommand C = {
      "probe",
      "What does the run that I want to plan for do, as far as its beginning "
      "shows?",
      "probe [--counts] [--seconds N] [--keep-running] [-o probe.ekdb] -- "
      "CMD...",
      "evenkeel-cc -O2 -fopenmp solver.c -o solver\n"
      "evenkeel probe -- ./solver 500 10",
      {{"--counts", nullptr, nullptr,
        "sizes, values and numbers of accesses alone, at hardly more than the "
        "usual speed"},
       {"--seconds", nullptr, "N",
        "stop after N seconds at the latest, even if not all kinds of phases "
        "were seen three times by then",
        "60"},
       {"--keep-running", nullptr, nullptr,
        "do not stop the program, let it go on unrecorded"},
       {"--output", "-o", "FILE", "profile to write", "probe.ekdb"},
       ofRecord("--machine"),
       ofRecord("--threads"),
       ofRecord("--workspace")},
      run,
      Subcommand::Program};
  return C;
}
} // namespace evenkeel::cli
