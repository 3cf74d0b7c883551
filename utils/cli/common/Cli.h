//===- Cli.h - what every subcommand of `evenkeel` shares -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the subcommand table, option parsing, one-line errors, aligned tables,
// units, and output files that are either complete or absent.
// Not here: anything about placement; that is profiles/.
//
// Errors inside the command travel as the exception `Failure`, caught once in
// main(), so that temporary files are removed on the way out.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_CLI_H
#define EVENKEEL_UTILS_CLI_CLI_H

#include "format/Error.h"
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// `evenkeel: error: <Line>` and exit status 2.
struct Failure {
  std::string Line;
};
[[noreturn]] void fail(const std::string &Line);

/// The value, or a Failure with the error's own line.
template <typename T> T orFail(Expected<T> E) {
  if (!E)
    fail(E.message());
  return std::move(*E);
}
void orFail(const MaybeError &E);

struct Option {
  const char *Name;  // "--build"
  const char *Alias; // "-p" or null
  const char *Value; // placeholder, or null for a flag
  const char *Help;  // in words of the user; the help breaks its lines
  const char *Default = nullptr; // shown in help and used by text()
};

class Args {
public:
  std::map<std::string, std::vector<std::string>> Values; // by Option::Name
  std::vector<std::string> Positional;
  std::vector<std::string> Command; // what follows "--"
  const std::vector<Option> *Options = nullptr;

  bool has(const std::string &Name) const { return Values.count(Name) != 0; }
  /// Last value given, else the option's default, else "".
  std::string text(const std::string &Name) const;
  std::vector<std::string> all(const std::string &Name) const;
  /// Value of an option that must be given.
  std::string require(const std::string &Name) const;
  /// Fails where one of \p Names is missing, and names all that are.
  void requireAll(const std::vector<std::string> &Names) const;
};

struct Subcommand {
  const char *Name;
  const char *Question; // that the command answers, one line
  const char *Usage;    // after "evenkeel "
  const char *Example;  // works as written: test/e2e/help_examples.py runs it
  std::vector<Option> Options; // without --json and --help, which all have
  int (*Run)(const Args &);
  enum Words { None, Names, Program } Takes = None; // Program: behind "--"
};

const Subcommand &analyzeCommand();
const Subcommand &recordCommand();
const Subcommand &planCommand();
const Subcommand &rewriteCommand();
const Subcommand &runCommand();
const Subcommand &simulateCommand();
const Subcommand &machineCommand();
const Subcommand &benchCommand();
const Subcommand &whatifCommand();

/// Parses what follows the subcommand's name. Unknown options fail with the
/// nearest known name.
Args parseArgs(const Subcommand &C, const std::vector<std::string> &Words,
               const std::vector<Option> &Options);

std::vector<std::string> splitList(const std::string &Text, char Separator);

/// A table with aligned columns; numbers (columns marked right) flush right.
class Table {
  std::vector<std::vector<std::string>> Rows;
  std::vector<bool> Right;

public:
  /// Header texts; a leading '>' aligns the column to the right.
  explicit Table(std::vector<std::string> Header);
  void row(std::vector<std::string> Cells);
  std::string str() const;
};

std::string bytesText(double Bytes);      // "12.3 MiB"
std::string secondsText(double Seconds);  // "12.3 ms"
std::string durationText(double Seconds); // "2 h 5 min", for people to wait
std::string countText(double N);          // "1.23 M"
std::string percentText(double Share);    // "12.5 %"

std::string readTextFile(const std::string &Path);
/// Ends with an error when the output \p Path is one of \p Inputs.
void refuseInput(const std::string &Path,
                 const std::vector<std::string> &Inputs);
/// Ends with an error when \p Path is an existing file that no evenkeel command
/// wrote: outputs never replace a user's own files.
void refuseForeign(const std::string &Path);
/// All or nothing: writes beside \p Path, then renames. Refuses foreign files.
void writeFile(const std::string &Path, const std::string &Text);

/// A private directory below TMPDIR that goes away with the object. What
/// commands left that were killed goes away with the next one.
class TempDir {
  std::string Dir;
  int Lock = -1; // held for as long as it is in use

public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir &) = delete;
  TempDir &operator=(const TempDir &) = delete;
  const std::string &path() const { return Dir; }
};

/// Says on stderr what is going on once it has taken more than two seconds.
class Progress {
  std::string What;
  double Start, Last;

public:
  explicit Progress(std::string What);
  void step(size_t Done, size_t All);
};

/// Prints one JSON document on stdout.
void printJson(const nlohmann::json &J);

} // namespace evenkeel::cli

#endif
