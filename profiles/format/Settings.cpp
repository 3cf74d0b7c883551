//===- Settings.cpp - settings of policies and planners -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Settings.h.
//===----------------------------------------------------------------------===//
#include "Settings.h"
#include <cassert>
#include <cmath>
#include <cstdlib>

using namespace evenkeel;

double evenkeel::settingOf(const Settings &S, const std::vector<Tunable> &All,
                           const std::string &Name) {
  if (auto It = S.find(Name); It != S.end())
    return It->second;
  for (const Tunable &T : All)
    if (T.Name == Name)
      return T.Default;
  assert(false && "tunable is in no table");
  return 0;
}

MaybeError evenkeel::checkSettings(const Settings &S,
                                   const std::vector<Tunable> &All,
                                   const std::string &Owner) {
  for (const auto &[Name, Value] : S) {
    std::string List;
    bool Known = false;
    for (const Tunable &T : All) {
      Known |= T.Name == Name;
      List += (List.empty() ? "" : ", ") + T.Name;
    }
    if (!Known)
      return Error{"'" + Owner + "' has no setting '" + Name + "'; it has " +
                   (List.empty() ? "none" : List)};
    if (!(Value >= 0) || !std::isfinite(Value))
      return Error{"setting '" + Name + "' of '" + Owner +
                   "' must be a number >= 0"};
  }
  return {};
}

MaybeError evenkeel::parseSetting(const std::string &Text, Settings &S) {
  size_t Equals = Text.find('=');
  char *End = nullptr;
  const std::string Number =
      Equals == std::string::npos ? "" : Text.substr(Equals + 1);
  double Value = std::strtod(Number.c_str(), &End);
  if (Equals == 0 || Number.empty() || *End || !std::isfinite(Value))
    return Error{"'" + Text + "' is not a setting; write NAME=NUMBER"};
  S[Text.substr(0, Equals)] = Value;
  return {};
}

std::vector<Settings> evenkeel::gridPoints(const std::vector<Tunable> &All) {
  std::vector<Settings> Points{{}};
  for (const Tunable &T : All) {
    std::vector<Settings> Next;
    for (const Settings &S : Points)
      for (double V : T.Grid) {
        Next.push_back(S);
        Next.back()[T.Name] = V;
      }
    Points = std::move(Next);
  }
  return Points;
}
