//===- TouchFile.cpp - read and write touches.json ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the JSON of TouchRecord.h. Rows are arrays, because there are many:
// [pass, object, first page, pages, resident, touched, written], null where the
// mechanism does not tell a figure; and the samples behind them where loads are
// sampled.
//===----------------------------------------------------------------------===//
#include "TouchRecord.h"
#include "format/File.h"
#include "format/ek_touches.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using nlohmann::json;

const char *const evenkeel::TouchesAre =
    "touches say which pages were used within a window, not how often; they "
    "are not cache misses";

static const char *const Remedy = "write it with `evenkeel record --pages`";

static const std::array<const char *, 7> Kinds = {
    "block", "mapping", "heap", "stack", "data", "file", "unnamed"};

uint64_t TouchRecord::programNs() const {
  uint64_t Sum = 0;
  for (const TouchProcess &P : Processes)
    Sum += P.ProgramNs;
  return Sum;
}

uint64_t TouchRecord::spentNs() const {
  uint64_t Sum = 0;
  for (const TouchProcess &P : Processes)
    Sum += P.SpentNs;
  return Sum;
}

static std::string place(const char *List, size_t I) {
  return std::string(List) + "[" + std::to_string(I) + "]";
}

static TouchProcess readProcess(JsonReader &R, const json &J,
                                const std::string &W) {
  TouchProcess P;
  P.Program = R.string(J, W, "program");
  if (std::optional<uint64_t> Rank = R.maybeUnsigned(J, W, "rank")) {
    if (*Rank > UINT32_MAX)
      R.fail(W + ".rank", "is too large");
    P.Rank = static_cast<uint32_t>(*Rank);
  }
  P.ProgramNs = R.unsignedInt(J, W, "program_ns");
  P.SpentNs = R.unsignedInt(J, W, "spent_ns");
  P.Ended = R.boolean(J, W, "ended", false, true);
  if (const json *N = R.member(J, W, "notes", true)) {
    if (!N->is_object())
      R.fail(W + ".notes", "must be an object");
    else
      for (auto It = N->begin(); It != N->end(); ++It)
        if (It->is_number_unsigned())
          P.Notes[It.key()] = It->get<uint64_t>();
        else
          R.fail(W + ".notes." + It.key(), "must be a count");
  }
  return P;
}

static TouchObject readObject(JsonReader &R, const json &J,
                              const std::string &W, size_t Processes) {
  TouchObject O;
  O.Process = R.unsigned32(J, W, "process");
  O.Kind = R.string(J, W, "kind");
  O.Name = R.string(J, W, "name");
  for (const json &F : R.array(J, W, "stack", true))
    if (F.is_string())
      O.Stack.push_back(F.get<std::string>());
    else
      R.fail(W + ".stack", "must be texts");
  for (const json &F : R.array(J, W, "frames", true))
    if (F.is_string())
      O.Frames.push_back(F.get<std::string>());
    else
      R.fail(W + ".frames", "must be texts");
  O.Ordinal = R.unsigned32(J, W, "ordinal");
  O.Address = R.unsignedInt(J, W, "address");
  O.Bytes = R.unsignedInt(J, W, "bytes");
  O.BornNs = R.unsignedInt(J, W, "born_ns");
  if (R.failed())
    return O;
  if (O.Process >= Processes)
    R.fail(W + ".process", "refers to a process that does not exist");
  if (std::find(Kinds.begin(), Kinds.end(), O.Kind) == Kinds.end())
    R.fail(W + ".kind", "is no kind of memory");
  if (O.Address + O.Bytes < O.Address)
    R.fail(W, "does not fit the address space");
  return O;
}

static TouchPass readPass(JsonReader &R, const json &J, const std::string &W,
                          size_t Processes, const TouchPass *Last) {
  TouchPass P;
  P.Process = R.unsigned32(J, W, "process");
  P.TimeNs = R.unsignedInt(J, W, "time_ns");
  P.WindowNs = R.unsignedInt(J, W, "window_ns");
  P.ResidentPages = R.unsignedInt(J, W, "resident_pages");
  P.ChunkBytes = R.unsignedInt(J, W, "chunk_bytes");
  if (R.failed())
    return P;
  if (P.Process >= Processes)
    R.fail(W + ".process", "refers to a process that does not exist");
  if (Last && (P.Process < Last->Process ||
               (P.Process == Last->Process && P.TimeNs < Last->TimeNs)))
    R.fail(W, "is not in the order of processes and times");
  return P;
}

/// A figure of a row; \p MayBeNull if a mechanism may leave it out.
static bool readFigure(const json &J, bool MayBeNull, uint32_t &To) {
  To = TouchRow::Unknown;
  if (J.is_null())
    return MayBeNull;
  if (!J.is_number_unsigned() || J.get<uint64_t>() >= TouchRow::Unknown)
    return false;
  To = J.get<uint32_t>();
  return true;
}

