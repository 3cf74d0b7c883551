//===- SeenRun.cpp - what hooks saw of one run ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SeenRun.h. Ids are texts of 16 hex digits, as in all files.
//===----------------------------------------------------------------------===//
#include "SeenRun.h"
#include "format/File.h"
#include "format/Identity.h"
#include <cmath>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using nlohmann::json;

namespace {

/// Reads rows of a fixed form. Each letter of \p Form is one element: 'i' an id
/// (0 allowed), 'u' an unsigned number of 32 bits, 'U' one of 53, 's' a signed
/// number, 'd' seconds, 't' a text.
class RowReader {
  JsonReader &R;

  static bool hasForm(const json &X, char Form) {
    switch (Form) {
    case 'i':
      return X.is_string() && (X.get<std::string>() == std::string(16, '0') ||
                               idFromString(X.get<std::string>()));
    case 'u':
      return X.is_number_unsigned() && X.get<uint64_t>() <= UINT32_MAX;
    case 'U':
      return X.is_number_unsigned() && X.get<uint64_t>() <= 1ULL << 53;
    case 's':
      return X.is_number_integer() &&
             (!X.is_number_unsigned() || X.get<uint64_t>() <= INT64_MAX);
    case 'd':
      return X.is_number() && std::isfinite(X.get<double>()) &&
             X.get<double>() >= 0;
    default:
      return X.is_string();
    }
  }

public:
  explicit RowReader(JsonReader &R) : R(R) {}

  bool fits(const json &Row, const std::string &Form) const {
    if (!Row.is_array() || Row.size() != Form.size())
      return false;
    for (size_t I = 0; I < Form.size(); ++I)
      if (!hasForm(Row[I], Form[I]))
        return false;
    return true;
  }

  /// Calls \p Each with the rows of member \p Name.
  template <typename F>
  void rows(const json &J, const char *Name, const std::string &Form, F Each) {
    size_t I = 0;
    for (const json &Row : R.array(J, "", Name)) {
      if (!fits(Row, Form)) {
        R.fail(std::string(Name) + "[" + std::to_string(I) + "]",
               "must be a row of " + std::to_string(Form.size()) +
                   " fields as documented");
        return;
      }
      Each(Row);
      ++I;
    }
  }
};

uint64_t idOf(const json &X) { return idFromString(X.get<std::string>()); }

json timesToJson(const std::vector<SeenRun::Times> &Rows, bool HasThreads) {
  json Out = json::array();
  for (const SeenRun::Times &X : Rows)
    Out.push_back(HasThreads
                      ? json{idToString(X.Id), X.Thread, X.Count, X.Seconds}
                      : json{idToString(X.Id), X.Count, X.Seconds});
  return Out;
}

void readTimes(RowReader &Rows, const json &J, const char *Name,
               bool HasThreads, std::vector<SeenRun::Times> &Out) {
  Rows.rows(J, Name, HasThreads ? "iuUd" : "iUd", [&](const json &X) {
    const size_t At = HasThreads ? 2 : 1;
    Out.push_back({idOf(X[0]), HasThreads ? X[1].get<uint32_t>() : 0,
                   X[At].get<uint64_t>(), X[At + 1].get<double>()});
  });
}

} // namespace

