//===- CommandLine.h - the words that started a program ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a program's arguments and the environment variables that it reads, and
// their JSON form in profiles.
// Not here: what they mean to the program (predict/symbols/Inputs.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_INPUTS_COMMANDLINE_H
#define EVENKEEL_PROFILES_FORMAT_INPUTS_COMMANDLINE_H

#include <map>
#include <string>
#include <vector>

namespace evenkeel {

struct CommandLine {
  /// The program's base name and its arguments; empty: not known, because a
  /// script started the program.
  std::vector<std::string> Arguments;
  /// Of the variables that the program may read, those that are set.
  std::map<std::string, std::string> Environment;

  bool known() const { return !Arguments.empty(); }
  bool operator==(const CommandLine &O) const {
    return Arguments == O.Arguments && Environment == O.Environment;
  }
};

std::string commandLineToJson(const CommandLine &C);
/// False if \p Text is not the JSON of a command line.
bool commandLineFromJson(const std::string &Text, CommandLine &Out);

} // namespace evenkeel

#endif