static TouchRow readRow(JsonReader &R, const json &J, const std::string &W,
                        const TouchRecord &Of, uint32_t LastPass) {
  TouchRow X;
  uint32_t *const Figures[] = {&X.Pass,     &X.Object,  &X.First,   &X.Pages,
                               &X.Resident, &X.Touched, &X.Written, &X.Samples};
  const size_t All = std::size(Figures), Samples = 1;
  bool Good = J.is_array() && (J.size() == All || J.size() == All - Samples);
  for (size_t I = 0; Good && I < J.size(); ++I)
    Good = readFigure(J[I], I == 5 || I == 6, *Figures[I]);
  if (!Good) {
    R.fail(W, "must be [pass, object, first page, pages, resident, touched, "
              "written], and samples of loads");
    return X;
  }
  if (X.Pass >= Of.Passes.size() || X.Pass < LastPass)
    R.fail(W, "refers to a pass that does not exist, or is out of order");
  else if (X.Object >= Of.Objects.size())
    R.fail(W, "refers to an object that does not exist");
  else if (Of.Objects[X.Object].Process != Of.Passes[X.Pass].Process)
    R.fail(W, "refers to an object of another process");
  else if (!X.Pages || uint64_t(X.First) + X.Pages >
                           Of.Objects[X.Object].Bytes / Of.PageBytes + 2)
    R.fail(W, "lies outside its object");
  else if (X.Resident > X.Pages ||
           (X.Touched != TouchRow::Unknown && X.Touched > X.Pages) ||
           (X.Written != TouchRow::Unknown && X.Written > X.Pages))
    R.fail(W, "has more pages than its chunk");
  return X;
}

static bool isMechanism(const std::string &Name) {
  return ek_touch_named(Name.c_str()) || Name == DamonMechanism;
}

/// Reads what precedes the lists.
static void readHead(JsonReader &R, const json &J, TouchRecord &Out) {
  Out.Command = R.string(J, "", "command");
  Out.Mechanism = R.string(J, "", "mechanism");
  Out.PageBytes = R.unsigned32(J, "", "page_bytes");
  Out.OverheadLimit = R.number(J, "", "overhead_limit");
  if (R.failed())
    return;
  if (!isMechanism(Out.Mechanism))
    R.fail("mechanism", "is not known");
  if (Out.PageBytes < 1024 || Out.PageBytes > 1 << 20)
    R.fail("page_bytes", "is no size of a page");
  if (!std::isfinite(Out.OverheadLimit) || Out.OverheadLimit < 0)
    R.fail("overhead_limit", "must be a share");
}

Expected<TouchRecord> evenkeel::readTouches(const std::string &Path) {
  Expected<json> J = readJsonFile(Path, "touches", 1, Remedy);
  if (!J)
    return J.takeError();
  JsonReader R(Path);
  TouchRecord Out;
  readHead(R, *J, Out);
  size_t I = 0;
  for (const json &P : R.array(*J, "", "processes"))
    Out.Processes.push_back(readProcess(R, P, place("processes", I++)));
  I = 0;
  for (const json &O : R.array(*J, "", "objects"))
    Out.Objects.push_back(
        readObject(R, O, place("objects", I++), Out.Processes.size()));
  I = 0;
  for (const json &P : R.array(*J, "", "passes"))
    Out.Passes.push_back(
        readPass(R, P, place("passes", I++), Out.Processes.size(),
                 Out.Passes.empty() ? nullptr : &Out.Passes.back()));
  I = 0;
  for (const json &X : R.array(*J, "", "rows")) {
    if (R.failed())
      break;
    Out.Rows.push_back(readRow(R, X, place("rows", I++), Out,
                               Out.Rows.empty() ? 0 : Out.Rows.back().Pass));
  }
  if (R.failed())
    return R.error();
  return Out;
}

static json figure(uint32_t N) {
  return N == TouchRow::Unknown ? json(nullptr) : json(N);
}

std::string evenkeel::touchesToJson(const TouchRecord &R) {
  json J = {
      {"schema", "evenkeel.touches/1"}, {"about", TouchesAre},
      {"command", R.Command},           {"mechanism", R.Mechanism},
      {"page_bytes", R.PageBytes},      {"overhead_limit", R.OverheadLimit},
      {"processes", json::array()},     {"objects", json::array()},
      {"passes", json::array()},        {"rows", json::array()}};
  for (const TouchProcess &P : R.Processes)
    J["processes"].push_back({{"program", P.Program},
                              {"rank", P.Rank ? json(*P.Rank) : json(nullptr)},
                              {"program_ns", P.ProgramNs},
                              {"spent_ns", P.SpentNs},
                              {"ended", P.Ended},
                              {"notes", P.Notes}});
  for (const TouchObject &O : R.Objects)
    J["objects"].push_back({{"process", O.Process},
                            {"kind", O.Kind},
                            {"name", O.Name},
                            {"stack", O.Stack},
                            {"frames", O.Frames},
                            {"ordinal", O.Ordinal},
                            {"address", O.Address},
                            {"bytes", O.Bytes},
                            {"born_ns", O.BornNs}});
  for (const TouchPass &P : R.Passes)
    J["passes"].push_back({{"process", P.Process},
                           {"time_ns", P.TimeNs},
                           {"window_ns", P.WindowNs},
                           {"resident_pages", P.ResidentPages},
                           {"chunk_bytes", P.ChunkBytes}});
  json &Rows = J["rows"];
  for (const TouchRow &X : R.Rows) {
    Rows.push_back({X.Pass, X.Object, X.First, X.Pages, X.Resident,
                    figure(X.Touched), figure(X.Written)});
    if (X.Samples != TouchRow::Unknown)
      Rows.back().push_back(X.Samples);
  }
  // The rows in one line each: there are many.
  std::string Text = "[";
  for (size_t I = 0; I < Rows.size(); ++I)
    Text += (I ? ",\n  " : "\n  ") + Rows[I].dump();
  Text += Rows.empty() ? "]" : "\n ]";
  J["rows"] = "ROWS";
  std::string All =
      J.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
  const std::string Mark = "\"rows\": \"ROWS\"";
  const size_t At = All.rfind(Mark);
  return All.replace(At, Mark.size(), "\"rows\": " + Text);
}
