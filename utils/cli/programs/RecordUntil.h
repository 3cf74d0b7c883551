//===- RecordUntil.h - recording a program's beginning ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: when a record is to end (`record --until`), what the recorded
// processes need to know of it, and when they have written what they have:
// then all programs are ended as by a user's interrupt, unless they are to go
// on. One that stays in a phase for too long is asked for what it has, again
// unless it is to go on.
// Not here: the decision, which the recorded program takes (Until.h in
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
  double Amount = 0; // phases, or seconds; of Phases: seconds at most
  bool KeepRunning = false;
};

/// \p Text as people write it: phases, `phases 20s` (at most), `20 phases`,
/// `30s`, end. Fails with one line for anything else.
RecordEnd parseRecordEnd(const std::string &Text);

/// Listens while the programs run.
class UntilWatch {
  struct Shared;
  std::unique_ptr<Shared> S;

public:
  /// \p Folder: for the file that all processes share.
  UntilWatch(const RecordEnd &End, const std::string &Folder);
  /// Stops listening.
  ~UntilWatch();
  /// What the recorded processes need.
  std::vector<std::pair<std::string, std::string>> environment() const;
  /// Whether the programs were ended from here.
  bool stopped() const;
  /// Whether the record was complete before the programs ended.
  bool written() const;
};

/// One line for people: how \p R ended. Empty where that was not waited for.
std::string endText(const RecordEnd &Asked, const MissRecord &R);

} // namespace evenkeel::cli

#endif
