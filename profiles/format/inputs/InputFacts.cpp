//===- InputFacts.cpp - inputs of a program in facts.json -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See InputFacts.h.
//===----------------------------------------------------------------------===//
#include "InputFacts.h"
#include "format/File.h"
#include "format/Identity.h"
#include <nlohmann/json.hpp>
#include <set>

using namespace evenkeel;
using nlohmann::json;

bool evenkeel::isInputKind(const std::string &Kind) {
  static const std::set<std::string> Kinds = {
      "argument",    "operand", "option",    "count",
      "environment", "file",    "file-size", "first"};
  return Kinds.count(Kind) != 0;
}

InputFact evenkeel::inputFactFromJson(const json &O, const std::string &Where,
                                      JsonReader &R) {
  InputFact I;
  I.Id = R.id(O, Where, "id");
  I.Kind = R.string(O, Where, "kind");
  if (!R.failed() && !isInputKind(I.Kind))
    R.fail(Where + ".kind", "is no kind of input");
  I.At = R.string(O, Where, "at", true);
  I.Index = R.maybeInt(O, Where, "index").value_or(0);
  auto Words = [&](const char *Name, std::vector<std::string> &Out) {
    for (const json &Word : R.array(O, Where, Name, true))
      Word.is_string() ? Out.push_back(Word.get<std::string>())
                       : R.fail(Where + "." + Name, "must be a list of texts");
  };
  Words("names", I.Names);
  Words("long", I.LongNames);
  I.Form = R.string(O, Where, "form", true);
  I.Letters = R.string(O, Where, "letters", true);
  I.Name = R.string(O, Where, "name", true);
  I.Skip = R.maybeInt(O, Where, "skip").value_or(0);
  I.Convert = R.string(O, Where, "convert", true);
  I.Base = R.maybeInt(O, Where, "base").value_or(10);
  I.Format = R.string(O, Where, "format", true);
  I.Field = R.maybeInt(O, Where, "field").value_or(0);
  for (const json &E : R.array(O, Where, "of", true)) {
    Expected<ExprRef> Of = exprFromJson(E);
    if (!Of) {
      R.fail(Where + ".of", Of.message());
      break;
    }
    I.Of.push_back(*Of);
  }
  return I;
}

json evenkeel::inputFactToJson(const InputFact &I) {
  json O = {{"id", idToString(I.Id)}, {"kind", I.Kind}, {"at", I.At}};
  if (I.Index)
    O["index"] = I.Index;
  if (!I.Names.empty())
    O["names"] = I.Names;
  if (!I.LongNames.empty())
    O["long"] = I.LongNames;
  for (const auto &[Name, Text] : {std::pair("form", &I.Form),
                                   {"letters", &I.Letters},
                                   {"name", &I.Name},
                                   {"convert", &I.Convert},
                                   {"format", &I.Format}})
    if (!Text->empty())
      O[Name] = *Text;
  if (I.Skip)
    O["skip"] = I.Skip;
  if (I.Base != 10)
    O["base"] = I.Base;
  if (I.Field)
    O["field"] = I.Field;
  for (const ExprRef &E : I.Of)
    O["of"].push_back(exprToJson(*E));
  return O;
}
