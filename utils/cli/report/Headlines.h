//===- Headlines.h - the sentences of a report ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: each view answers a question in a sentence. The sentence depends on
// what was found: a plan may gain, keep first touch, or lose; tasks may be even
// or uneven, threads, ranks or explicit tasks; times are replayed or predicted.
// Makes: HTML without block elements; text of the program is escaped.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_HEADLINES_H
#define EVENKEEL_UTILS_CLI_REPORT_HEADLINES_H

#include "Amounts.h"
#include "ReportData.h"

namespace evenkeel::cli {

class Headlines {
  const ReportInput &In;
  const ReportData &D;
  AmountUnit Time, Size;

public:
  Headlines(const ReportInput &Its, const ReportData &Data);

  const AmountUnit &timeUnit() const { return Time; }
  const AmountUnit &sizeUnit() const { return Size; }
  std::string time(double Seconds) const { return withUnit(Seconds, Time); }
  std::string size(double Bytes) const { return withUnit(Bytes, Size); }
  /// "task", or "rank" where each rank has one.
  std::string lane(bool Several) const;
  /// "tasks 6 and 7", "12 of 64 tasks"; \p Lanes as slowLanes returns them.
  std::string lanes(const LaidOutPhase &P,
                    const std::vector<uint32_t> &Lanes) const;
  std::string program() const; // in code, or "the program"
  std::string run() const;     // the program, or its first phases

  std::string gain() const, gainNote() const;
  std::string amount() const, amountNote() const;
  std::string objects() const, objectsNote() const;
  std::string tasks() const, tasksNote() const;
  std::string occupancy() const;
  std::string memory() const;
  std::string belief() const, beliefNote() const;
  std::string assumed() const;
};

/// The number of figures of a kind ("count", "cache", ...) by each way of
/// estimation, most first.
struct EvidenceRow {
  std::string Kind, Way;
  unsigned Figures = 0;
  double Share = 0; // of the kind
};
std::vector<EvidenceRow> evidenceOf(const Problem &P);

} // namespace evenkeel::cli

#endif
