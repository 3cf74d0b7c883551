//===- SeveralBases.h - fits over several base inputs -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: base inputs of one program, and the values that are known of the
// target. From the base input nearest to the target, the stages predict the
// target; from the same one they also predict the other base inputs, where the
// truth is known.
// Makes: the growth of sizes, accesses, core times and lines, stage by stage:
// by a fit where that explains the base inputs better than the stages do.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_FITS_SEVERALBASES_H
#define EVENKEEL_PROFILES_PREDICT_FITS_SEVERALBASES_H

#include "Observed.h"
#include "Variables.h"
#include "problem/Request.h"

namespace evenkeel {

/// What one fit, or the lack of one, is about.
struct FitRow {
  enum WhatType { Bytes, Accesses, CoreTime, Lines } What = Bytes;
  fits::TaskType Type;                ///< unless Bytes
  std::optional<InstanceName> Object; ///< unless CoreTime
  /// The size, or the sum over tasks, on the nearest base input.
  double Value = 0;
  size_t Members = 0;      ///< objects, or tasks, that were compared
  unsigned Than = 0;       ///< as in FittedTasks::Object
  bool Determined = false; ///< as CoreDetermined
  fits::Choice Its;
};

struct SeveralBases {
  fits::Inputs In;     ///< the variables that differ between the base inputs
  FittedValues Values; ///< empty: the stages are as good for all quantities
  std::vector<FitRow> Rows; ///< in the order of stages
};

/// The profile among \p Bases that is nearest to the target; the first if that
/// cannot be told. Errors as in predictions.
Expected<size_t> nearestBase(const PlanRequest &R,
                             const std::vector<const Profile *> &Bases,
                             const CommandLine &Target);

/// \p R.Base is one of \p Bases, from which the target is predicted; Fitted is
/// ignored. \p Target may be unknown. Errors as in predictions.
Expected<SeveralBases> fitBases(const PlanRequest &R,
                                const std::vector<const Profile *> &Bases,
                                const CommandLine &Target);

} // namespace evenkeel

#endif
