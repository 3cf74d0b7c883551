//===- Tuning.cpp - the figures and rules of tuning.def by name -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Tuning.h.
//===----------------------------------------------------------------------===//
#include "Tuning.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace evenkeel;

Figures evenkeel::tuning::NowFigures;
Rules evenkeel::tuning::NowRules;

const std::vector<TuningEntry> &evenkeel::tuningEntries() {
  static const std::vector<TuningEntry> All = {
#define EK_FIGURE(Name, Value, Unit, Least, Most, What, Source)                \
  {#Name, false, false, Value, Least, Most, Unit, What, Source},
#define EK_ORACLE_FIGURE(Name, Value, Unit, Least, Most, What, Source)         \
  {#Name, false, true, Value, Least, Most, Unit, What, Source},
#define EK_RULE(Name, What, Source)                                            \
  {#Name, true, false, 1, 0, 1, "", What, Source},
#include "tuning.def"
#undef EK_RULE
#undef EK_FIGURE
  };
  return All;
}

static double *figureNamed(Figures &F, const std::string &Name) {
#define EK_FIGURE(N, ...)                                                      \
  if (Name == #N)                                                              \
    return &F.N;
#define EK_RULE(...)
#include "tuning.def"
#undef EK_RULE
#undef EK_FIGURE
  return nullptr;
}

static bool *ruleNamed(Rules &R, const std::string &Name) {
#define EK_FIGURE(...)
#define EK_RULE(N, ...)                                                        \
  if (Name == #N)                                                              \
    return &R.N;
#include "tuning.def"
#undef EK_RULE
#undef EK_FIGURE
  return nullptr;
}

static std::string numberText(double X) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%g", X);
  return Text;
}

/// Changes the entry named in \p Text, NAME=VALUE.
static MaybeError moveOne(const std::string &Text, Figures &F, Rules &R) {
  const size_t At = Text.find('=');
  const std::string Name = Text.substr(0, At);
  const std::string Value =
      At == std::string::npos ? std::string() : Text.substr(At + 1);
  for (const TuningEntry &E : tuningEntries()) {
    if (E.Name != Name)
      continue;
    if (E.IsRule) {
      if (Value != "on" && Value != "off")
        return Error{"'" + Text + "': say " + Name + "=on or " + Name + "=off"};
      *ruleNamed(R, Name) = Value == "on";
      return {};
    }
    char *End = nullptr;
    const double X = std::strtod(Value.c_str(), &End);
    if (Value.empty() || *End || !(X >= E.Least && X <= E.Most))
      return Error{"'" + Text + "': " + Name + " is a number from " +
                   numberText(E.Least) + " to " + numberText(E.Most)};
    *figureNamed(F, Name) = X;
    return {};
  }
  return Error{"'" + Name +
               "' is no figure and no rule of profiles/tuning.def"};
}

MaybeError evenkeel::moveTuning(const std::string &Text) {
  Figures F = tuning::NowFigures;
  Rules R = tuning::NowRules;
  for (size_t Begin = 0; Begin < Text.size();) {
    const size_t End = std::min(Text.find(',', Begin), Text.size());
    if (MaybeError E = moveOne(Text.substr(Begin, End - Begin), F, R))
      return E;
    Begin = End + 1;
  }
  tuning::NowFigures = F;
  tuning::NowRules = R;
  return {};
}

std::string evenkeel::movedTuning() {
  std::string Out;
  auto Add = [&](const std::string &Text) {
    Out += (Out.empty() ? "" : ",") + Text;
  };
  for (const TuningEntry &E : tuningEntries())
    if (E.IsRule) {
      if (!*ruleNamed(tuning::NowRules, E.Name))
        Add(E.Name + "=off");
    } else if (double X = *figureNamed(tuning::NowFigures, E.Name);
               X != E.Value) {
      Add(E.Name + "=" + numberText(X));
    }
  return Out;
}
