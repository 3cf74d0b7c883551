//===- AllocsInfo.cpp - allocsinfo.json: when objects lived ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AllocsInfo.h.
//===----------------------------------------------------------------------===//
#include "AllocsInfo.h"
#include "Numbers.h"
#include "format/File.h"
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::ecohmem;
using nlohmann::json;

static const char *const FieldNames[] = {
    "app", "proc", "func", "alloc_time", "free_time", "bytes", "obj_id"};
static constexpr size_t KnownFields = 7, Optional = 2; // "func" may be missing

/// The text between the first brackets, as ecoHMEM's Python cuts it: without an
/// opening bracket from the start, without a closing one all but the last
/// character.
static std::string bracketed(const std::string &Text) {
  size_t Open = Text.find('['), Close = Text.find(']');
  size_t From = Open == std::string::npos ? 0 : Open + 1;
  if (Close == std::string::npos)
    Close = Text.empty() ? 0 : Text.size() - 1;
  return Close > From ? Text.substr(From, Close - From) : "";
}

namespace {

/// Takes the events of the parser. The members of the document may come in any
/// order, so rows are kept as they are until the end.
class Reader : public nlohmann::json_sax<json> {
  enum { Top, Skipped, Objects, Fields, Allocs, Row } Where = Top;
  bool InDocument = false;
  unsigned Depth = 0; // of what is skipped
  std::string Key;

public:
  std::string Problem;
  bool HasVersion = false, HasObjects = false, HasAllocs = false;
  std::vector<std::string> Names;
  std::vector<std::pair<std::string, std::string>> Labels;
  std::vector<int64_t> Cells;
  std::vector<size_t> Ends; // of rows in Cells

  bool wrong(const std::string &What) {
    if (Problem.empty())
      Problem = What;
    return false;
  }

  bool number(double D, int64_t V) {
    if (Where == Row) {
      if (!(D >= -0x1p53 && D <= 0x1p53))
        return wrong("allocation " + std::to_string(Ends.size()) +
                     ": a figure beyond 2^53");
      Cells.push_back(V);
      return true;
    }
    if (Where == Top && InDocument && Key == "version") {
      HasVersion = D == 1;
      return HasVersion || wrong("version has to be 1");
    }
    return other();
  }
  /// A value of a type that has no place here, except where it is skipped.
  bool other() {
    if (Where == Skipped)
      return true;
    if (Where == Top && InDocument && Key != "version" && Key != "objects" &&
        Key != "fields" && Key != "allocs")
      return true;
    return wrong(InDocument ? "'" + oneLine(Key) +
                                  "' has another type than "
                                  "allocsinfo.json's"
                            : "expected a JSON object");
  }

  bool null() override { return other(); }
  bool boolean(bool) override { return other(); }
  bool number_integer(number_integer_t V) override {
    return number(double(V), V);
  }
  bool number_unsigned(number_unsigned_t V) override {
    return number(double(V), int64_t(V));
  }
  bool number_float(number_float_t V, const string_t &) override {
    return number(V, V >= -0x1p53 && V <= 0x1p53 ? int64_t(V) : 0);
  }
  bool string(string_t &S) override {
    if (Where == Fields)
      Names.push_back(S);
    else if (Where == Objects)
      Labels.emplace_back(Key, S);
    else
      return other();
    return true;
  }
  bool binary(binary_t &) override { return other(); }

  bool start_object(size_t) override {
    if (!InDocument)
      return InDocument = true;
    if (Where == Top && Key == "objects") {
      Where = Objects;
      HasObjects = true;
      Labels.clear();
      return true;
    }
    return skip();
  }
  bool skip() {
    if (Where != Skipped && !other())
      return false;
    Where = Skipped;
    ++Depth;
    return true;
  }
  bool key(string_t &K) override {
    if (Where != Skipped)
      Key = K;
    return true;
  }
  bool end_object() override { return end(); }
  bool start_array(size_t) override {
    if (Where == Allocs)
      Where = Row;
    else if (Where == Top && InDocument && Key == "fields") {
      Where = Fields;
      Names.clear();
    } else if (Where == Top && InDocument && Key == "allocs") {
      Where = Allocs;
      HasAllocs = true;
      Cells.clear();
      Ends.clear();
    } else
      return skip();
    return true;
  }
  bool end_array() override { return end(); }
  bool end() {
    if (Where == Row) {
      Ends.push_back(Cells.size());
      Where = Allocs;
    } else if (Where != Skipped || --Depth == 0)
      Where = Top;
    return true;
  }
  bool parse_error(size_t At, const std::string &,
                   const nlohmann::detail::exception &) override {
    return wrong("not JSON at byte " + std::to_string(At) +
                 "; is the file complete?");
  }
};

} // namespace