std::string evenkeel::seenRunToJson(const SeenRun &R) {
  json Values = json::array(), Objects = json::array(), Files = json::array();
  for (const auto &[Word, F] : R.Files)
    Files.push_back({Word, F.Bytes, F.Time});
  for (const SeenRun::Value &V : R.Values)
    Values.push_back({idToString(V.Region), idToString(V.Variable), V.First,
                      V.Least, V.Most});
  for (const SeenRun::Object &O : R.Objects)
    Objects.push_back({idToString(O.Site), idToString(O.Context), O.Creator,
                       O.Ordinal, O.InContext, O.Bytes});
  json J = {{"schema", "evenkeel.seen/1"},
            {"build", R.Build},
            {"program", {R.Program.Bytes, R.Program.Time}},
            {"command", R.Command},
            {"folder", R.Folder},
            {"threads", R.Threads},
            {"files", std::move(Files)},
            {"rank", R.Rank},
            {"ranks", R.Ranks},
            {"planned", R.Planned},
            {"seconds", R.Seconds},
            {"values", std::move(Values)},
            {"objects", std::move(Objects)},
            {"phases", timesToJson(R.Phases, false)},
            {"tasks", timesToJson(R.Tasks, true)},
            {"teams", timesToJson(R.Teams, true)},
            {"left_out", R.LeftOut}};
  for (const SeenRun::Total &T : R.Totals)
    J["totals"].push_back({idToString(T.Region), idToString(T.Loop), T.Thread,
                           T.First, T.Least, T.Most});
  if (!R.Types.Rows.empty())
    J["types"] = seenTypesToJson(R.Types);
  // Arguments may be any bytes.
  return J.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

static void readAbout(const json &J, JsonReader &R, SeenRun &Out) {
  const RowReader Rows(R);
  Out.Build = R.string(J, "", "build");
  const json &Program = R.array(J, "", "program");
  if (!R.failed() && !Rows.fits(Program, "Ut"))
    R.fail("program", "must be a size and a time");
  if (R.failed())
    return;
  Out.Program = {Program[0].get<uint64_t>(), Program[1].get<std::string>()};
  for (const json &Word : R.array(J, "", "command")) {
    if (!Word.is_string()) {
      R.fail("command", "must be words");
      return;
    }
    Out.Command.push_back(Word.get<std::string>());
  }
  if (!R.failed() && Out.Command.empty())
    R.fail("command", "must name the program");
  Out.Folder = R.string(J, "", "folder");
  Out.Threads = R.string(J, "", "threads");
  Out.Rank = R.unsigned32(J, "", "rank");
  Out.Ranks = R.unsigned32(J, "", "ranks");
  if (!R.failed() && Out.Ranks && Out.Rank >= Out.Ranks)
    R.fail("rank", "must be less than ranks");
  Out.Planned = R.boolean(J, "", "planned", false, false);
  Out.Seconds = R.number(J, "", "seconds");
  if (!R.failed() && !(std::isfinite(Out.Seconds) && Out.Seconds >= 0))
    R.fail("seconds", "must not be negative");
}

Expected<SeenRun> evenkeel::readSeenRun(const std::string &Path) {
  Expected<json> J =
      readJsonFile(Path, "seen", 1, "remove it; the next run leaves another");
  if (!J)
    return J.takeError();
  JsonReader R(Path);
  RowReader Rows(R);
  SeenRun Out;
  readAbout(*J, R, Out);
  Rows.rows(*J, "files", "uUt", [&](const json &X) {
    if (X[0].get<uint32_t>() >= Out.Command.size())
      R.fail("files", "must be of words of the command");
    Out.Files[X[0].get<uint32_t>()] = {X[1].get<uint64_t>(),
                                       X[2].get<std::string>()};
  });
  Rows.rows(*J, "values", "iisss", [&](const json &X) {
    const SeenRun::Value V{idOf(X[0]), idOf(X[1]), X[2].get<int64_t>(),
                           X[3].get<int64_t>(), X[4].get<int64_t>()};
    if (V.First < V.Least || V.First > V.Most)
      R.fail("values", "a first value must lie between the least and the most");
    Out.Values.push_back(V);
  });
  if (J->contains("totals"))
    Rows.rows(*J, "totals", "iiusss", [&](const json &X) {
      const SeenRun::Total T{idOf(X[0]),           idOf(X[1]),
                             X[2].get<uint32_t>(), X[3].get<int64_t>(),
                             X[4].get<int64_t>(),  X[5].get<int64_t>()};
      if (T.First < T.Least || T.First > T.Most)
        R.fail("totals", "a first one must lie between the least and the most");
      Out.Totals.push_back(T);
    });
  Rows.rows(*J, "objects", "iiuuuU", [&](const json &X) {
    Out.Objects.push_back({idOf(X[0]), idOf(X[1]), X[2].get<uint32_t>(),
                           X[3].get<uint32_t>(), X[4].get<uint32_t>(),
                           X[5].get<uint64_t>()});
  });
  readTimes(Rows, *J, "phases", false, Out.Phases);
  readTimes(Rows, *J, "tasks", true, Out.Tasks);
  readTimes(Rows, *J, "teams", true, Out.Teams);
  if (const json *L = R.member(*J, "", "left_out")) {
    if (!L->is_object())
      R.fail("left_out", "must be an object");
    else
      for (const auto &[What, N] : L->items()) {
        if (!N.is_number_unsigned())
          R.fail("left_out." + oneLine(What), "must be a number");
        else
          Out.LeftOut[What] = N.get<uint64_t>();
      }
  }
  if (J->contains("types")) {
    Expected<SeenTypes> Types = seenTypesFromJson((*J)["types"], "types", Path);
    if (!Types)
      return Types.takeError();
    Out.Types = std::move(*Types);
  }
  if (R.failed())
    return R.error();
  return Out;
}

std::string evenkeel::inputId(const std::string &Program,
                              const std::vector<std::string> &Arguments) {
  EntityKey K;
  K.Kind = "command";
  K.Function = Program;
  for (const std::string &Word : Arguments)
    K.Path += std::to_string(Word.size()) + ":" + Word;
  return idToString(entityId(K));
}
