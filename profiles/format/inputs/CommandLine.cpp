//===- CommandLine.cpp - the words that started a program -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CommandLine.h.
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include <nlohmann/json.hpp>

using nlohmann::json;

std::string evenkeel::commandLineToJson(const CommandLine &C) {
  const json J = {{"arguments", C.Arguments}, {"environment", C.Environment}};
  return J.dump(-1, ' ', false, json::error_handler_t::replace);
}

bool evenkeel::commandLineFromJson(const std::string &Text, CommandLine &Out) {
  const json J = json::parse(Text, nullptr, /*allow_exceptions=*/false);
  if (!J.is_object() || !J.contains("arguments") ||
      !J["arguments"].is_array() || J["arguments"].empty() ||
      !J.contains("environment") || !J["environment"].is_object())
    return false;
  for (const json &Word : J["arguments"]) {
    if (!Word.is_string())
      return false;
    Out.Arguments.push_back(Word.get<std::string>());
  }
  for (const auto &[Name, Value] : J["environment"].items()) {
    if (!Value.is_string())
      return false;
    Out.Environment[Name] = Value.get<std::string>();
  }
  return true;
}
