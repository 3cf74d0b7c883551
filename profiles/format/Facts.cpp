//===- Facts.cpp - read and write facts.json ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the JSON of Facts.h. Sorts by (path, line, column, id), so the text
// does not depend on the order of the analysis.
//===----------------------------------------------------------------------===//
#include "Facts.h"
#include "File.h"
#include "Identity.h"
#include "Nearest.h"
#include "ek_sizes.h"
#include "format/plan/Plan.h"
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

using namespace evenkeel;
using nlohmann::json;

static const char *const Remedy = "write it with `evenkeel analyze`";

Coordinate evenkeel::coordinateOf(const std::string &At) {
  size_t C = At.rfind(':');
  size_t L =
      C == std::string::npos || !C ? std::string::npos : At.rfind(':', C - 1);
  if (L == std::string::npos)
    return {At, 0, 0};
  return {At.substr(0, L), std::strtoul(At.c_str() + L + 1, nullptr, 10),
          std::strtoul(At.c_str() + C + 1, nullptr, 10)};
}

namespace {

template <typename T> void sortByPlace(std::vector<T> &V) {
  std::sort(V.begin(), V.end(), [](const T &A, const T &B) {
    return std::make_pair(coordinateOf(A.At), A.Id) <
           std::make_pair(coordinateOf(B.At), B.Id);
  });
}

json orNull(const ExprRef &E) { return E ? exprToJson(*E) : json(nullptr); }

json ids(const std::vector<uint64_t> &V) {
  json A = json::array();
  for (uint64_t Id : V)
    A.push_back(idToString(Id));
  return A;
}

template <typename T> const T *findById(const std::vector<T> &V, uint64_t Id) {
  for (const T &X : V)
    if (X.Id == Id)
      return &X;
  return nullptr;
}

std::string shortName(const std::string &Name) {
  size_t C = Name.find(':');
  return C == std::string::npos ? Name : Name.substr(C + 1);
}

/// In the order of the enumerators.
constexpr const char *ClassTexts[] = {
    "unknown", "stream", "strided", "stencil", "random", "chase", "invariant"};
constexpr const char *SymbolKindTexts[] = {"given", "derived", "measured"};
constexpr const char *ScopeTexts[] = {"task", "program"};

/// The value of type \p EnumT whose text is in member \p Name; else an error.
template <typename EnumT, size_t N>
EnumT enumOf(JsonReader &R, const json &O, const std::string &Where,
             const char *Name, const char *const (&Texts)[N]) {
  const std::string Said = R.string(O, Where, Name);
  const auto At = std::find(std::begin(Texts), std::end(Texts), Said);
  if (At == std::end(Texts) && !R.failed())
    R.fail(Where + "." + Name, "is '" + oneLine(Said) + "', which is unknown");
  return At == std::end(Texts) ? EnumT() : EnumT(At - std::begin(Texts));
}

} // namespace

const char *evenkeel::text(AccessFact::ClassType C) { return ClassTexts[C]; }
const char *evenkeel::text(SymbolFact::KindType K) {
  return SymbolKindTexts[K];
}

bool evenkeel::isInOrder(const AccessFact &A) {
  return A.Class == AccessFact::Stream || A.Class == AccessFact::Stencil ||
         A.Class == AccessFact::Invariant ||
         (A.Class == AccessFact::Strided && A.Stride &&
          std::abs(*A.Stride) <= int64_t(EK_LINE));
}

const SiteFact *Facts::site(uint64_t Id) const { return findById(Sites, Id); }
const RegionFact *Facts::region(uint64_t Id) const {
  return findById(Regions, Id);
}
const SymbolFact *Facts::symbol(uint64_t Id) const {
  return findById(Symbols, Id);
}

