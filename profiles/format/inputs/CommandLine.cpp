//===- CommandLine.cpp - the words that started a program -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CommandLine.h.
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include <nlohmann/json.hpp>

using nlohmann::json;

static json fileToJson(const evenkeel::InputFile &F) {
  return {{"bytes", F.Bytes}, {"lines", F.Lines}, {"numbers", F.Numbers}};
}

static bool isCount(const json &J, const char *Key) {
  return J.contains(Key) && J[Key].is_number() && J[Key].get<double>() >= 0;
}

static bool fileFromJson(const json &J, evenkeel::InputFile &Out) {
  if (!J.is_object() || !isCount(J, "bytes") || !isCount(J, "lines") ||
      !J.contains("numbers") || !J["numbers"].is_array())
    return false;
  Out.Bytes = J["bytes"].get<double>();
  Out.Lines = J["lines"].get<double>();
  for (const json &N : J["numbers"]) {
    if (!N.is_number())
      return false;
    Out.Numbers.push_back(N.get<double>());
  }
  return true;
}

std::string evenkeel::commandLineToJson(const CommandLine &C) {
  json J = {{"arguments", C.Arguments}, {"environment", C.Environment}};
  for (const auto &[Name, File] : C.Files)
    J["files"][Name] = fileToJson(File);
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
  if (!J.contains("files"))
    return true;
  if (!J["files"].is_object())
    return false;
  for (const auto &[Name, File] : J["files"].items())
    if (!fileFromJson(File, Out.Files[Name]))
      return false;
  return true;
}
