//===- CommandLine.h - the words that started a program ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a program's arguments, the environment variables that it reads, and
// what the files that arguments name showed before the run; their JSON form in
// profiles.
// Not here: what they mean to the program (predict/symbols/Inputs.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_INPUTS_COMMANDLINE_H
#define EVENKEEL_PROFILES_FORMAT_INPUTS_COMMANDLINE_H

#include <map>
#include <string>
#include <vector>

namespace evenkeel {

/// What a file tells about an input without knowing its format.
struct InputFile {
  double Bytes = 0;
  double Lines = 0; ///< of text; 0: no text, or too long to count
  std::vector<double>
      Numbers; ///< the first numbers of a text, without comments

  bool operator==(const InputFile &O) const {
    return Bytes == O.Bytes && Lines == O.Lines && Numbers == O.Numbers;
  }
};

struct CommandLine {
  /// The program's base name and its arguments; empty: not known, because a
  /// script started the program.
  std::vector<std::string> Arguments;
  /// Of the variables that the program may read, those that are set.
  std::map<std::string, std::string> Environment;
  /// By argument that names a file that was there, as it is spelled.
  std::map<std::string, InputFile> Files;

  bool known() const { return !Arguments.empty(); }
  bool operator==(const CommandLine &O) const {
    return Arguments == O.Arguments && Environment == O.Environment &&
           Files == O.Files;
  }
};

std::string commandLineToJson(const CommandLine &C);
/// False if \p Text is not the JSON of a command line.
bool commandLineFromJson(const std::string &Text, CommandLine &Out);

} // namespace evenkeel

#endif