Expected<const SymbolFact *>
Facts::symbolByName(const std::string &Name) const {
  for (const SymbolFact &S : Symbols)
    if (S.Name == Name)
      return &S;
  const SymbolFact *Found = nullptr;
  std::set<std::string> Full;
  for (const SymbolFact &S : Symbols)
    if (shortName(S.Name) == Name) {
      if (!Found)
        Found = &S;
      Full.insert(S.Name);
    }
  if (Full.size() == 1)
    return Found;
  std::string List;
  if (Full.size() > 1) {
    for (const std::string &N : Full)
      List += (List.empty() ? "" : ", ") + N;
    return Error{"symbol '" + Name + "' is ambiguous; write one of: " + List};
  }
  // The nearest names, by themselves or with their functions.
  std::set<std::pair<size_t, std::string>> Others;
  for (const SymbolFact &S : Symbols)
    if (S.Kind != SymbolFact::Derived)
      Others.insert({std::min(editDistance(Name, S.Name),
                              editDistance(Name, shortName(S.Name))),
                     S.Name});
  constexpr size_t Most = 5;
  size_t Shown = 0;
  for (const auto &[Distance, N] : Others)
    if (Shown++ < Most)
      List += (List.empty() ? "" : ", ") + N;
  if (List.empty())
    return Error{"no symbol '" + Name + "'; the facts know none"};
  return Error{"no symbol '" + Name + "'; the nearest are: " + List +
               (Others.size() > Most
                    ? " (evenkeel plan -v and analyze --json show all " +
                          std::to_string(Others.size()) + ")"
                    : "")};
}

//===--- Reading ----------------------------------------------------------===//

