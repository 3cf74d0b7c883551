//===- InputRows.cpp - inputs in facts.json and as text -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See InputRows.h.
//===----------------------------------------------------------------------===//
#include "facts/InputRows.h"
#include "format/Identity.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace evenkeel {

static StringRef kindName(InputRow::KindType K) {
  switch (K) {
  case InputRow::Argument:
    return "argument";
  case InputRow::Operand:
    return "operand";
  case InputRow::Option:
    return "option";
  case InputRow::Count:
    return "count";
  case InputRow::Environment:
    return "environment";
  case InputRow::File:
    return "file";
  case InputRow::FileSize:
    return "file-size";
  case InputRow::First:
    return "first";
  }
  llvm_unreachable("kind of input without a name");
}

json::Object inputJson(const InputRow &I) {
  json::Object O{
      {"id", idToString(I.Id)}, {"kind", kindName(I.Kind)}, {"at", I.At}};
  if (I.Index)
    O["index"] = I.Index;
  for (auto &[Name, List] :
       {std::pair("names", I.Names), {"long", I.LongNames}})
    if (!List.empty())
      O[Name] = json::Array(List);
  if (I.Kind == InputRow::Option)
    O["form"] = I.Form == InputRow::GetOpt   ? "getopt"
                : I.Form == InputRow::Joined ? "joined"
                                             : "next";
  for (auto &[Name, Text] : {std::pair("letters", I.Letters),
                             {"name", I.Name},
                             {"convert", I.Convert},
                             {"format", I.Format}})
    if (!Text.empty())
      O[Name] = Text;
  if (I.Skip)
    O["skip"] = I.Skip;
  if (I.Base != 10)
    O["base"] = I.Base;
  if (I.Field)
    O["field"] = int64_t(I.Field);
  if (!I.Of.empty()) {
    json::Array Of;
    for (const CountRef &C : I.Of)
      Of.push_back(countJson(C));
    O["of"] = std::move(Of);
  }
  return O;
}

static std::string wordsFor(const InputRow &I, ArrayRef<InputRow> Rows) {
  if (StringRef(I.Convert).starts_with("equals")) {
    InputRow Text = I;
    Text.Convert.clear();
    return "(" + wordsFor(Text, Rows) + " is '" + I.Format + "')";
  }
  auto FileText = [&] {
    return "file " + (I.Of.empty() ? "'" + I.Name + "'"
                                   : "of " + inputText(I.Of[0], Rows));
  };
  switch (I.Kind) {
  case InputRow::Argument:
    return "argument " + std::to_string(I.Index);
  case InputRow::Operand:
    return "operand " + std::to_string(I.Index);
  case InputRow::Option:
    return "option " + join(I.Names, "/");
  case InputRow::Count:
    return "number of arguments";
  case InputRow::Environment:
    return "variable " + I.Name;
  case InputRow::File:
    return "number in " + FileText();
  case InputRow::FileSize:
    return "size of " + FileText();
  case InputRow::First: {
    std::string Out;
    for (const CountRef &C : I.Of)
      Out += (Out.empty() ? "" : " or ") + inputText(C, Rows);
    return "(" + Out + ")";
  }
  }
  llvm_unreachable("kind of input without words");
}

std::string inputText(const CountRef &C, ArrayRef<InputRow> Rows) {
  return countText(C, [&](uint64_t Id) {
    for (const InputRow &I : Rows)
      if (I.Id == Id)
        return wordsFor(I, Rows);
    return std::string("?");
  });
}

} // namespace evenkeel
