//===- ObjectSizes.h - the second stage: sizes of objects -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the values of symbols that are known before any size is, how much more
// is accessed, and the sizes that a hook saw.
// Makes: the target's instances, each with a size and the way that gave it; and
// the values of symbols that sizes tell.
// Leaves out: which instances are the same on both inputs (Instances.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SIZES_OBJECTSIZES_H
#define EVENKEEL_PROFILES_PREDICT_SIZES_OBJECTSIZES_H

#include "AccessGrowth.h"
#include "Fills.h"

namespace evenkeel {
namespace prediction {

/// From most to least that is known.
enum class SizeWay : uint8_t {
  Known,         // seen at the hook
  Small,         // seen to be smaller than what is placed
  Formula,       // the site's, or its caller's
  FormulaScaled, // with a symbol that was scaled
  Untold,        // its formula names nothing given, so the base size
  Filled,        // as much as is written into it
  Accesses,      // as its accesses grow
  Data,          // as the data of known sizes
  Work,          // as the program's work
  Base,          // nothing tells
};
const char *text(SizeWay W);

struct ObjectSizes {
  std::vector<PredictedInstance> Instances; // in the order of the base's
  std::vector<SizeWay> Way;                 // by instance
  std::vector<double> Ratio;                // by instance, over the base's size
  std::map<std::string, unsigned> Methods;  // as Problem::Methods
};

/// \p Given: the values before any size is known. \p Known: instances that
/// exist by now.
ObjectSizes predictSizes(const BaseTables &Base, const SymbolValues &Given,
                         const FillTable &Fills, const AccessGrowth &Growth,
                         const std::vector<PredictedInstance> &Known,
                         const Rules &Use);

/// \p Given and what sizes that are known for the target tell: how often their
/// arrays were written, or read through.
SymbolValues sizedValues(const BaseTables &Base, const SymbolValues &Given,
                         const FillTable &Fills, const ObjectSizes &Sizes,
                         const Rules &Use);

/// Whether a size is known for the target: seen, or a formula's of values that
/// somebody gave.
bool isSized(const SymbolValues &Given, SizeWay W);

/// Units of all instances, of 64 KiB at least where that is possible.
std::vector<Unit> unitsOf(const std::vector<PredictedInstance> &Instances);

// Rules.

/// Whether \p N is data that grows with the input; \p OldBytes: what it had.
bool isData(const Facts &F, const PredictedInstance &N, double OldBytes);
/// How much larger all data are whose size is known; \p OldBytes: what all
/// instances had.
std::optional<double> dataGrowth(const Facts &F, const SymbolValues &Given,
                                 const ObjectSizes &Sizes,
                                 const std::vector<double> &OldBytes);
/// Of an object of \p Site that had \p Old bytes; null: not known.
std::optional<double> sizeByAccesses(const AccessGrowth &Growth, uint64_t Site,
                                     double Old);
/// How much further into it an array of fixed size is used.
double fixedArrayStretch(const BaseTables &Base, const AccessGrowth &Growth,
                         unsigned LastUsedChunk, uint32_t Inst);
/// Bytes that a fill writes on the target; null: not known.
std::optional<double> filledBytes(const BaseTables &Base,
                                  const SymbolValues &Given, const Fill &Of);

} // namespace prediction
} // namespace evenkeel

#endif
