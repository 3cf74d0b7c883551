//===- Stacks.cpp - read and write stacks.json ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the JSON of Stacks.h.
//===----------------------------------------------------------------------===//
#include "Stacks.h"
#include "File.h"
#include "Identity.h"
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <tuple>

using namespace evenkeel;
using nlohmann::json;

static const char *const Remedy = "write it with `evenkeel analyze --binary`";

uint64_t evenkeel::stackTextHash(uint64_t H, const void *Bytes, uint64_t Size) {
  // Eight bytes per step, otherwise FNV-1a (Fowler, Noll, Vo): code is long.
  const unsigned char *P = static_cast<const unsigned char *>(Bytes);
  for (; Size >= 8; P += 8, Size -= 8) {
    uint64_t Word;
    std::memcpy(&Word, P, 8);
    H = (H ^ Word) * 0x100000001b3ULL;
    H ^= H >> 32;
  }
  for (; Size; ++P, --Size)
    H = (H ^ *P) * 0x100000001b3ULL;
  return H;
}

static std::string place(const char *List, size_t I) {
  return std::string(List) + "[" + std::to_string(I) + "]";
}

/// An index below \p Count.
static bool isIndex(const json &J, size_t Count) {
  return J.is_number_unsigned() && J.get<uint64_t>() < Count;
}

static StackRange readRange(JsonReader &R, const json &J, const std::string &W,
                            uint64_t Last, size_t Frames) {
  StackRange X;
  if (!J.is_array() || J.size() != 3 || !J[0].is_number_unsigned() ||
      !J[1].is_number_unsigned() || !J[2].is_array()) {
    R.fail(W, "must be [from, to, [frame, ..]]");
    return X;
  }
  X.From = J[0].get<uint64_t>();
  X.To = J[1].get<uint64_t>();
  if (X.From < Last || X.From >= X.To)
    R.fail(W, "must rise, and not overlap the one before");
  for (const json &F : J[2]) {
    bool Ended = !X.Frames.empty() && X.Frames.back() == NoFrame;
    if (!Ended && isIndex(F, Frames))
      X.Frames.push_back(F.get<uint32_t>());
    else if (!Ended && F.is_number_integer() && F.get<int64_t>() == -1)
      X.Frames.push_back(NoFrame);
    else
      R.fail(W, "refers to a frame that does not exist");
  }
  return X;
}

static StackModule readModule(JsonReader &R, const json &J,
                              const std::string &W, size_t Frames) {
  StackModule M;
  M.Name = R.string(J, W, "name");
  M.Build = R.string(J, W, "build");
  size_t I = 0;
  for (const json &G : R.array(J, W, "ranges")) {
    M.Ranges.push_back(readRange(R, G, W + "." + place("ranges", I++),
                                 M.Ranges.empty() ? 0 : M.Ranges.back().To,
                                 Frames));
    if (R.failed())
      return M;
  }
  I = 0;
  for (const json &G : R.array(J, W, "globals", true)) {
    std::string GW = W + "." + place("globals", I++);
    M.Globals.push_back({R.id(G, GW, "site"), R.string(G, GW, "at", true),
                         R.unsignedInt(G, GW, "address"),
                         R.unsignedInt(G, GW, "bytes")});
    if (M.Globals.back().Address + M.Globals.back().Bytes <
        M.Globals.back().Address)
      R.fail(GW, "does not fit the address space");
  }
  I = 0;
  for (const json &Y : R.array(J, W, "syncs", true)) {
    std::string YW = W + "." + place("syncs", I++);
    StackSync X{R.id(Y, YW, "sync"), R.unsignedInt(Y, YW, "from"),
                R.unsignedInt(Y, YW, "to"), R.string(Y, YW, "kind", true)};
    if (X.Kind.empty())
      X.Kind = "parallel";
    if (X.From >= X.To || (!M.Syncs.empty() && X.From < M.Syncs.back().To))
      R.fail(YW, "must rise, and not overlap the one before");
    M.Syncs.push_back(X);
  }
  if (const json *G = R.member(J, W, "giveups", true)) {
    for (auto It = G->begin(); It != G->end(); ++It)
      if (It->is_number_unsigned())
        M.GiveUps[It.key()] = It->get<uint64_t>();
  }
  return M;
}

