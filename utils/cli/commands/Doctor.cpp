//===- Doctor.cpp - evenkeel doctor ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how findings about this computer are shown. The exit status is 0: a
// hint or problem is an answer, not an error.
//===----------------------------------------------------------------------===//
#include "cli/machines/Doctor.h"
#include "cli/common/Cli.h"
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

static const char *nameOf(DoctorFinding::State S) {
  return S == DoctorFinding::Fine   ? "fine"
         : S == DoctorFinding::Hint ? "hint"
                                    : "problem";
}

static int run(const Args &A) {
  const std::vector<DoctorFinding> All = examine(thisComputer());
  if (A.has("--json")) {
    nlohmann::json J = {{"schema", "evenkeel.doctor/1"},
                        {"findings", nlohmann::json::array()}};
    for (const DoctorFinding &F : All)
      J["findings"].push_back({{"subject", F.Subject},
                               {"state", nameOf(F.Its)},
                               {"text", F.Text},
                               {"advice", F.Advice}});
    printJson(J);
    return 0;
  }
  Table T({"STATE", "SUBJECT", "FOUND"});
  size_t Problems = 0, Hints = 0;
  for (const DoctorFinding &F : All) {
    T.row({nameOf(F.Its), F.Subject, F.Text});
    if (!F.Advice.empty())
      T.row({"", "", "-> " + F.Advice});
    Problems += F.Its == DoctorFinding::Problem;
    Hints += F.Its == DoctorFinding::Hint;
  }
  std::fputs(T.str().c_str(), stdout);
  std::printf("%zu %s, %zu %s\n", Problems,
              Problems == 1 ? "problem" : "problems", Hints,
              Hints == 1 ? "hint" : "hints");
  return 0;
}

namespace evenkeel::cli {
const Subcommand &doctorCommand() {
  static const Subcommand C = {
      "doctor",
      "Does this computer have what placing data needs, and what works "
      "against it?",
      "doctor",
      "evenkeel doctor",
      {},
      run};
  return C;
}
} // namespace evenkeel::cli
