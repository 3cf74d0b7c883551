//===- Cli.h - what every subcommand of `evenkeel` shares -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what describes a subcommand, option parsing, one-line errors, aligned
// tables, amounts as text, and output files that are either complete or absent.
// Not here: the list of subcommands (Main.cpp) and what they do (commands/).
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

/// The value, or a Failure with the error's line.
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
  const char *Help;  // in the user's terms; help output breaks its lines
  const char *Default = nullptr; // shown in help and used by text()
};

class Args {
public:
  std::map<std::string, std::vector<std::string>> Values; // by Option::Name
  std::vector<std::string> Positional;
  std::vector<std::string> Command; // what follows "--"
  const std::vector<Option> *Options = nullptr;

  bool has(const std::string &Name) const { return Values.count(Name) != 0; }
  /// The last value given, or the option's default, or "".
  std::string text(const std::string &Name) const;
  std::vector<std::string> all(const std::string &Name) const;
  /// The value of a mandatory option.
  std::string require(const std::string &Name) const;
  /// Fails if any of \p Names is missing, and lists those that are.
  void requireAll(const std::vector<std::string> &Names) const;
};

struct Subcommand {
  const char *Name;
  const char *Question; // which the command answers; one line
  const char *Usage;    // after "evenkeel "
  const char *Example;  // works as written: test/e2e/help_examples.py runs it
  std::vector<Option>
      Options; // without --json and --help, which all commands have
  int (*Run)(const Args &);
  enum Words { None, Names, Program } Takes = None; // Program: after "--"
};

const Subcommand &tuneCommand();
const Subcommand &statusCommand();
const Subcommand &stripCommand();
const Subcommand &doctorCommand();
const Subcommand &analyzeCommand();
const Subcommand &recordCommand();
const Subcommand &probeCommand();
const Subcommand &planCommand();
const Subcommand &rewriteCommand();
const Subcommand &runCommand();
const Subcommand &simulateCommand();
const Subcommand &machineCommand();
const Subcommand &benchCommand();
const Subcommand &whatifCommand();
const Subcommand &adviseCommand();
const Subcommand &importCommand();
const Subcommand &exportCommand();
const Subcommand &reportCommand();
const Subcommand &showCommand();
const Subcommand &touchesCommand();
const Subcommand &ranksCommand();
const Subcommand &rowsCommand();

/// Parses the words after the subcommand's name. The error for an unknown
/// option suggests the nearest known one.
Args parseArgs(const Subcommand &C, const std::vector<std::string> &Words,
               const std::vector<Option> &Options);

std::vector<std::string> splitList(const std::string &Text, char Separator);

/// A table with aligned columns; columns marked right are flush right.
class Table {
  std::vector<std::vector<std::string>> Rows;
  std::vector<bool> Right;

public:
  /// Header texts; a leading '>' aligns the column to the right.
  explicit Table(std::vector<std::string> Header);
  void row(std::vector<std::string> Cells);
  std::string str() const;
};

std::string bytesText(double Bytes);     // "12.3 MiB"
std::string secondsText(double Seconds); // "12.3 ms"
std::string
durationText(double Seconds);    // "2 h 5 min", for estimates of waiting times
std::string countText(double N); // "1.23 M"
std::string percentText(double Share); // "12.5 %"

/// \p Text for use between tags and in quoted attributes.
std::string escaped(const std::string &Text);

std::string readTextFile(const std::string &Path);
/// Shortens \p Path for display if it is below the current folder.
std::string shownPath(const std::string &Path);
/// Fails if the output \p Path is one of \p Inputs.
void refuseInput(const std::string &Path,
                 const std::vector<std::string> &Inputs);
/// Fails if \p Path is an existing file that no evenkeel command wrote: outputs
/// never replace a user's own files.
void refuseForeign(const std::string &Path);
/// Writes a file completely or not at all; fails for foreign files.
void writeFile(const std::string &Path, const std::string &Text);

/// A private directory below TMPDIR that is removed with the object.
/// Directories of killed commands are removed by the next command.
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

/// Prints on stderr what is being done, once it takes more than two seconds.
class Progress {
  std::string What;
  double Start, Next;

public:
  explicit Progress(std::string What);
  void step(size_t Done, size_t All);
};

/// Prints one JSON document on stdout.
void printJson(const nlohmann::json &J);

} // namespace evenkeel::cli

#endif
