//===- Neighbours.h - how far apart addresses are ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: addresses that a loop moves in step, also where they lie in different
// rows of an array of pointers: rows are taken to lie equally far apart.
// Makes: distances, on a few inputs that are drawn by chance: differences that
// are none in ScalarEvolution's form, which leaves (i - 1) * m as it is, are
// simple there.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_NEIGHBOURS_H
#define EVENKEEL_PASSES_ACCESS_WALKS_NEIGHBOURS_H

#include "access/loops/Samples.h"
#include "access/walks/AtCall.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include <array>
#include <map>

namespace evenkeel {

class Neighbours {
public:
  static constexpr unsigned Inputs = 3;
  /// In bytes, by input.
  using Distances = std::array<int64_t, Inputs>;

  /// \p All: what is going to be compared. Loops around \p Moving are somewhere
  /// else in each round, as is all that changes in them.
  Neighbours(llvm::ArrayRef<const llvm::SCEV *> All, const llvm::Loop &Moving,
             llvm::ScalarEvolution &SE, const ForeignValues &Foreign);
  /// None: they do not move in step, or it is not known.
  std::optional<Distances> between(const llvm::SCEV *From,
                                   const llvm::SCEV *To);
  /// Whether addresses lie in one object, or in rows of one array of them.
  /// Apart from a base that only a function around the call of this one knows,
  /// they are mere numbers.
  bool sameBase(const llvm::SCEV *A, const llvm::SCEV *B);

private:
  static constexpr unsigned Rounds = 4;
  /// Where the pointer to a row comes from.
  struct Row {
    const llvm::SCEV *From = nullptr; // address of the pointer; or the value
    const llvm::Loop *Lag = nullptr;  // that it has a round of this loop later
  };
  const llvm::Loop &Moving;
  llvm::ScalarEvolution &SE;
  const ForeignValues &Foreign;
  std::map<const llvm::Value *, Row> Rows; // From null: it is none
  std::vector<Sample> Samples;             // of one input after the other
  std::vector<int64_t> RowBytes;           // by input

  const Row &rowOf(const llvm::Value *V);
  const llvm::SCEV *root(const llvm::SCEV *S);
  void gather(const llvm::SCEV *S,
              llvm::SmallSetVector<const llvm::Value *, 8> &Values,
              llvm::SmallSetVector<const llvm::Loop *, 8> &Loops);
  std::optional<int64_t> value(unsigned K, const llvm::SCEV *S);
};

} // namespace evenkeel

#endif
