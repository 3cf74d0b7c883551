//===- InputFacts.h - inputs of a program in facts.json ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the rows "inputs" of facts.json: what a program reads from its
// arguments, options, environment and files.
//   {"id","kind":"argument"|"operand"|"option"|"count"|"environment"|"file"|
//    "file-size"|"first","at", and as the kind needs: "index":N,
//    "names":["-n",..],"form":"next"|"joined"|"getopt","letters","long",
//    "name","skip":N,"convert":"integer"|"number"|"text"|"scan"|.., "base":N,
//    "format","field":N,"of":[EXPR,..]}
// Not here: values on a command line (predict/symbols/Inputs.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_INPUTS_INPUTFACTS_H
#define EVENKEEL_PROFILES_FORMAT_INPUTS_INPUTFACTS_H

#include "format/expr/Expr.h"
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace evenkeel {

class JsonReader;

struct InputFact {
  uint64_t Id = 0;
  std::string Kind;
  std::string At;    // where the program converts it; may be empty
  int64_t Index = 0; // argument, operand: position from 1
  /// Option: its names with dashes.
  std::vector<std::string> Names;
  /// Option: the value is the next argument ("next"), follows the name in the
  /// same one ("joined"), or is where getopt finds it ("getopt").
  std::string Form;
  std::string Letters;                // getopt's, "n:v"; empty: not known
  std::vector<std::string> LongNames; // getopt_long's; "size:" has a value
  std::string Name; // of a variable, or of a file with a fixed name
  /// Characters in front of the value; -1: as far as the first '='.
  int64_t Skip = 0;
  std::string Convert; // equals, equals-any-case: 1 if it is Format, else 0
  int64_t Base = 10;
  std::string Format;
  int64_t Field = 0; // scan, file: number of the value, from 0
  /// First: the first that has a value counts. File, file-size: the input that
  /// names the file.
  std::vector<ExprRef> Of;
};

bool isInputKind(const std::string &Kind);

/// Reads one row; \p Where is its place in the file.
InputFact inputFactFromJson(const nlohmann::json &O, const std::string &Where,
                            JsonReader &R);
nlohmann::json inputFactToJson(const InputFact &I);

} // namespace evenkeel

#endif
