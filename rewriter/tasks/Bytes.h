//===- Bytes.h - byte counts as polynomials of variables --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: names of data that do not depend on the place in the source (DataKey),
// and sums of products of integer variables with constant factors, as offsets
// and lengths in data are. Variables are taken to be sizes: not negative.
// Not here: where they come from (UsedData, NamedData).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_TASKS_BYTES_H
#define EVENKEEL_REWRITER_TASKS_BYTES_H

#include "clang/AST/Decl.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel {

/// A variable, or what is reached from it: `*` for what a pointer points to,
/// `.name` for a member. Elements of an array share a name. `x[3].next[i]` is
/// {x, "*.next*"}.
struct DataKey {
  const clang::ValueDecl *Root = nullptr; // null: this
  std::string Path;

  bool operator<(const DataKey &O) const {
    return std::tie(Root, Path) < std::tie(O.Root, O.Path);
  }
  bool operator==(const DataKey &O) const {
    return Root == O.Root && Path == O.Path;
  }
  /// As the source would write it, for messages: `x`, `g->now`.
  std::string text() const;
};

class Bytes {
  /// By its variables, sorted; none: the constant.
  std::map<std::vector<DataKey>, double> Terms;

  std::string written(double Unit, const std::string &Cast) const;

public:
  Bytes() = default;
  Bytes(double Constant);
  static Bytes variable(const DataKey &K);

  Bytes operator+(const Bytes &O) const;
  Bytes operator-(const Bytes &O) const { return *this + O * Bytes(-1); }
  Bytes operator*(const Bytes &O) const;
  bool operator==(const Bytes &O) const { return Terms == O.Terms; }

  std::optional<double> constant() const;
  std::vector<DataKey> variables() const;
  /// \p K replaced: in terms with positive factors by \p High, else by \p Low.
  Bytes with(const DataKey &K, const Bytes &Low, const Bytes &High) const;
  Bytes with(const DataKey &K, const Bytes &Value) const {
    return with(K, Value, Value);
  }
  /// Whether it is more than 0, if its variables are large enough: none has a
  /// negative factor, and if there is none, the constant is positive.
  /// A constant below 0 is allowed up to \p Slack beside variables.
  bool isPositive(double Slack) const;
  /// In units of \p Unit, as the source would write it: `n`, `2*n + 1`.
  std::string text(double Unit) const;
  /// The same as an expression of the source whose products do not overflow;
  /// nullopt: not in whole units.
  std::optional<std::string> source(double Unit) const;
};

} // namespace evenkeel

#endif
