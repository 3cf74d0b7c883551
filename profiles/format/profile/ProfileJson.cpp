//===- ProfileJson.cpp - a base profile inside a plan ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: rows as arrays of numbers in the column order of ProfileTables.h; ids
// are numbers here. The misses of a task and an instance are [task, inst, K],
// where histogram K is a list of [chunk, reads, writes, weight], because most
// iterations of a loop have the same one. For a folded profile, `like` is
// Profile::Like, and `phase` contains only phases with rows of their own.
// Not here: page rows, which planners do not use.
//===----------------------------------------------------------------------===//
#include "ProfileTables.h"
#include "format/File.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

using namespace evenkeel;
using nlohmann::json;

namespace {

template <typename T> json rowToJson(const T &Row) {
  json A = json::array();
  const char *At = reinterpret_cast<const char *>(&Row);
  for (const Column &C : tableOf<T>().Columns) {
    uint32_t U32;
    uint64_t U64;
    int64_t I64;
    double F64;
    switch (C.Type) {
    case Column::U32:
      std::memcpy(&U32, At + C.Offset, sizeof U32);
      A.push_back(U32);
      break;
    case Column::U64:
      std::memcpy(&U64, At + C.Offset, sizeof U64);
      A.push_back(U64);
      break;
    case Column::I64:
      std::memcpy(&I64, At + C.Offset, sizeof I64);
      A.push_back(I64);
      break;
    case Column::F64:
      std::memcpy(&F64, At + C.Offset, sizeof F64);
      A.push_back(F64);
    }
  }
  return A;
}

template <typename T> json rowsToJson(const std::vector<T> &Rows) {
  json A = json::array();
  for (const T &Row : Rows)
    A.push_back(rowToJson(Row));
  return A;
}

size_t digits(uint64_t V) {
  size_t N = 1;
  while (V /= 10)
    ++N;
  return N;
}

/// A lower bound on the text length of the rows, with a separator per number.
template <typename T> size_t leastBytes(const std::vector<T> &Rows) {
  size_t Sum = 0;
  for (const T &Row : Rows) {
    const char *At = reinterpret_cast<const char *>(&Row);
    for (const Column &C : tableOf<T>().Columns) {
      uint32_t U32 = 0;
      uint64_t U64 = 0; // fractions and signed values: at least a digit
      if (C.Type == Column::U32)
        std::memcpy(&U32, At + C.Offset, sizeof U32);
      else if (C.Type == Column::U64)
        std::memcpy(&U64, At + C.Offset, sizeof U64);
      Sum += digits(U64 + U32) + 1;
    }
  }
  return Sum;
}

/// Reads a number if it fits the type; false for text, and for fractions in
/// integer columns.
template <typename V> bool take(const json &J, char *To) {
  V Value{};
  if constexpr (std::is_floating_point_v<V>) {
    if (!J.is_number())
      return false;
    Value = J.get<double>();
    if (!std::isfinite(Value))
      return false;
  } else if constexpr (std::is_signed_v<V>) {
    if (!J.is_number_integer() ||
        (J.is_number_unsigned() && J.get<uint64_t>() > INT64_MAX))
      return false;
    Value = J.get<V>();
  } else {
    if (!J.is_number_unsigned())
      return false;
    uint64_t Wide = J.get<uint64_t>();
    Value = static_cast<V>(Wide);
    if (Value != Wide)
      return false;
  }
  std::memcpy(To, &Value, sizeof Value);
  return true;
}

template <typename T> bool rowFromJson(const json &J, T &Row) {
  const std::vector<Column> &Columns = tableOf<T>().Columns;
  size_t Least = Columns.size(); // older files lack the later columns
  while (Least && Columns[Least - 1].Later)
    --Least;
  if (!J.is_array() || J.size() < Least || J.size() > Columns.size())
    return false;
  char *At = reinterpret_cast<char *>(&Row);
  for (size_t I = 0; I < J.size(); ++I) {
    char *To = At + Columns[I].Offset;
    bool Good = false;
    switch (Columns[I].Type) {
    case Column::U32:
      Good = take<uint32_t>(J[I], To);
      break;
    case Column::U64:
      Good = take<uint64_t>(J[I], To);
      break;
    case Column::I64:
      Good = take<int64_t>(J[I], To);
      break;
    case Column::F64:
      Good = take<double>(J[I], To);
    }
    if (!Good)
      return false;
  }
  return true;
}

template <typename T>
std::vector<T> rowsFromJson(JsonReader &R, const json &J) {
  std::vector<T> Rows;
  const char *Name = tableOf<T>().Name;
  for (const json &O : R.array(J, "base", Name)) {
    Rows.emplace_back();
    if (!rowFromJson(O, Rows.back())) {
      R.fail(std::string("base.") + Name + "[" +
                 std::to_string(Rows.size() - 1) + "]",
             "is not a valid row of numbers");
      break;
    }
  }
  return Rows;
}

/// One chunk, as in ek_raw_miss.
using Bin = std::tuple<uint32_t, uint64_t, uint64_t, double, uint64_t>;

} // namespace

