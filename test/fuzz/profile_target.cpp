//===- profile_target.cpp - raw streams and profile.ekdb ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a stream or profile that was accepted is written as a profile and read
// again with equal content; the planner's view is the judge's without pages.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "format/profile/Profile.h"
#include "format/rows/RowCounts.h"
#include <cstring>

using namespace evenkeel;
using namespace ekfuzz;

template <typename T>
static void checkRows(const std::vector<T> &A, const std::vector<T> &B,
                      const char *What) {
  EK_HOLDS(
      A.size() == B.size() &&
          (A.empty() || !std::memcmp(A.data(), B.data(), A.size() * sizeof(T))),
      std::string("rows differ after a round trip: ") + What);
}

static void checkSame(const Profile &A, const Profile &B) {
  EK_HOLDS(A.Role == B.Role && A.Mode == B.Mode && A.Input == B.Input &&
               A.Command == B.Command,
           "texts differ after a round trip");
  EK_HOLDS(!std::memcmp(&A.Config, &B.Config, sizeof A.Config),
           "configuration differs after a round trip");
  checkRows(A.Instances, B.Instances, "instances");
  checkRows(A.Phases, B.Phases, "phases");
  checkRows(A.Tasks, B.Tasks, "tasks");
  checkRows(A.Deps, B.Deps, "dependences");
  checkRows(A.Parts, B.Parts, "parts");
  checkRows(A.Accesses, B.Accesses, "accesses");
  checkRows(A.Misses, B.Misses, "misses");
  checkRows(A.Curves, B.Curves, "curves");
  checkRows(A.Far, B.Far, "lines behind L2");
  checkRows(A.Symbols, B.Symbols, "symbols");
}

static void checkRoundTrip(const MissRecord &R) {
  for (const ek_raw_inst &I : R.Instances)
    EK_HOLDS(I.bytes <= uint64_t(1) << 47, "a size that no object can have");
  std::string Path = freshPath("out");
  MaybeError E = writeProfile(Path, R);
  EK_HOLDS(!E, "a record cannot be written: " + E->Message);
  Expected<MissRecord> Again = readMissRecord(Path);
  // The judge refuses what has counts alone.
  EK_HOLDS(bool(Again) == (R.Mode != "counts"),
           "a written profile is refused: " + Again.message());
  if (Again) {
    checkSame(R, *Again);
    checkRows(R.Pages, Again->Pages, "pages");
  }
  Expected<Profile> Planners = readProfile(Path);
  EK_HOLDS(bool(Planners), "only the judge can read: " + Planners.message());
  checkSame(R, *Planners);
}

/// The look-ups of rows in the stream at \p Path come back from a profile.
static void checkRowCounts(const std::string &Path, const MissRecord &R) {
  Expected<RowCounts> Rows = readRawRows(Path, R);
  if (!Rows) {
    checkError(Rows.message());
    return;
  }
  const RowCounts Joined = joinRows({*Rows});
  const std::string Out = freshPath("rows");
  MaybeError E = writeProfile(Out, R, Joined);
  EK_HOLDS(!E, "look-ups of rows cannot be written: " + E->Message);
  Expected<RowCounts> Again = readRowCounts(Out);
  EK_HOLDS(bool(Again), "written look-ups are refused: " + Again.message());
  EK_HOLDS(Again->Unkept == Joined.Unkept &&
               Again->Tables.size() == Joined.Tables.size(),
           "tables of rows differ after a round trip");
  for (size_t T = 0; T < Joined.Tables.size(); ++T) {
    checkRows(Joined.Tables[T].Rows, Again->Tables[T].Rows, "look-ups");
    checkRows(Joined.Tables[T].Sample, Again->Tables[T].Sample, "samples");
  }
}

bool ekfuzz::runRaw(const std::string &Input) {
  const std::string Path = scratchFile("in", Input);
  Expected<MissRecord> R = readRaw(Path);
  if (!R) {
    checkError(R.message());
    return false;
  }
  // What `evenkeel record` refuses, or leaves to the judge to refuse.
  if (R->Tasks.empty() ||
      (R->Mode == "misses" && R->Pages.empty() && !R->Misses.empty()))
    return true;
  // Not kept, as is the sign of a zero (SQLite).
  for (ek_raw_miss &M : R->Misses) {
    M.reserved = 0;
    M.weight += 0.0;
  }
  for (ek_raw_page &P : R->Pages)
    P.weight += 0.0;
  for (ek_raw_symbol &S : R->Symbols) {
    S.reserved = 0;
    S.sum += 0.0;
  }
  R->Role = "base";
  R->Input = "0123456789abcdef";
  R->Command = "program";
  checkRoundTrip(*R);
  checkRowCounts(Path, *R);
  return true;
}

bool ekfuzz::runProfile(const std::string &Input) {
  const std::string Path = scratchFile("in", Input);
  Expected<MissRecord> R = readMissRecord(Path);
  if (R) {
    checkRoundTrip(*R);
    return true;
  }
  checkError(R.message());
  Expected<Profile> Counts = readProfile(Path);
  if (!Counts || Counts->Mode != "counts")
    return false;
  MissRecord Record;
  static_cast<Profile &>(Record) = std::move(*Counts);
  checkRoundTrip(Record);
  return true;
}
