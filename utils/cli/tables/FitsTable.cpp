//===- FitsTable.cpp - fits over several base inputs, as a table ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FitsTable.h.
//===----------------------------------------------------------------------===//
#include "FitsTable.h"
#include "cli/common/Cli.h"
#include "format/Identity.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;
using namespace evenkeel::fits;

static const char *whatText(FitRow::WhatType W) {
  switch (W) {
  case FitRow::Bytes:
    return "size";
  case FitRow::Accesses:
    return "accesses";
  case FitRow::CoreTime:
    return "core time";
  case FitRow::Lines:
    break;
  }
  return "lines";
}

static std::string numberText(double V) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.6g", V);
  return Text;
}

/// A bound of a logarithm as a relative error.
static std::string errorText(double Off) {
  return percentText(std::expm1(std::min(Off, 10.0)));
}

static std::string fitText(const FitRow &Row, const Inputs &In) {
  const Fit &F = Row.Its.Best;
  std::string Name = In.Variables[F.Variable].Name;
  if (F.Of.Power != 1 && Name.find(' ') != std::string::npos)
    Name = "(" + Name + ")";
  const std::string Its = F.Of.text(Name);
  return F.Constant > 0 ? "constant + " + Its : Its;
}

static std::string objectText(const Facts &F, const InstanceName &Of) {
  const SiteFact *S = F.site(Of.Site);
  std::string Out = S ? S->At : std::string("no site");
  if (Of.Ordinal && !EK_RAW_IS_SMALL(Of.Ordinal))
    Out += " (object " + std::to_string(Of.Ordinal + 1) + ")";
  return Out;
}

/// "heat.c:12 in sweep.c:30", or "tasks of sweep.c:30".
static std::string subjectText(const Facts &F, const FitRow &Row) {
  std::string Object = Row.Object ? objectText(F, *Row.Object) : "";
  if (Row.What == FitRow::Bytes)
    return Object;
  const RegionFact *R = F.region(Row.Type.Region);
  const std::string Region = R                 ? R->At
                             : Row.Type.Region ? "?"
                                               : std::string("the serial part");
  return Row.Object ? Object + " in " + Region : "tasks of " + Region;
}

static std::string rangeText(const Variable &V) {
  const auto [Least, Most] = std::minmax_element(V.Base.begin(), V.Base.end());
  return numberText(*Least) + " to " + numberText(*Most);
}

std::string evenkeel::cli::fitsText(const Facts &F, const SeveralBases &S,
                                    const std::vector<std::string> &Bases,
                                    bool Verbose) {
  std::string Out = "\nfits over " + std::to_string(Bases.size()) +
                    " base inputs; the target is predicted from " + Bases[0] +
                    ", which is nearest\n";
  for (const Variable &V : S.In.Variables)
    Out += "  " + V.Name + ": measured at " + rangeText(V) +
           ", the target has " + numberText(V.Target) + "\n";
  if (S.In.Variables.empty())
    return Out + "  the base inputs differ in no number that is known for the "
                 "target\n";
  constexpr size_t Most = 8;
  size_t Used = 0, Kept = 0;
  Table T({"QUANTITY", "OF", "FIT", ">LEFT OUT", ">ONE BASE", ">GROWTH",
           ">WITHIN", "USED"});
  for (const FitRow &Row : S.Rows) {
    ++(Row.Its.IsBetter ? Used : Kept);
    if (!Verbose && (!Row.Its.IsBetter || Used > Most))
      continue;
    T.row({whatText(Row.What), subjectText(F, Row), fitText(Row, S.In),
           errorText(Row.Its.Judged), errorText(Row.Its.OneBase),
           numberText(Row.Its.Times), errorText(Row.Its.Off),
           Row.Its.IsBetter ? "fit" : "one base"});
  }
  if (Verbose ? !S.Rows.empty() : Used > 0)
    Out += T.str();
  if (!Verbose && Used > Most)
    Out += std::to_string(Used - Most) +
           (Used == Most + 1 ? " more fit (-v)\n" : " more fits (-v)\n");
  if (Kept)
    Out += "for " + std::to_string(Kept) +
           (Kept == 1 ? " quantity" : " quantities") +
           " the prediction from one base input stands: no fit has a smaller "
           "error\n";
  if (Bases.size() == 2 && Used)
    Out += "two base inputs give one coefficient and one check of it: a third "
           "input would tell more\n";
  return Out;
}

nlohmann::json evenkeel::cli::fitsJson(const SeveralBases &S) {
  nlohmann::json Out = nlohmann::json::array();
  for (const FitRow &Row : S.Rows) {
    const Variable &V = S.In.Variables[Row.Its.Best.Variable];
    const auto [Least, Most] =
        std::minmax_element(V.Base.begin(), V.Base.end());
    nlohmann::json J = {{"quantity", whatText(Row.What)},
                        {"fit", fitText(Row, S.In)},
                        {"variable", V.Name},
                        {"measured_from", *Least},
                        {"measured_to", *Most},
                        {"target", V.Target},
                        {"growth", Row.Its.Times},
                        {"error_left_out", std::expm1(Row.Its.Judged)},
                        {"error_one_base", std::expm1(Row.Its.OneBase)},
                        {"error_bound", std::expm1(Row.Its.Off)},
                        {"used", Row.Its.IsBetter}};
    if (Row.Object) {
      J["site"] = idToString(Row.Object->Site);
      J["ordinal"] = Row.Object->Ordinal;
    }
    if (Row.What != FitRow::Bytes)
      J["region"] = idToString(Row.Type.Region);
    Out.push_back(std::move(J));
  }
  return Out;
}
