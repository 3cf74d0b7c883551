//===- SeenRun.h - what hooks saw of one run --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the file that an ordinary run of an annotated program leaves in its
// workspace ("evenkeel.seen/1"): one file for each process, so ranks have files
// of their own.
//   {"schema","build","program":[bytes,"time"],"command":[word,..],
//    "folder","threads","files":[[word,bytes,"time"],..],"rank","ranks",
//    "planned":bool,"seconds",
//    "values":[[region,variable,first,least,most],..],
//    "totals":[[region,loop,thread,first,least,most],..] (optional),
//    "objects":[[site,context,creator,ordinal,in_context,bytes],..],
//    "phases":[[sync,times,seconds],..],
//    "tasks":[[region,thread,times,seconds],..],
//    "teams":[[sync,thread,times,seconds],..],
//    "left_out":{"what":N,..},"types":{see SeenTypes.h; optional}}
// Not here: what a run says about another one (predict/symbols/SeenRuns.h), and
// where the files are (utils/cli/workspace).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_INPUTS_SEENRUN_H
#define EVENKEEL_PROFILES_FORMAT_INPUTS_SEENRUN_H

#include "format/Error.h"
#include "format/SeenTypes.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace evenkeel {

/// The state of a file: another size or time of change means other contents.
struct FileState {
  uint64_t Bytes = 0;
  std::string Time; // "seconds.nanoseconds"

  bool operator==(const FileState &O) const {
    return Bytes == O.Bytes && Time == O.Time;
  }
};

struct SeenRun {
  std::string Build; // of the workspace at the end of the run
  FileState Program;
  std::vector<std::string> Command; // the program's base name, its arguments
  std::string Folder;               // working directory at the start; absolute
  std::string Threads;              // OMP_NUM_THREADS; "" = not set
  /// Of the arguments that name regular files which the run did not change, by
  /// their index in Command.
  std::map<uint32_t, FileState> Files;
  uint32_t Rank = 0, Ranks = 0; // Ranks 0: no launcher
  bool Planned = false;         // the run carried out a plan
  double Seconds = 0;

  /// A value handed over before a region, in all its executions.
  struct Value {
    uint64_t Region = 0, Variable = 0; // as in ek_values
    int64_t First = 0, Least = 0, Most = 0;
  };
  std::vector<Value> Values;
  /// How often a thread ran a loop of a region, in all executions of the
  /// region. The threads of programs that others than evenkeel-cc compiled do
  /// not count.
  struct Total {
    uint64_t Region = 0, Loop = 0; // as in ek_total
    uint32_t Thread = 0;
    int64_t First = 0, Least = 0, Most = 0;
  };
  std::vector<Total> Totals;
  struct Object {
    uint64_t Site = 0, Context = 0;
    uint32_t Creator = 0, Ordinal = 0, InContext = 0;
    uint64_t Bytes = 0; // at its largest
  };
  std::vector<Object> Objects;
  /// Sums over executions.
  struct Times {
    uint64_t Id = 0;
    uint32_t Thread = 0;
    uint64_t Count = 0;
    double Seconds = 0;
  };
  std::vector<Times> Phases; // by the sync point that ended them; Thread 0
  std::vector<Times> Tasks;  // by region and thread
  std::vector<Times> Teams;  // the same by the hook that follows; 0: none
  /// Numbers of rows that did not fit: "values", "objects", "phases", ...
  std::map<std::string, uint64_t> LeftOut;
  SeenTypes Types;
};

std::string seenRunToJson(const SeenRun &R);
/// Errors: another schema, missing fields, rows of another form, values outside
/// of [Least, Most].
Expected<SeenRun> readSeenRun(const std::string &Path);

/// The name of the folder that a workspace has for runs of a command: 16 hex
/// digits for the program's base name and its arguments.
std::string inputId(const std::string &Program,
                    const std::vector<std::string> &Arguments);

} // namespace evenkeel

#endif
