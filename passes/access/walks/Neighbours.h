//===- Neighbours.h - distances between addresses ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: addresses that a loop moves in step, even in different rows of an
// array of pointers: rows are assumed to be equally far apart.
// Makes: distances, evaluated on a few random inputs. This finds differences
// that ScalarEvolution does not simplify, because it leaves (i - 1) * m
// unexpanded.
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
  /// In bytes, for each input.
  using Distances = std::array<int64_t, Inputs>;

  /// \p All: the addresses to be compared. Loops around \p Moving are in a
  /// different iteration in each sample, and so is everything that changes in
  /// them.
  Neighbours(llvm::ArrayRef<const llvm::SCEV *> All, const llvm::Loop &Moving,
             llvm::ScalarEvolution &SE, const ForeignValues &Foreign);
  /// None: they do not move in step, or it is not known.
  std::optional<Distances> between(const llvm::SCEV *From,
                                   const llvm::SCEV *To);
  /// Whether the addresses are in one object, or in rows of one array of
  /// pointers. If only a caller knows the base, the addresses are plain numbers
  /// apart from it.
  bool sameBase(const llvm::SCEV *A, const llvm::SCEV *B);

private:
  static constexpr unsigned Iterations = 4;
  /// The origin of the pointer to a row.
  struct Row {
    const llvm::SCEV *From = nullptr; // address of the pointer; or the value
    const llvm::Loop *Lag = nullptr;  // this loop has it one iteration later
  };
  const llvm::Loop &Moving;
  llvm::ScalarEvolution &SE;
  const ForeignValues &Foreign;
  std::map<const llvm::Value *, Row> Rows; // From null: not a row
  std::vector<Sample> Samples;             // one per input
  std::vector<int64_t> RowBytes;           // for each input

  const Row &rowOf(const llvm::Value *V);
  const llvm::SCEV *root(const llvm::SCEV *S);
  void gather(const llvm::SCEV *S,
              llvm::SmallSetVector<const llvm::Value *, 8> &Values,
              llvm::SmallSetVector<const llvm::Loop *, 8> &Loops);
  std::optional<int64_t> value(unsigned K, const llvm::SCEV *E);
};

} // namespace evenkeel

#endif
