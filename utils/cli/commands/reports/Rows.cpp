//===- Rows.cpp - evenkeel rows -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the tables of a record that counted look-ups of rows, and how each is
// named.
// Makes: one line for each, which tells whether hot rows are worth a place of
// their own.
// Not here: the shares (profiles/rows), and moving rows.
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include "format/Facts.h"
#include "format/Identity.h"
#include "format/Machine.h"
#include "format/profile/Profile.h"
#include "rows/HotRows.h"
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

using namespace evenkeel;
using namespace evenkeel::cli;

/// The tables of the record \p Base; fails if it has none.
static std::vector<RowTableUse> tablesOf(const std::string &Base,
                                         uint64_t &Unkept) {
  const Profile P = orFail(readProfile(Base));
  const RowCounts C = orFail(readRowCounts(Base));
  Unkept = C.Unkept;
  std::vector<RowTableUse> Tables = tablesInUse(C, P.Instances);
  if (!Tables.empty())
    return Tables;
  if (P.Mode != "misses")
    fail("'" + shownPath(Base) + "' records " + P.Mode +
         "; look-ups of rows are counted by EVENKEEL_RECORD_LOOKUPS=1 evenkeel "
         "record --misses -- CMD");
  fail("'" + shownPath(Base) +
       "' has no look-ups of rows: data select no rows of its large objects "
       "(evenkeel analyze --print shows tables), or it was recorded without "
       "EVENKEEL_RECORD_LOOKUPS=1");
}

/// Where the table is allocated; its id where no facts tell.
static std::string nameOf(const RowTableCounts &T,
                          const std::optional<Facts> &F) {
  const SiteFact *S = F ? F->site(T.Site) : nullptr;
  return S ? S->At : idToString(T.Site);
}

static nlohmann::json rowJson(const RowTableUse &T, const RowShares &S,
                              uint64_t FastBytes, const std::string &Name) {
  const RowTableCounts &C = T.Counts;
  return {{"site", idToString(C.Site)},
          {"context", idToString(C.Context)},
          {"ordinal", C.Ordinal},
          {"creator", C.Creator},
          {"name", Name},
          {"rows", T.rows()},
          {"row_bytes", C.RowBytes},
          {"lookups", C.Lookups},
          {"fast_bytes", FastBytes},
          {"cached_rows", S.CachedRows},
          {"cached_share", S.Cached},
          {"hot_rows_share", S.HotRows},
          {"hot_pages_share",
           S.HotPages ? nlohmann::json(*S.HotPages) : nlohmann::json()},
          {"random_rows_share", S.Random}};
}

static int run(const Args &A) {
  const Machine M = orFail(readMachine(A.require("--machine")));
  const std::string Fast = A.text("--fast");
  uint64_t Unkept = 0;
  const std::vector<RowTableUse> Tables = tablesOf(A.require("--base"), Unkept);
  std::optional<Facts> F;
  if (A.has("--facts"))
    F = orFail(readFacts(A.text("--facts")));
  nlohmann::json Rows = nlohmann::json::array();
  Table Shown({"table", ">rows", ">row", ">look-ups", ">in caches", ">hot rows",
               ">hot pages", ">random rows"});
  for (const RowTableUse &T : Tables) {
    const uint64_t FastBytes = orFail(parseFastSize(Fast, T.Bytes));
    const RowShares S = sharesOf(T, FastBytes, M.LlcBytes);
    const std::string Name = nameOf(T.Counts, F);
    Rows.push_back(rowJson(T, S, FastBytes, Name));
    Shown.row({Name, countText(double(T.rows())),
               bytesText(double(T.Counts.RowBytes)),
               countText(double(T.Counts.Lookups)), percentText(S.Cached),
               percentText(S.HotRows),
               S.HotPages ? percentText(*S.HotPages) : "-",
               percentText(S.Random)});
  }
  if (A.has("--json")) {
    printJson({{"schema", "evenkeel.rows/1"},
               {"machine", M.Name},
               {"cache_bytes", M.LlcBytes},
               {"unkept_lookups", Unkept},
               {"tables", Rows}});
    return 0;
  }
  std::printf("%sof the look-ups of rows that the caches of %s (%s) do not "
              "hold, %s of each table in fast memory serves so many\n",
              Shown.str().c_str(), M.Name.c_str(),
              bytesText(double(M.LlcBytes)).c_str(), Fast.c_str());
  if (Unkept)
    std::printf("%s look-ups are of tables that were not counted\n",
                countText(double(Unkept)).c_str());
  return 0;
}

namespace evenkeel::cli {
const Subcommand &rowsCommand() {
  static const Subcommand C = {
      "rows",
      "Which look-ups of a table would its hottest rows serve?",
      "rows --base FILE --machine NAME|FILE [--fast SHARE] [--facts FILE]",
      "evenkeel-cc -O2 lookups.c -o lookups\n"
      "EVENKEEL_RECORD_LOOKUPS=1 evenkeel record --misses -o rows.ekdb -- "
      "./lookups\n"
      "evenkeel rows --base rows.ekdb --machine ddr5-cxl",
      {{"--base", nullptr, "FILE",
        "a full record (record --misses) with EVENKEEL_RECORD_LOOKUPS=1"},
       {"--machine", nullptr, "NAME|FILE",
        "the machine whose caches hold the hottest rows: a name (evenkeel "
        "machine list) or a file"},
       {"--fast", nullptr, "SHARE",
        "fast memory for each table: a share of it, or an amount, as in 64MiB",
        "12.5%"},
       {"--facts", nullptr, "FILE",
        "facts.json of the program, which tells where tables are allocated"}},
      run};
  return C;
}
} // namespace evenkeel::cli
