//===- AltTexts.h - what each picture of a report says ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: who cannot see a picture reads its numbers in a few sentences. The
// page and the SVG pictures share them.
// Makes: plain text.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_ALTTEXTS_H
#define EVENKEEL_UTILS_CLI_REPORT_ALTTEXTS_H

#include "Headlines.h"

namespace evenkeel::cli {

class AltTexts {
  const ReportInput &In;
  const ReportData &D;
  const Headlines &Says;

  std::string phase(size_t Group) const;

public:
  AltTexts(const ReportInput &Its, const ReportData &Data,
           const Headlines &Sentences)
      : In(Its), D(Data), Says(Sentences) {}
  std::string answer() const;
  std::string amounts() const;
  std::string tasks() const;
  std::string occupancy() const;
  std::string memory() const;
  std::string scatter() const, errors() const;
};

} // namespace evenkeel::cli

#endif