namespace {

std::vector<ExprRef> sizesOf(JsonReader &R, const json &O,
                             const std::string &W) {
  std::vector<ExprRef> Out;
  for (const json &E : R.array(O, W, "sizes", true)) {
    Expected<ExprRef> Size = exprFromJson(E);
    if (!Size) {
      R.fail(W + ".sizes[" + std::to_string(Out.size()) + "]", Size.message());
      break;
    }
    Out.push_back(*Size);
  }
  return Out;
}

std::vector<SiteFact::Caller> callersOf(JsonReader &R, const json &O,
                                        const std::string &W) {
  std::vector<SiteFact::Caller> Out;
  for (const json &C : R.array(O, W, "contexts", true)) {
    std::string At = W + ".contexts[" + std::to_string(Out.size()) + "]";
    SiteFact::Caller Caller;
    Caller.Id = R.id(C, At, "id");
    for (const json &Call : R.array(C, At, "calls"))
      Caller.Calls.push_back(Call.is_string() ? Call.get<std::string>() : "");
    Caller.Size = R.expr(C, At, "size", true);
    Out.push_back(std::move(Caller));
  }
  return Out;
}

std::vector<SiteFact::Range> rangesOf(JsonReader &R, const json &O,
                                      const std::string &W) {
  std::vector<SiteFact::Range> Out;
  for (const json &P : R.array(O, W, "ranges", true)) {
    std::string At = W + ".ranges[" + std::to_string(Out.size()) + "]";
    SiteFact::Range Part;
    Part.Id = R.id(P, At, "id");
    Part.At = R.string(P, At, "at");
    Part.Offset = R.expr(P, At, "offset", true);
    Part.Size = R.expr(P, At, "size", true);
    Out.push_back(std::move(Part));
  }
  return Out;
}

/// The ids in the array \p Name, sorted.
std::vector<uint64_t> idsOf(JsonReader &R, const json &O, const std::string &W,
                            const char *Name, bool Optional) {
  std::vector<uint64_t> Out;
  for (const json &S : R.array(O, W, Name, Optional)) {
    Out.push_back(S.is_string() ? idFromString(S.get<std::string>()) : 0);
    if (!Out.back())
      R.fail(W + "." + Name + "[" + std::to_string(Out.size() - 1) + "]",
             "must be an id of 16 hex digits");
  }
  std::sort(Out.begin(), Out.end());
  return Out;
}

std::optional<SiteFact::Table> tableOf(JsonReader &R, const json &O,
                                       const std::string &W) {
  const json *T = R.member(O, W, "table", true);
  if (!T)
    return std::nullopt;
  const std::string In = W + ".table";
  SiteFact::Table Out;
  if (!T->is_object()) {
    R.fail(In, "must be an object");
    return std::nullopt;
  }
  Out.RowBytes = R.expr(*T, In, "row_bytes", true);
  const std::string Index = R.string(*T, In, "index");
  Out.Loaded = Index == "loaded";
  if (!R.failed() && !Out.Loaded && Index != "computed")
    R.fail(In + ".index", "must be loaded or computed");
  Out.IndexSites = idsOf(R, *T, In, "index_sites", true);
  Out.Why = R.string(*T, In, "why", true);
  return Out;
}

SiteFact siteFromJson(JsonReader &R, const json &O, const std::string &W) {
  SiteFact S;
  S.Id = R.id(O, W, "id");
  S.Kind = R.string(O, W, "kind");
  S.At = R.string(O, W, "at");
  S.Function = R.string(O, W, "function", true);
  S.Size = R.expr(O, W, "size", true);
  S.Sizes = sizesOf(R, O, W);
  S.Contexts = callersOf(R, O, W);
  S.Ranges = rangesOf(R, O, W);
  S.Rows = tableOf(R, O, W);
  S.ElementBytes = R.maybeUnsigned(O, W, "element_bytes");
  std::string State = R.string(O, W, "state", true);
  if (!State.empty())
    S.State = State;
  return S;
}

RegionFact regionFromJson(JsonReader &R, const json &O, const std::string &W) {
  RegionFact G;
  G.Id = R.id(O, W, "id");
  G.Kind = R.string(O, W, "kind");
  G.At = R.string(O, W, "at");
  G.Function = R.string(O, W, "function", true);
  if (const json *Places = R.member(O, W, "places", true); Places) {
    if (!Places->is_object())
      R.fail(W + ".places", "must be an object");
    else
      for (const auto &[Whose, N] : Places->items())
        G.Places[Whose] =
            R.maybeUnsigned(*Places, W, Whose.c_str()).value_or(0);
  }
  return G;
}

SyncFact syncFromJson(JsonReader &R, const json &O, const std::string &W) {
  SyncFact S;
  S.Id = R.id(O, W, "id");
  S.Kind = R.string(O, W, "kind");
  S.At = R.string(O, W, "at");
  S.Function = R.string(O, W, "function", true);
  S.Context = R.string(O, W, "context", true);
  return S;
}

SymbolFact symbolFromJson(JsonReader &R, const json &O, const std::string &W) {
  SymbolFact S;
  S.Id = R.id(O, W, "id");
  S.Name = R.string(O, W, "name");
  S.Kind = enumOf<SymbolFact::KindType>(R, O, W, "kind", SymbolKindTexts);
  if (R.member(O, W, "scope", true))
    S.Scope = enumOf<SymbolFact::ScopeType>(R, O, W, "scope", ScopeTexts);
  S.At = R.string(O, W, "at", true);
  S.ScalesWith = R.expr(O, W, "scales_with", true);
  S.Value = R.expr(O, W, "value", true);
  S.Least = R.maybeInt(O, W, "least");
  if (R.member(O, W, "handed_as", true))
    S.HandedAs = R.id(O, W, "handed_as");
  S.Input = R.expr(O, W, "input", true);
  return S;
}

AccessFact accessFromJson(JsonReader &R, const json &O, const std::string &W) {
  AccessFact A;
  A.Region = R.id(O, W, "region");
  A.Sites = idsOf(R, O, W, "sites", false);
  A.Contexts = idsOf(R, O, W, "contexts", true);
  A.Ranges = idsOf(R, O, W, "ranges", true);
  A.Class = enumOf<AccessFact::ClassType>(R, O, W, "class", ClassTexts);
  A.Stride = R.maybeInt(O, W, "stride");
  A.ElementBytes = R.maybeUnsigned(O, W, "element_bytes").value_or(0);
  if (R.member(O, W, "points", true))
    A.Points = R.unsigned32(O, W, "points");
  A.StrideFormula = R.expr(O, W, "stride_formula", true);
  if (R.member(O, W, "dimensions", true))
    A.Dimensions = R.unsigned32(O, W, "dimensions");
  A.Atomics = R.expr(O, W, "atomics", true);
  A.Conditional = R.expr(O, W, "conditional", true);
  A.Reuse = R.expr(O, W, "reuse", true);
  A.Run = R.expr(O, W, "run", true);
  if (R.member(O, W, "blocks", true))
    A.Blocks = enumOf<AccessFact::ClassType>(R, O, W, "blocks", ClassTexts);
  A.BlockBytes = R.expr(O, W, "block_bytes", true);
  A.BlockStride = R.expr(O, W, "block_stride", true);
  A.IndexSites = idsOf(R, O, W, "index_sites", true);
  A.Dependent = R.boolean(O, W, "dependent", false, true);
  if (R.member(O, W, "places", true))
    A.Places = R.maybeUnsigned(O, W, "places").value_or(0);
  A.Library = R.string(O, W, "library", true);
  A.Reads = R.expr(O, W, "reads", false);
  A.Writes = R.expr(O, W, "writes", false);
  A.Exact = R.boolean(O, W, "exact", true, true);
  A.At = R.string(O, W, "at", true);
  A.Why = R.string(O, W, "why", true);
  return A;
}

std::map<std::string, uint64_t> giveUpsFromJson(JsonReader &R, const json &J) {
  std::map<std::string, uint64_t> Out;
  const json *G = R.member(J, "", "giveups", true);
  if (G && !G->is_object()) {
    R.fail("giveups", "must be an object");
    return Out;
  }
  if (G)
    for (const auto &[Why, N] : G->items()) {
      if (N.is_number_unsigned())
        Out[Why] = N.get<uint64_t>();
      else
        R.fail("giveups." + Why, "must be a whole number, not negative");
    }
  return Out;
}

/// The rows of the table \p Name, each read by \p Read.
template <typename T>
std::vector<T>
tableFromJson(JsonReader &R, const json &J, const char *Name, bool Optional,
              T (*Read)(JsonReader &, const json &, const std::string &)) {
  std::vector<T> Out;
  for (const json &O : R.array(J, "", Name, Optional)) {
    if (R.failed())
      break;
    Out.push_back(
        Read(R, O, std::string(Name) + "[" + std::to_string(Out.size()) + "]"));
  }
  return Out;
}

} // namespace

