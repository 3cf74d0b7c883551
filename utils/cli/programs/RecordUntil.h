//===- RecordUntil.h - recording a program's beginning ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: when a record should end (`record --until`), and how to communicate
// with the recorded processes. When they have written their records, all
// programs are ended as by a user's interrupt, unless they should continue. A
// process that stays in one phase for too long is asked to write what it has,
// again unless it should continue.
// Not here: the decision, which the recorded program makes (Until.h in
// runtime/record); ranks on other nodes, which do not see the file.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_RECORDUNTIL_H
#define EVENKEEL_UTILS_CLI_RECORDUNTIL_H

#include "format/ek_until.h"
#include "format/profile/Profile.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace evenkeel::cli {

/// When a record ends.
struct RecordEnd {
  enum Type { WithProgram, Phases, Count, Seconds } Its = WithProgram;
  double Amount = 0; // phases, or seconds; for Phases: the time limit
  bool KeepRunning = false;
};

/// Parses \p Text as the user writes it: phases, `phases 20s` (at most), `20
/// phases`, `30s`, end. Fails with one line for anything else.
RecordEnd parseRecordEnd(const std::string &Text);

/// Watches the board while the programs run.
class UntilWatch {
  struct Shared;
  std::unique_ptr<Shared> S;

public:
  /// \p Folder is for the file that all processes share.
  UntilWatch(const RecordEnd &End, const std::string &Folder);
  /// Stops watching.
  ~UntilWatch();
  /// The variables that the recorded processes need.
  std::vector<std::pair<std::string, std::string>> environment() const;
  /// Whether the programs were ended from here.
  bool stopped() const;
  /// Whether the record was complete before the programs ended.
  bool written() const;
};

/// One line that tells the user how \p R ended; empty if it ended as expected.
std::string endText(const RecordEnd &Asked, const MissRecord &R);

} // namespace evenkeel::cli

#endif
