//===- build_note_test.cpp - how programs say how they were built ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "format/builds/BuildNote.h"
#include <gtest/gtest.h>

using namespace evenkeel;

namespace {

BuiltUnit unit(const std::string &File) {
  return {{"/p/build", {"evenkeel-c++", "-O2", "-DA=\"b c\""}, "/p"},
          File,
          true,
          {{File, 1}, {"/p/h.h", 0xffffffffffffffff}}};
}

std::string section(const std::vector<std::string> &Lines) {
  std::string Out;
  for (const std::string &L : Lines)
    Out += L + "\n";
  return Out;
}

TEST(BuildNote, UnitsComeBackInOrderAndOnce) {
  size_t Broken = 1;
  const std::vector<BuiltUnit> Read =
      readUnits(section({unitLine(unit("/p/b.cc")), unitLine(unit("/p/a.cc")),
                         unitLine(unit("/p/b.cc"))}),
                Broken);
  ASSERT_EQ(Read.size(), 2u);
  EXPECT_EQ(Broken, 0u);
  EXPECT_EQ(Read[0].File, "/p/b.cc");
  EXPECT_EQ(Read[1].File, "/p/a.cc");
  EXPECT_EQ(Read[0].Line.Words, unit("").Line.Words);
  EXPECT_EQ(Read[0].Line.Directory, "/p/build");
  EXPECT_EQ(Read[0].Line.Root, "/p");
  EXPECT_TRUE(Read[0].IsCxx);
  EXPECT_EQ(Read[0].Files, unit("/p/b.cc").Files);
}

TEST(BuildNote, BrokenLinesAreCounted) {
  const std::string Good = unitLine(unit("/p/a.c"));
  for (size_t Cut = 1; Cut < Good.size(); ++Cut) {
    size_t Broken = 0;
    EXPECT_TRUE(readUnits(Good.substr(0, Cut), Broken).empty());
    EXPECT_EQ(Broken, 1u) << Cut;
  }
  for (const char *Line :
       {"[]", "{}", "7", "{\"schema\": 3}", "{\"words\": [1]}", "\xff"}) {
    size_t Broken = 0;
    EXPECT_TRUE(readUnits(Line, Broken).empty());
    EXPECT_EQ(Broken, 1u) << Line;
  }
}

TEST(BuildNote, LinkersMayPad) {
  size_t Broken = 0;
  const std::string Pad(3, '\0');
  EXPECT_EQ(readUnits(Pad + unitLine(unit("/a.c")) + "\n" + Pad +
                          unitLine(unit("/b.c")) + "\n" + Pad,
                      Broken)
                .size(),
            2u);
  EXPECT_EQ(Broken, 0u);
}

TEST(BuildNote, TheLastLinkCounts) {
  const BuiltLink First{"/l", {"evenkeel-cc", "part.o"}},
      Last{"/p", {"evenkeel-cc", "a.o", "-o", "x\ty"}};
  const std::optional<BuiltLink> Read =
      readLink(section({linkLine(First), linkLine(Last), "{}"}));
  ASSERT_TRUE(Read);
  EXPECT_EQ(Read->Directory, "/p");
  EXPECT_EQ(Read->Words, Last.Words);
  EXPECT_FALSE(readLink(""));
}

TEST(BuildNote, TheWrappersPartComesBack) {
  const CompileLine L{"/p", {"evenkeel-cc", "-I", "a\"b"}, ""};
  const std::optional<CompileLine> Read = readCompileLine(compileLineText(L));
  ASSERT_TRUE(Read);
  EXPECT_EQ(Read->Words, L.Words);
  EXPECT_FALSE(readCompileLine("{\"words\": []}"));
  EXPECT_FALSE(readCompileLine(""));
}

TEST(BuildNote, ADifferentByteIsADifferentHash) {
  EXPECT_NE(contentHash("int a;"), contentHash("int b;"));
  EXPECT_NE(contentHash(""), contentHash(std::string(1, '\0')));
  EXPECT_EQ(contentHash("x"), contentHash("x"));
}

TEST(BuildNote, AssemblyEscapesWhatTheAssemblerWouldRead) {
  EXPECT_EQ(assemblyOf(".s", "a\"\\\n\x80"),
            ".pushsection .s,\"\",@progbits\n"
            ".ascii \"a\\042\\134\\012\\200\\n\"\n.popsection\n");
}

} // namespace