Expected<Facts> evenkeel::readFacts(const std::string &Path) {
  Expected<json> J = readJsonFile(Path, "facts", 1, Remedy);
  if (!J)
    return J.takeError();
  return factsFromJson(*J, Path);
}

Expected<Facts> evenkeel::factsFromJson(const json &J,
                                        const std::string &Path) {
  JsonReader R(Path);
  Facts F;
  for (const json &U : R.array(J, "", "units", true)) {
    if (U.is_string())
      F.Units.push_back(U.get<std::string>());
    else
      R.fail("units", "must be strings");
  }
  F.Sites = tableFromJson(R, J, "sites", false, siteFromJson);
  F.Regions = tableFromJson(R, J, "regions", false, regionFromJson);
  F.Syncs = tableFromJson(R, J, "syncs", true, syncFromJson);
  F.Symbols = tableFromJson(R, J, "symbols", false, symbolFromJson);
  F.Inputs = tableFromJson<InputFact>(
      R, J, "inputs", true,
      [](JsonReader &R, const json &O, const std::string &W) {
        return inputFactFromJson(O, W, R);
      });
  F.Accesses = tableFromJson(R, J, "accesses", false, accessFromJson);
  F.GiveUps = giveUpsFromJson(R, J);
  if (R.failed())
    return R.error();
  return F;
}

//===--- Writing ----------------------------------------------------------===//

