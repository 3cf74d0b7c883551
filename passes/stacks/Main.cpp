//===- Main.cpp - evenkeel-stacks: the table of call stacks ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// evenkeel-stacks FACTS ROOT OUT BINARY...: started by `evenkeel analyze
// --binary`; a separate program, because the command does not link LLVM. ROOT
// may be empty.
// evenkeel-stacks --facts STACKS LEAST OUT BINARY...: started by `evenkeel
// import --touches`. STACKS is a JSON array of call stacks, each [[name of a
// file, address in a call], ..], innermost first. OUT gets {"facts", "sites"
// (for each stack its id, or ""), "variables" (by file and name: ids)}, with
// static variables of LEAST bytes and more. Both write OUT completely or not at
// all.
//===----------------------------------------------------------------------===//
#include "BinaryFacts.h"
#include "LineTable.h"
#include "format/File.h"
#include "format/Identity.h"
#include "llvm/Support/raw_ostream.h"
#include <nlohmann/json.hpp>

using namespace llvm;
using namespace evenkeel;
using Json = nlohmann::json;

static int fail(const Twine &Line) {
  errs() << "error: " << Line << '\n';
  return 2;
}

static int makeFacts(int Count, char **Arguments) {
  if (Count < 6)
    return fail("use: evenkeel-stacks --facts STACKS LEAST OUT BINARY...");
  auto Text = readWholeFile(Arguments[2]);
  if (!Text)
    return fail(Text.message());
  const Json Stacks = Json::parse(*Text, nullptr, false);
  if (!Stacks.is_array())
    return fail(Twine(Arguments[2]) + ": not a list of call stacks");
  uint64_t Least = 0;
  if (StringRef(Arguments[3]).getAsInteger(10, Least))
    return fail(Twine(Arguments[3]) + ": not a number of bytes");
  std::vector<LinkedFile> Files;
  for (int I = 5; I < Count; ++I) {
    auto B = readBinary(Arguments[I]);
    if (!B)
      return fail(toString(B.takeError()));
    Files.push_back(std::move(*B));
  }
  BinaryFacts F(Files, Least);
  Json Sites = Json::array(), Variables = Json::object();
  for (const Json &Stack : Stacks) {
    std::vector<CodePlace> Frames;
    for (const Json &X : Stack)
      Frames.push_back({X.at(0).get<std::string>(), X.at(1).get<uint64_t>()});
    const uint64_t Id = F.siteOf(Frames);
    Sites.push_back(Id ? idToString(Id) : "");
  }
  for (const auto &[Module, Its] : F.Variables)
    for (const auto &[Name, Id] : Its)
      Variables[Module][Name] = idToString(Id);
  const Json Out = {{"facts", Json::parse(factsToJson(F.facts()))},
                    {"sites", std::move(Sites)},
                    {"variables", std::move(Variables)}};
  if (auto E = writeWholeFile(
          Arguments[4],
          Out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"))
    return fail(E->Message);
  return 0;
}

int main(int Count, char **Arguments) {
  if (Count > 1 && StringRef(Arguments[1]) == "--facts")
    return makeFacts(Count, Arguments);
  if (Count < 5)
    return fail("use: evenkeel-stacks FACTS ROOT OUT BINARY...");
  auto F = readFacts(Arguments[1]);
  if (!F)
    return fail(F.message());
  StackTable Table(*F, Arguments[2]);
  for (int I = 4; I < Count; ++I) {
    auto B = readBinary(Arguments[I]);
    if (!B)
      return fail(toString(B.takeError()));
    if (llvm::Error E = Table.add(*B))
      return fail(toString(std::move(E)));
  }
  if (auto E = writeWholeFile(Arguments[3], stacksToJson(Table.stacks())))
    return fail(E->Message);
  return 0;
}
