//===- stacks_test.cpp - stacks.json --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: round trip, schema, and one line for each kind of damage.
//===----------------------------------------------------------------------===//
#include "Schema.h"
#include "TempDir.h"
#include "format/File.h"
#include "format/Stacks.h"
#include <gtest/gtest.h>

using namespace evenkeel;
using nlohmann::json;

namespace {

Stacks sample() {
  Stacks S;
  S.Program = "0123456789abcdef";
  S.Frames = {{"a.c:1:2", {0x10}}, {"a.c:9:3", {}}, {"a.c:4:4", {0x11, 0x12}}};
  S.Contexts = {{0x10, 0x99, {1}}};
  StackModule M;
  M.Name = "app";
  M.Build = "id:00ff";
  M.Ranges = {{16, 32, {0, 1}}, {32, 40, {}}, {64, 80, {2, NoFrame}}};
  M.Globals = {{0x13, "a.c:2:0", 4096, 65536}};
  M.Syncs = {{0x14, 40, 44}, {0x15, 80, 84, "mpi-collective"}};
  M.GiveUps = {{"line-zero", 3}};
  S.Modules = {M};
  return S;
}

std::string said(const Expected<Stacks> &S) {
  return S ? "accepted" : S.message();
}

} // namespace

TEST(Stacks, RoundTripAndValid) {
  TempDir D;
  std::string Text = stacksToJson(sample());
  Expected<Stacks> S = readStacks(D.write("s.json", Text));
  ASSERT_TRUE(static_cast<bool>(S)) << S.message();
  EXPECT_EQ(stacksToJson(*S), Text);
  EXPECT_EQ(S->Modules[0].Ranges[2].Frames.back(), NoFrame);
  json Schema = json::parse(*readWholeFile(std::string(EK_SOURCE_DIR) +
                                           "/profiles/schemas/"
                                           "stacks.schema.json"));
  EXPECT_EQ(SchemaChecker(Schema).check(json::parse(Text)), "");
}

TEST(Stacks, MalformedInput) {
  TempDir D;
  EXPECT_NE(said(readStacks(D.write("a", "x"))).find("analyze --binary"),
            std::string::npos);
  struct {
    const char *Pointer, *Value, *Says;
  } Cases[] = {
      {"/program", "1", "program"},
      {"/frames/0/sites", "[\"x\"]", "frames[0].sites"},
      {"/contexts/0/calls", "[3]", "contexts[0].calls"},
      {"/modules/0/syncs/1/from", "43", "modules[0].syncs[1]"},
      {"/modules/0/syncs/0/sync", "\"x\"", "modules[0].syncs[0]"},
      {"/modules/0/syncs/0/kind", "1", "modules[0].syncs[0].kind"},
      {"/contexts/0/calls", "[]", "contexts[0].calls"},
      {"/contexts/0/site", "\"\"", "contexts[0].site"},
      {"/modules/0/ranges/1", "[31,40,[]]", "modules[0].ranges[1]"},
      {"/modules/0/ranges/1", "[32,32,[]]", "must rise"},
      {"/modules/0/ranges/0", "[16,32,[3]]", "a frame that does not exist"},
      {"/modules/0/ranges/0", "[16,32,[-1,0]]", "a frame that does not exist"},
      {"/modules/0/ranges/0", "[16,32]", "[from, to"},
      {"/modules/0/ranges/0", "[-1,32,[]]", "[from, to"},
      {"/modules/0/globals/0/address", "18446744073709551615",
       "does not fit the address space"},
      {"/modules/0/globals/0/bytes", "-1", "globals[0].bytes"},
  };
  for (const auto &C : Cases) {
    json J = json::parse(stacksToJson(sample()));
    J[json::json_pointer(C.Pointer)] = json::parse(C.Value);
    std::string Said = said(readStacks(D.write("a", J.dump())));
    EXPECT_NE(Said.find(C.Says), std::string::npos)
        << C.Pointer << ": " << Said;
    EXPECT_EQ(Said.find('\n'), std::string::npos);
  }
}

TEST(Stacks, TextHashIsThatOfItsSegments) {
  const char Code[] = "0123456789abcdefghi";
  EXPECT_NE(stackTextHash(0, Code, 19), stackTextHash(0, Code, 18));
  EXPECT_NE(stackTextHash(0, Code, 8), stackTextHash(1, Code, 8));
  EXPECT_EQ(stackTextHash(stackTextHash(0, Code, 8), Code + 8, 8),
            stackTextHash(0, Code, 16));
}
