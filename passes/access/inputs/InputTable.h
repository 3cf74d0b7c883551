//===- InputTable.h - the inputs that a program reads -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: rows of inputs and their ids: equal inputs have one row, wherever the
// program reads them.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_INPUTS_INPUTTABLE_H
#define EVENKEEL_PASSES_ACCESS_INPUTS_INPUTTABLE_H

#include "access/Rows.h"
#include "unit/Source.h"

namespace evenkeel {

/// A text that is equal for equal inputs only.
std::string keyOfInput(const InputRow &R);

class InputTable {
  const SourceMap &Source;
  std::map<uint64_t, InputRow> Rows;

  unsigned rankOf(const CountRef &C) const;

public:
  explicit InputTable(const SourceMap &Source) : Source(Source) {}

  /// The symbol of \p R, which the program reads at \p At.
  CountRef add(InputRow R, const llvm::Instruction *At);
  /// The first of \p Of that has a value: options before arguments, before
  /// variables, before files, before a constant.
  CountRef firstOf(std::vector<CountRef> Of);
  /// Whether \p C depends on how many arguments there are.
  bool countsArguments(const CountRef &C) const;
  /// The rows that \p Used and the rows in them mention.
  std::vector<InputRow> rowsIn(const std::vector<CountRef> &Used) const;
};

} // namespace evenkeel

#endif
