//===- PageTables.h - the tables of a report --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: each picture of the page has a table that says the same, or more.
// Numbers of a column have one unit, named in its head, and the same digits.
// Makes: HTML.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_PAGETABLES_H
#define EVENKEEL_UTILS_CLI_REPORT_PAGETABLES_H

#include "Headlines.h"

namespace evenkeel::cli {

class PageTables {
  const ReportInput &In;
  const ReportData &D;
  const Headlines &Says;

  std::string objectRow(size_t I, double MostPer) const;
  std::string otherRow() const;
  std::string whoIsSlow(const LaidOutPhase &P) const;

public:
  PageTables(const ReportInput &Its, const ReportData &Data,
             const Headlines &Sentences)
      : In(Its), D(Data), Says(Sentences) {}
  std::string notes() const; // of the planner
  std::string amounts() const;
  std::string objects() const;
  std::string phases() const;
  std::string moves() const;
  std::string inputs() const;
  std::string machine() const;
};

} // namespace evenkeel::cli

#endif