/// The columns of the known fields; Optional ones may be npos.
static Expected<std::vector<size_t>> columnsOf(const Reader &R) {
  std::vector<size_t> Columns(KnownFields, std::string::npos);
  for (size_t I = 0; I < R.Names.size(); ++I)
    for (size_t K = 0; K < KnownFields; ++K)
      if (R.Names[I] == FieldNames[K])
        Columns[K] = I;
  for (size_t K = 0; K < KnownFields; ++K)
    if (Columns[K] == std::string::npos && K != Optional && !R.Ends.empty())
      return Error{std::string("no field '") + FieldNames[K] + "'"};
  return Columns;
}

Expected<AllocsInfo> ecohmem::parseAllocsInfo(const std::string &Text,
                                              const std::string &Path) {
  auto Wrong = [&](const std::string &What) {
    return Error{oneLine(Path) + ": " + What};
  };
  Reader R;
  if (!json::sax_parse(Text, &R))
    return Wrong(R.Problem.empty() ? "not an allocsinfo.json" : R.Problem);
  if (!R.HasVersion || !R.HasObjects || !R.HasAllocs)
    return Wrong("expected version 1, objects, fields and allocs, as ecoHMEM's "
                 "allocs_info writes");
  Expected<std::vector<size_t>> Columns = columnsOf(R);
  if (!Columns)
    return Wrong(Columns.message());

  AllocsInfo Out;
  Out.Allocations.reserve(R.Ends.size());
  size_t From = 0;
  for (size_t End : R.Ends) {
    if (End - From != R.Names.size())
      return Wrong("allocation " + std::to_string(Out.Allocations.size()) +
                   " has " + std::to_string(End - From) + " figures for " +
                   std::to_string(R.Names.size()) + " fields");
    auto Cell = [&](size_t K) {
      return (*Columns)[K] == std::string::npos ? 1
                                                : R.Cells[From + (*Columns)[K]];
    };
    Out.Allocations.push_back(
        {Cell(0), Cell(1), Cell(2), Cell(3), Cell(4), Cell(5), Cell(6)});
    From = End;
  }
  for (const auto &[Id, Label] : R.Labels) {
    std::optional<int64_t> Number = readInteger(Id);
    if (!Number)
      return Wrong("object '" + oneLine(Id) + "': expected a number");
    Out.Objects[bracketed(Label)] = *Number;
  }
  return Out;
}

Expected<AllocsInfo> ecohmem::readAllocsInfo(const std::string &Path) {
  Expected<std::string> Text = readWholeFile(Path);
  if (!Text)
    return Text.takeError();
  return parseAllocsInfo(*Text, Path);
}

/// A stack as a JSON string; bytes that are not UTF-8 are replaced.
static std::string quoted(const std::string &Stack) {
  return json("[" + Stack + "]")
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string ecohmem::allocsInfoText(const std::vector<std::string> &Stacks,
                                    const std::vector<Allocation> &Allocations,
                                    int64_t FirstId) {
  std::string Out = "{\n  \"version\": 1,\n  \"objects\": {";
  for (size_t I = 0; I < Stacks.size(); ++I)
    Out += std::string(I ? ",\n    \"" : "\n    \"") +
           std::to_string(FirstId + int64_t(I)) + "\": " + quoted(Stacks[I]);
  Out += "\n  },\n  \"fields\": [";
  for (size_t K = 0; K < KnownFields; ++K)
    Out += std::string(K ? ",\"" : "\"") + FieldNames[K] + "\"";
  Out += "],\n  \"allocs\": [";
  for (size_t I = 0; I < Allocations.size(); ++I) {
    const Allocation &A = Allocations[I];
    Out += I ? ",\n[" : "\n[";
    for (int64_t V :
         {A.App, A.Process, A.Function, A.AllocTime, A.FreeTime, A.Bytes})
      Out += std::to_string(V) + ",";
    Out += std::to_string(A.Object) + "]";
  }
  return Out + "\n  ]\n}\n";
}