size_t evenkeel::leastJsonBytes(const Profile &P) {
  return leastBytes(P.Instances) + leastBytes(P.Phases) * P.Like.empty() +
         leastBytes(P.Tasks) + leastBytes(P.Deps) + leastBytes(P.Parts) +
         leastBytes(P.Accesses) + leastBytes(P.Curves) + leastBytes(P.Far) +
         leastBytes(P.Symbols);
}

json evenkeel::profileToJson(const Profile &P) {
  std::map<std::pair<uint32_t, uint32_t>, std::vector<Bin>> Of;
  for (const ek_raw_miss &M : P.Misses)
    Of[{M.task, M.inst}].emplace_back(M.chunk, M.reads, M.writes, M.weight,
                                      M.course);
  std::map<std::vector<Bin>, size_t> Known;
  json Histograms = json::array(), Misses = json::array();
  for (auto &[Where, Bins] : Of) {
    auto [At, New] = Known.try_emplace(Bins, Known.size());
    if (New) {
      Histograms.push_back(json::array());
      for (const auto &[Chunk, Reads, Writes, Weight, Course] : Bins) {
        Histograms.back().push_back({Chunk, Reads, Writes, Weight});
        if (Course)
          Histograms.back().back().push_back(Course);
      }
    }
    Misses.push_back({Where.first, Where.second, At->second});
  }
  std::vector<ek_raw_phase> Phases;
  for (uint32_t H = 0; H < P.Phases.size(); ++H)
    if (P.Like.empty() || P.Like[H] == H)
      Phases.push_back(P.Phases[H]);
  json J = {{"role", P.Role},
            {"ended", P.Ended},
            {"mode", P.Mode},
            {"input", P.Input},
            {"one_in", P.OneIn},
            {"races", P.Races},
            {"conf", rowToJson(P.Config)},
            {"inst", rowsToJson(P.Instances)},
            {"phase", rowsToJson(Phases)},
            {"task", rowsToJson(P.Tasks)},
            {"dep", rowsToJson(P.Deps)},
            {"part", rowsToJson(P.Parts)},
            {"access", rowsToJson(P.Accesses)},
            {"histograms", std::move(Histograms)},
            {"misses", std::move(Misses)},
            {"curve", rowsToJson(P.Curves)},
            {"far", rowsToJson(P.Far)},
            {"symbol", rowsToJson(P.Symbols)}};
  if (!P.Like.empty())
    J["like"] = P.Like;
  return J;
}

/// Reads the phases of a folded profile; \p P has those with rows so far.
static void readLike(JsonReader &R, const json &J, Profile &P) {
  const std::vector<ek_raw_phase> Own = std::move(P.Phases);
  P.Phases.clear();
  size_t Next = 0;
  for (const json &K : R.array(J, "base", "like")) {
    const auto H = uint32_t(P.Phases.size());
    uint32_t Like = 0;
    if (!take<uint32_t>(K, reinterpret_cast<char *>(&Like)) || Like > H ||
        (Like == H ? Next == Own.size() : P.Like[Like] != Like)) {
      R.fail("base.like[" + std::to_string(H) + "]",
             "must be a phase with rows, itself or before it");
      return;
    }
    P.Phases.push_back(Like == H ? Own[Next++] : P.Phases[Like]);
    P.Like.push_back(Like);
  }
  if (Next < Own.size())
    R.fail("base.like", "has fewer phases than the profile");
}

