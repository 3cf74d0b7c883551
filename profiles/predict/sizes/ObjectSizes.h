//===- ObjectSizes.h - the second stage: sizes of objects -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the values of symbols that are known before any size is, the growth of
// accesses, and the sizes that a hook saw.
// Makes: the target's instances, with their sizes and how each was determined;
// and the values of symbols that follow from sizes.
// Not here: the matching of instances between inputs (Instances.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SIZES_OBJECTSIZES_H
#define EVENKEEL_PROFILES_PREDICT_SIZES_OBJECTSIZES_H

#include "AccessGrowth.h"
#include "Fills.h"

namespace evenkeel {
namespace prediction {

/// From most to least certain.
enum class SizeWay : uint8_t {
  Known,         // seen at the hook
  Small,         // seen to be too small to be placed
  Formula,       // the site's, or its caller's
  FormulaScaled, // with a symbol that was scaled
  NotGiven,      // its formula contains no given value: the base size
  Filled,        // by what is written into it
  Accesses,      // by the growth of its accesses
  Data,          // by the growth of data of known sizes
  Work,          // by the growth of the program's work
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
/// exist by now.
ObjectSizes predictSizes(const BaseTables &Base, const SymbolValues &Given,
                         const FillTable &Fills, const AccessGrowth &Growth,
                         const std::vector<PredictedInstance> &Known,
                         const Rules &Use);

/// \p Given and the values that follow from known sizes of the target: how
/// often their arrays were written, or read through.
SymbolValues sizedValues(const BaseTables &Base, const SymbolValues &Given,
                         const FillTable &Fills, const ObjectSizes &Sizes,
                         const Rules &Use);

/// Whether a size is known for the target: seen, or by a formula with given
/// values.
bool isSized(const SymbolValues &Given, SizeWay W);

/// The units of all instances, of 64 KiB or more if possible.
std::vector<Unit> unitsOf(const std::vector<PredictedInstance> &Instances);

// Rules.

/// Whether \p N is data that grows with the input; \p OldBytes: its base size.
bool isData(const Facts &F, const PredictedInstance &N, double OldBytes);
/// The growth of all data whose size is known; \p OldBytes: the base sizes of
/// all instances.
std::optional<double> dataGrowth(const Facts &F, const SymbolValues &Given,
                                 const ObjectSizes &Sizes,
                                 const std::vector<double> &OldBytes);
/// The size of an object of \p Site that had \p Old bytes; null: not known.
std::optional<double> sizeByAccesses(const AccessGrowth &Growth, uint64_t Site,
                                     double Old);
/// How much further accesses reach into an array of fixed size.
double fixedArrayStretch(const BaseTables &Base, const AccessGrowth &Growth,
                         unsigned LastUsedChunk, uint32_t Inst);
/// Bytes that a fill writes on the target; null: not known.
std::optional<double> filledBytes(const BaseTables &Base,
                                  const SymbolValues &Given, const Fill &Of);

} // namespace prediction
} // namespace evenkeel

#endif
