//===- Profile.h - profile.ekdb: measurements of runs -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the SQLite container "evenkeel.profile/1" and its two views:
//   * `Profile`: what a planner may read (counts, misses per relative chunk and
//     when in a task's course they came, symbol values, sizes, lifetimes, task
//     times) - readProfile();
//   * `MissRecord`: a Profile plus the placement-independent miss record per
//     task, quantum of virtual time and page - readMissRecord(). Only the
//     replay simulator, the judge, calls that; the planner never does.
// Makes: profiles from the raw streams of recorded processes (ek_raw.h).
// Not here: models and interpretation. Rows are those of ek_raw.h, as one
// table each (columns named like the struct's members); bulk page rows are
// stored as one blob per task.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PROFILE_PROFILE_H
#define EVENKEEL_PROFILES_FORMAT_PROFILE_PROFILE_H

#include "format/Error.h"
#include "format/ek_raw.h"
#include "format/inputs/CommandLine.h"
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace evenkeel {

struct Profile {
  /// "base"; "prefix": the beginning of the target's run; or "target", which
  /// only simulate may read.
  std::string Role;
  std::string Mode;  // "counts", "misses", "sampled", "times"
  std::string Input; // identity of the input: 16 hex digits, see inputIdentity
  std::string Command; // arguments as given, for display (program: base name)
  CommandLine Ran;     // without a launcher's words
  /// The reason (endName) why the record ended before the program; empty: it
  /// covers the whole run.
  std::string Ended;
  ek_raw_conf Config{};
  /// Mode "sampled": one line in this many was followed, one of each page, and
  /// counts are scaled up; else 1.
  uint32_t OneIn = 1;
  /// Number of pairs of code places with a (certain) data race: with races, the
  /// next record may differ.
  uint32_t Races = 0;
  /// MPI programs: the first worker of each rank, from which its creators are
  /// counted; empty: one process.
  std::vector<uint32_t> Ranks;
  std::vector<ek_raw_inst> Instances;
  std::vector<ek_raw_phase> Phases;
  /// In a folded profile (predict/base/Fold.h): for each phase, the phase (the
  /// same or an earlier one) whose tasks and rows represent its own, which are
  /// omitted; rows in Far are sums over these phases. Empty: not folded.
  std::vector<uint32_t> Like;
  std::vector<ek_raw_task> Tasks;
  std::vector<ek_raw_dep> Deps;
  std::vector<ek_raw_part> Parts;
  std::vector<ek_raw_access> Accesses;
  std::vector<ek_raw_miss> Misses;
  std::vector<ek_raw_mrc> Curves;
  std::vector<ek_raw_far> Far;
  std::vector<ek_raw_symbol> Symbols;
};

/// The order of Profile::Symbols: by symbol, the value for the whole program
/// before those of tasks.
inline bool comesFirst(const ek_raw_symbol &X, const ek_raw_symbol &Y) {
  return std::tuple(X.symbol, X.task != EK_NO_TASK, X.task) <
         std::tuple(Y.symbol, Y.task != EK_NO_TASK, Y.task);
}

struct MissRecord : Profile {
  std::vector<ek_raw_page> Pages; // sorted by (task, quantum, inst, page)
  /// Only in raw streams.
  uint32_t Rank = 0; // of MPI programs
  ek_raw_ended End{};
  std::vector<ek_raw_race> RaceRows;
  std::vector<ek_raw_image> Images;
};

/// The name of EK_ENDED_* (ek_until.h); empty for EK_ENDED_PROGRAM.
const char *endName(uint32_t Why);
/// Whether \p Text is a valid role or end name.
bool isRole(const std::string &Text);
bool isEndName(const std::string &Text);

/// Reads one process's raw stream. \p Path appears in errors.
Expected<MissRecord> readRaw(const std::string &Path);

/// Writes \p R as a new profile; an existing file is replaced only when the
/// new one is complete (temporary file + rename).
MaybeError writeProfile(const std::string &Path, const MissRecord &R);

/// The planner's view; never reads page rows. Errors: not SQLite, another
/// schema, no tasks ("empty profile").
Expected<Profile> readProfile(const std::string &Path);

/// The same as JSON: one table for each kind of row, as arrays of numbers in
/// column order. Equal histograms are written once.
nlohmann::json profileToJson(const Profile &P);
/// A lower bound on the length of this text in bytes.
size_t leastJsonBytes(const Profile &P);
/// Errors as in readProfile; \p Path appears in them.
Expected<Profile> profileFromJson(const nlohmann::json &J,
                                  const std::string &Path);

/// The judge's view.
Expected<MissRecord> readMissRecord(const std::string &Path);

/// Hash of a command's arguments. An argument that names a regular file
/// contributes the file's bytes, any other its text. argv[0] does not count:
/// the original and the rewritten program have the same inputs.
Expected<std::string> inputIdentity(const std::vector<std::string> &Argv);

} // namespace evenkeel

#endif
