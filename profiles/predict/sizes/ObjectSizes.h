//===- ObjectSizes.h - the second stage: sizes of objects -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the values of symbols, the growth of accesses, and the sizes that a
// hook saw.
// Makes: the target's instances, with their sizes and how each was determined.
// Not here: the matching of instances between inputs (Instances.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SIZES_OBJECTSIZES_H
#define EVENKEEL_PROFILES_PREDICT_SIZES_OBJECTSIZES_H

#include "AccessGrowth.h"
#include "predict/base/FittedRows.h"

namespace evenkeel {
namespace prediction {

/// From most to least certain.
enum class SizeWay : uint8_t {
  Known,         // seen at the hook
  Small,         // seen to be too small to be placed
  Formula,       // the site's, or its caller's
  FormulaScaled, // with a symbol that was scaled
  Bases,         // by a fit over several base inputs
  NotGiven,      // its formula contains no given value: the base size
  Accesses,      // by the growth of its accesses
  Base,          // unknown: the base size
};
const char *text(SizeWay W);

struct ObjectSizes {
  std::vector<PredictedInstance> Instances; // in the order of the base's
  std::vector<SizeWay> Way;                 // by instance
  std::vector<double> Ratio;                // by instance, relative to the
                                            // base's size
  std::map<std::string, unsigned> Methods;  // as Problem::Methods
};

/// \p Given: the values before any size is known. \p Known: instances that
/// exist by now. \p Fits: of the same base.
ObjectSizes predictSizes(const BaseTables &Base, const SymbolValues &Given,
                         const AccessGrowth &Growth,
                         const std::vector<PredictedInstance> &Known,
                         const FittedRows &Fits, const Rules &Use);

/// The units of all instances, of 64 KiB or more if possible.
std::vector<Unit> unitsOf(const std::vector<PredictedInstance> &Instances);

// Rules.

/// The size of an object of \p Site that had \p Old bytes; null: not known.
std::optional<double> sizeByAccesses(const AccessGrowth &Growth, uint64_t Site,
                                     double Old);
/// How much further accesses reach into an array of fixed size.
double fixedArrayStretch(const BaseTables &Base, const AccessGrowth &Growth,
                         unsigned LastUsedChunk, uint32_t Inst);

} // namespace prediction
} // namespace evenkeel

#endif
