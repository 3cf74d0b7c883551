//===- Doctor.h - what of this computer helps or hinders --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what Evenkeel needs of a computer to build, record and place, and what
// kernel settings work against it; where each of them is read; what to do.
// Makes: one finding per subject, in a fixed order.
// Not here: figures of the memories (machine calibrate).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_DOCTOR_H
#define EVENKEEL_UTILS_CLI_DOCTOR_H

#include "Detect.h"
#include <functional>
#include <string>
#include <vector>

namespace evenkeel::cli {

struct DoctorFinding {
  enum State { Fine, Hint, Problem };
  std::string Subject;
  State Its = Fine;
  std::string Text;   // what is found
  std::string Advice; // what to do; "" = nothing
};

/// What the findings are made of.
struct DoctorSources {
  Detected Memory;
  /// The text of a file of the kernel ("/sys/...", "/proc/..."), or "".
  std::function<std::string(const std::string &)> File;
  /// The path of a program, or "".
  std::function<std::string(const std::string &)> Program;
  /// Whether a shared library can be loaded.
  std::function<bool(const std::string &)> Library;
  /// "", or why this process may not bind and move its pages.
  std::function<std::string()> MovePages;
};

DoctorSources thisComputer();

std::vector<DoctorFinding> examine(const DoctorSources &S);

} // namespace evenkeel::cli

#endif