Expected<Stacks> evenkeel::readStacks(const std::string &Path) {
  Expected<json> J = readJsonFile(Path, "stacks", 1, Remedy);
  if (!J)
    return J.takeError();
  JsonReader R(Path);
  Stacks S;
  S.Program = R.string(*J, "", "program");
  size_t I = 0;
  for (const json &F : R.array(*J, "", "frames")) {
    std::string W = place("frames", I++);
    StackFrame X;
    X.At = R.string(F, W, "at", true);
    for (const json &Id : R.array(F, W, "sites", true)) {
      uint64_t Site = Id.is_string() ? idFromString(Id.get<std::string>()) : 0;
      if (!Site)
        R.fail(W + ".sites", "must be ids");
      X.Sites.push_back(Site);
    }
    S.Frames.push_back(std::move(X));
  }
  I = 0;
  for (const json &C : R.array(*J, "", "contexts", true)) {
    std::string W = place("contexts", I++);
    StackContext X;
    X.Site = R.id(C, W, "site");
    X.Context = R.id(C, W, "context");
    for (const json &F : R.array(C, W, "calls"))
      if (isIndex(F, S.Frames.size()))
        X.Calls.push_back(F.get<uint32_t>());
      else
        R.fail(W + ".calls", "refers to a frame that does not exist");
    if (X.Calls.empty())
      R.fail(W + ".calls", "must not be empty");
    S.Contexts.push_back(std::move(X));
  }
  I = 0;
  for (const json &M : R.array(*J, "", "modules"))
    S.Modules.push_back(
        readModule(R, M, place("modules", I++), S.Frames.size()));
  if (R.failed())
    return R.error();
  return S;
}

std::string evenkeel::stacksToJson(const Stacks &S) {
  json J = {{"schema", "evenkeel.stacks/1"}, {"program", S.Program}};
  J["frames"] = json::array();
  for (const StackFrame &F : S.Frames) {
    json Sites = json::array();
    for (uint64_t Id : F.Sites)
      Sites.push_back(idToString(Id));
    J["frames"].push_back({{"at", F.At}, {"sites", std::move(Sites)}});
  }
  J["contexts"] = json::array();
  for (const StackContext &C : S.Contexts)
    J["contexts"].push_back({{"site", idToString(C.Site)},
                             {"context", idToString(C.Context)},
                             {"calls", C.Calls}});
  J["modules"] = json::array();
  for (const StackModule &M : S.Modules) {
    json Ranges = json::array(), Globals = json::array(), Syncs = json::array();
    for (const StackRange &X : M.Ranges) {
      json Frames = json::array();
      for (uint32_t F : X.Frames)
        Frames.push_back(F == NoFrame ? json(-1) : json(F));
      Ranges.push_back({X.From, X.To, std::move(Frames)});
    }
    for (const StackGlobal &G : M.Globals)
      Globals.push_back({{"site", idToString(G.Site)},
                         {"at", G.At},
                         {"address", G.Address},
                         {"bytes", G.Bytes}});
    for (const StackSync &X : M.Syncs)
      Syncs.push_back({{"sync", idToString(X.Sync)},
                       {"kind", X.Kind},
                       {"from", X.From},
                       {"to", X.To}});
    J["modules"].push_back({{"name", M.Name},
                            {"build", M.Build},
                            {"ranges", std::move(Ranges)},
                            {"globals", std::move(Globals)},
                            {"syncs", std::move(Syncs)},
                            {"giveups", M.GiveUps}});
  }
  return J.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}
