//===- Profile.h - profile.ekdb: what runs measured -------------*- C++ -*-===//
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
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace evenkeel {

struct Profile {
  /// "base"; "prefix": the target's own beginning; or "target", of which only
  /// simulate may know.
  std::string Role;
  std::string Mode;  // "counts", "misses", "sampled", "times"
  std::string Input; // identity of the input: 16 hex digits, see inputIdentity
  std::string Command; // arguments as given, for people (program: base name)
  /// What ended the record in front of the program's end, in a word (endName);
  /// empty: nothing, all of the run is there.
  std::string Ended;
  ek_raw_conf Config{};
  /// Mode "sampled": one line in so many was followed, one of each page. Counts
  /// are scaled up already; else 1.
  uint32_t OneIn = 1;
  /// Pairs of places in the code that race, without the doubtful ones: if there
  /// are any, the record may be another one next time.
  uint32_t Races = 0;
  /// Of MPI programs: each rank's first worker, which its creators count from;
  /// empty: one process.
  std::vector<uint32_t> Ranks;
  std::vector<ek_raw_inst> Instances;
  std::vector<ek_raw_phase> Phases;
  /// Of a folded profile (predict/base/Fold.h), by phase: the one, itself or
  /// before it, whose tasks and their rows stand for its own, which are left
  /// out; its rows in Far are sums over them. Empty: each phase has its own.
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

struct MissRecord : Profile {
  std::vector<ek_raw_page> Pages; // sorted by (task, quantum, inst, page)
  /// Of raw streams only.
  uint32_t Rank = 0; // of MPI programs
  ek_raw_ended End{};
  std::vector<ek_raw_race> RaceRows;
  std::vector<ek_raw_image> Images;
};

/// A word for EK_ENDED_* (ek_until.h); empty for EK_ENDED_PROGRAM.
const char *endName(uint32_t Why);
/// Whether profiles may say so.
bool isRole(const std::string &Text);
bool isEndName(const std::string &Text);

/// Reads one process's raw stream. \p Path is named in errors.
Expected<MissRecord> readRaw(const std::string &Path);

/// Writes \p R as a new profile; an existing file is replaced only when the
/// new one is complete (temporary file + rename).
MaybeError writeProfile(const std::string &Path, const MissRecord &R);

/// The planner's view; never touches the page rows. Refuses files that are not
/// SQLite, of another schema, or without tasks ("empty profile").
Expected<Profile> readProfile(const std::string &Path);

/// The same as JSON: a table for each kind of rows, as arrays of numbers in the
/// order of their columns. Histograms that several tasks have are written once.
nlohmann::json profileToJson(const Profile &P);
/// Its text is not shorter than so many bytes.
size_t leastJsonBytes(const Profile &P);
/// Errors: what readProfile refuses; \p Path is named in them.
Expected<Profile> profileFromJson(const nlohmann::json &J,
                                  const std::string &Path);

/// The judge's view.
Expected<MissRecord> readMissRecord(const std::string &Path);

/// Hash of a command's arguments; an argument that names a regular file
/// contributes the file's bytes instead of its name, others their text.
/// argv[0] does not count: original and rewritten program share inputs.
Expected<std::string> inputIdentity(const std::vector<std::string> &Argv);

} // namespace evenkeel

#endif
