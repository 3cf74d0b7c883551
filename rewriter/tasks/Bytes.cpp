//===- Bytes.cpp - byte counts as polynomials of variables ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Bytes.h.
//===----------------------------------------------------------------------===//
#include "Bytes.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>
#include <utility>

namespace evenkeel {

std::string DataKey::text() const {
  std::string Out = Root ? Root->getNameAsString() : "this";
  for (size_t I = 0; I < Path.size();) {
    if (Path[I] == '*') {
      // A pointer to what has members; other data is named by its pointer.
      const bool Member = I + 1 < Path.size() && Path[I + 1] == '.';
      if (Member) {
        Out = Out == "this" ? "" : Out + "->";
        I += 2;
      } else {
        Out += I + 1 < Path.size() ? "[]" : "";
        ++I;
      }
    } else {
      Out += Path[I++];
    }
  }
  return Out;
}

Bytes::Bytes(double Constant) {
  if (Constant != 0)
    Terms[{}] = Constant;
}

Bytes Bytes::variable(const DataKey &K) {
  Bytes B;
  B.Terms[{K}] = 1;
  return B;
}

Bytes Bytes::operator+(const Bytes &O) const {
  Bytes Out = *this;
  for (const auto &[Of, Factor] : O.Terms)
    if ((Out.Terms[Of] += Factor) == 0)
      Out.Terms.erase(Of);
  return Out;
}

Bytes Bytes::operator*(const Bytes &O) const {
  Bytes Out;
  for (const auto &[A, X] : Terms)
    for (const auto &[B, Y] : O.Terms) {
      std::vector<DataKey> Of = A;
      Of.insert(Of.end(), B.begin(), B.end());
      std::sort(Of.begin(), Of.end());
      Bytes Term;
      Term.Terms[Of] = X * Y;
      Out = Out + Term;
    }
  return Out;
}

std::optional<double> Bytes::constant() const {
  if (Terms.empty())
    return 0;
  if (Terms.size() == 1 && Terms.begin()->first.empty())
    return Terms.begin()->second;
  return std::nullopt;
}

std::vector<DataKey> Bytes::variables() const {
  std::vector<DataKey> Out;
  for (const auto &[Of, Factor] : Terms)
    Out.insert(Out.end(), Of.begin(), Of.end());
  return Out;
}

Bytes Bytes::with(const DataKey &K, const Bytes &Low, const Bytes &High) const {
  Bytes Out;
  for (const auto &[Of, Factor] : Terms) {
    Bytes Term(Factor);
    for (const DataKey &V : Of)
      Term = Term * (V == K ? (Factor > 0 ? High : Low) : variable(V));
    Out = Out + Term;
  }
  return Out;
}

bool Bytes::isPositive(double Slack) const {
  double Constant = 0;
  bool Grows = false;
  for (const auto &[Of, Factor] : Terms) {
    if (Of.empty())
      Constant = Factor;
    else if (Factor < 0)
      return false;
    else
      Grows = true;
  }
  return Grows ? Constant >= -Slack : Constant > 0;
}

std::string Bytes::written(double Unit, const std::string &Cast) const {
  // In an order that does not depend on addresses; the constant comes last.
  std::map<std::pair<bool, std::string>, double> Sorted;
  for (const auto &[Of, All] : Terms) {
    std::vector<std::string> Names;
    for (const DataKey &V : Of)
      Names.push_back(V.text());
    std::sort(Names.begin(), Names.end());
    std::string Product = Names.size() > 1 ? Cast : "";
    bool First = true;
    for (const std::string &N : Names)
      Product += (std::exchange(First, false) ? "" : "*") + N;
    Sorted[{Of.empty(), Product}] += All / Unit;
  }
  std::string Out;
  for (const auto &[Of, Factor] : Sorted) {
    char Number[32];
    std::snprintf(Number, sizeof Number, "%.10g", std::fabs(Factor));
    std::string Term = Of.second;
    if (Term.empty() || std::fabs(Factor) != 1)
      Term = std::string(Number) + (Term.empty() ? "" : "*") + Term;
    if (Out.empty())
      Out = (Factor < 0 ? "-" : "") + Term;
    else
      Out += (Factor < 0 ? " - " : " + ") + Term;
  }
  return Out.empty() ? "0" : Out;
}

std::string Bytes::text(double Unit) const { return written(Unit, ""); }

std::optional<std::string> Bytes::source(double Unit) const {
  for (const auto &[Of, All] : Terms)
    if (const double Factor = All / Unit;
        std::floor(Factor) != Factor || std::fabs(Factor) > 1e9)
      return std::nullopt;
  return written(Unit, "(ek_size)");
}

} // namespace evenkeel