Expected<Profile> evenkeel::profileFromJson(const json &J,
                                            const std::string &Path) {
  JsonReader R(Path);
  Profile P;
  P.Role = J.contains("role") ? R.string(J, "base", "role") : "base";
  if (J.contains("ended"))
    P.Ended = R.string(J, "base", "ended", true);
  if (!R.failed() && !isRole(P.Role))
    R.fail("base.role", "is neither base nor prefix nor target");
  if (!R.failed() && !isEndName(P.Ended))
    R.fail("base.ended", "is not a known reason");
  P.Mode = R.string(J, "base", "mode");
  P.Input = R.string(J, "base", "input", true);
  P.OneIn = R.unsigned32(J, "base", "one_in");
  P.Races = R.unsigned32(J, "base", "races");
  if (!P.OneIn)
    R.fail("base.one_in", "must not be 0");
  if (const json *C = R.member(J, "base", "conf"))
    if (!rowFromJson(*C, P.Config))
      R.fail("base.conf", "is not a valid row of numbers");
  P.Instances = rowsFromJson<ek_raw_inst>(R, J);
  P.Phases = rowsFromJson<ek_raw_phase>(R, J);
  if (J.contains("like"))
    readLike(R, J, P);
  P.Tasks = rowsFromJson<ek_raw_task>(R, J);
  if (!R.failed() && P.Tasks.empty())
    R.fail("base.task", "is empty");
  P.Deps = rowsFromJson<ek_raw_dep>(R, J);
  if (J.contains("part")) // plans of before have none
    P.Parts = rowsFromJson<ek_raw_part>(R, J);
  P.Accesses = rowsFromJson<ek_raw_access>(R, J);
  P.Curves = rowsFromJson<ek_raw_mrc>(R, J);
  if (J.contains("far")) // plans of before have none
    P.Far = rowsFromJson<ek_raw_far>(R, J);
  P.Symbols = rowsFromJson<ek_raw_symbol>(R, J);
  std::vector<std::vector<ek_raw_miss>> Histograms;
  for (const json &H : R.array(J, "base", "histograms")) {
    std::string W =
        "base.histograms[" + std::to_string(Histograms.size()) + "]";
    Histograms.emplace_back();
    if (!H.is_array()) {
      R.fail(W, "must be an array");
      break;
    }
    for (const json &B : H) {
      ek_raw_miss M{};
      auto At = [&](size_t Offset) {
        return reinterpret_cast<char *>(&M) + Offset;
      };
      if (!B.is_array() || B.size() < 4 || B.size() > 5 ||
          !take<uint32_t>(B[0], At(offsetof(ek_raw_miss, chunk))) ||
          !take<uint64_t>(B[1], At(offsetof(ek_raw_miss, reads))) ||
          !take<uint64_t>(B[2], At(offsetof(ek_raw_miss, writes))) ||
          !take<double>(B[3], At(offsetof(ek_raw_miss, weight))) ||
          (B.size() == 5 &&
           !take<uint64_t>(B[4], At(offsetof(ek_raw_miss, course))))) {
        R.fail(W, "must be of [chunk, reads, writes, weight, course]");
        break;
      }
      Histograms.back().push_back(M);
    }
  }
  // A small file must not expand to gigabytes.
  constexpr size_t MostRows = 1 << 24;
  size_t I = 0;
  for (const json &O : R.array(J, "base", "misses")) {
    std::string W = "base.misses[" + std::to_string(I++) + "]";
    uint32_t Task = 0, Inst = 0, K = 0;
    if (!O.is_array() || O.size() != 3 ||
        !take<uint32_t>(O[0], reinterpret_cast<char *>(&Task)) ||
        !take<uint32_t>(O[1], reinterpret_cast<char *>(&Inst)) ||
        !take<uint32_t>(O[2], reinterpret_cast<char *>(&K)) ||
        K >= Histograms.size() ||
        P.Misses.size() + Histograms[K].size() > MostRows) {
      R.fail(W, "must be [task, instance, histogram]");
      break;
    }
    for (ek_raw_miss M : Histograms[K]) {
      M.task = Task;
      M.inst = Inst;
      P.Misses.push_back(M);
    }
  }
  if (const char *Table = R.failed() ? nullptr : tableWithBadIndex(P))
    R.fail(std::string("base.") + Table, "refers to a row that does not exist");
  if (const char *Table = R.failed() ? nullptr : tableWithBadFigure(P))
    R.fail(std::string("base.") + Table, "has a number out of range");
  if (R.failed())
    return R.error();
  return P;
}