namespace {

json siteToJson(const SiteFact &S) {
  json O = {
      {"id", idToString(S.Id)},
      {"kind", S.Kind},
      {"at", S.At},
      {"function", S.Function},
      {"size", orNull(S.Size)},
      {"element_bytes", S.ElementBytes ? json(*S.ElementBytes) : json(nullptr)},
      {"state", S.State}};
  for (const ExprRef &E : S.Sizes)
    O["sizes"].push_back(orNull(E));
  for (const SiteFact::Range &Part : S.Ranges)
    O["ranges"].push_back({{"id", idToString(Part.Id)},
                           {"at", Part.At},
                           {"offset", orNull(Part.Offset)},
                           {"size", orNull(Part.Size)}});
  for (const SiteFact::Caller &C : S.Contexts)
    O["contexts"].push_back({{"id", idToString(C.Id)},
                             {"calls", C.Calls},
                             {"size", orNull(C.Size)}});
  if (std::optional<SiteFact::Table> T = S.Rows) {
    std::sort(T->IndexSites.begin(), T->IndexSites.end());
    O["table"] = {{"row_bytes", orNull(T->RowBytes)},
                  {"index", T->Loaded ? "loaded" : "computed"},
                  {"index_sites", ids(T->IndexSites)},
                  {"why", T->Why.empty() ? json(nullptr) : json(T->Why)}};
  }
  return O;
}

json regionToJson(const RegionFact &R) {
  json O = {{"id", idToString(R.Id)},
            {"kind", R.Kind},
            {"at", R.At},
            {"function", R.Function}};
  if (!R.Places.empty())
    O["places"] = R.Places;
  return O;
}

json syncToJson(const SyncFact &S) {
  return {{"id", idToString(S.Id)},
          {"kind", S.Kind},
          {"at", S.At},
          {"function", S.Function},
          {"context", S.Context}};
}

json symbolToJson(const SymbolFact &S) {
  json O = {{"id", idToString(S.Id)},
            {"name", S.Name},
            {"kind", text(S.Kind)},
            {"scope", ScopeTexts[S.Scope]},
            {"at", S.At},
            {"scales_with", orNull(S.ScalesWith)},
            {"value", orNull(S.Value)}};
  if (S.Least)
    O["least"] = *S.Least;
  if (S.Input)
    O["input"] = exprToJson(*S.Input);
  if (S.HandedAs)
    O["handed_as"] = idToString(S.HandedAs);
  return O;
}

/// \p A, whose ids are sorted.
json accessToJson(const AccessFact &A) {
  json O = {{"region", idToString(A.Region)},
            {"sites", ids(A.Sites)},
            {"class", text(A.Class)},
            {"stride", A.Stride ? json(*A.Stride) : json(nullptr)},
            {"element_bytes", A.ElementBytes},
            {"points", A.Points ? json(*A.Points) : json(nullptr)},
            {"dependent", A.Dependent},
            {"reads", orNull(A.Reads)},
            {"writes", orNull(A.Writes)},
            {"exact", A.Exact},
            {"at", A.At},
            {"why", A.Why.empty() ? json(nullptr) : json(A.Why)}};
  if (!A.Contexts.empty())
    O["contexts"] = ids(A.Contexts);
  if (!A.Ranges.empty())
    O["ranges"] = ids(A.Ranges);
  if (A.Places)
    O["places"] = A.Places;
  if (!A.Library.empty())
    O["library"] = A.Library;
  if (A.Dimensions)
    O["dimensions"] = *A.Dimensions;
  for (const auto &[Name, E] : {std::pair("stride_formula", A.StrideFormula),
                                {"atomics", A.Atomics},
                                {"conditional", A.Conditional},
                                {"reuse", A.Reuse},
                                {"run", A.Run},
                                {"block_bytes", A.BlockBytes},
                                {"block_stride", A.BlockStride}})
    if (E)
      O[Name] = exprToJson(*E);
  if (A.Blocks)
    O["blocks"] = text(*A.Blocks);
  if (!A.IndexSites.empty())
    O["index_sites"] = ids(A.IndexSites);
  return O;
}

/// Accesses have no id: they are sorted by place, region, then their text.
json accessesToJson(std::vector<AccessFact> &Accesses) {
  std::vector<std::tuple<Coordinate, std::string, std::string, json>> Rows;
  for (AccessFact &A : Accesses) {
    std::sort(A.Sites.begin(), A.Sites.end());
    json O = accessToJson(A);
    std::string Text = O.dump();
    Rows.emplace_back(coordinateOf(A.At), idToString(A.Region), std::move(Text),
                      std::move(O));
  }
  std::sort(Rows.begin(), Rows.end(), [](const auto &A, const auto &B) {
    return std::tie(std::get<0>(A), std::get<1>(A), std::get<2>(A)) <
           std::tie(std::get<0>(B), std::get<1>(B), std::get<2>(B));
  });
  json Out = json::array();
  for (auto &Row : Rows)
    Out.push_back(std::move(std::get<3>(Row)));
  return Out;
}

template <typename T>
json tableToJson(const std::vector<T> &Rows, json (*Write)(const T &)) {
  json Out = json::array();
  for (const T &Row : Rows)
    Out.push_back(Write(Row));
  return Out;
}

} // namespace

std::string evenkeel::factsToJson(Facts F) {
  sortByPlace(F.Sites);
  sortByPlace(F.Regions);
  sortByPlace(F.Syncs);
  sortByPlace(F.Symbols);
  sortByPlace(F.Inputs);
  std::sort(F.Units.begin(), F.Units.end());
  json J;
  J["schema"] = "evenkeel.facts/1";
  J["units"] = F.Units;
  J["sites"] = tableToJson(F.Sites, siteToJson);
  J["regions"] = tableToJson(F.Regions, regionToJson);
  J["syncs"] = tableToJson(F.Syncs, syncToJson);
  J["symbols"] = tableToJson(F.Symbols, symbolToJson);
  J["inputs"] = tableToJson(F.Inputs, inputFactToJson);
  J["accesses"] = accessesToJson(F.Accesses);
  J["giveups"] = json::object();
  for (const auto &[Reason, N] : F.GiveUps)
    J["giveups"][Reason] = N;
  return J.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string evenkeel::programHash(const Facts &F) {
  std::set<uint64_t> Ids;
  for (const SiteFact &S : F.Sites)
    Ids.insert(S.Id);
  for (const RegionFact &R : F.Regions)
    Ids.insert(R.Id);
  EntityKey K;
  K.Kind = "program";
  for (uint64_t Id : Ids)
    K.Path += idToString(Id);
  return idToString(entityId(K));
}
