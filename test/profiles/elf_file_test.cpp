//===- elf_file_test.cpp - parts of a program's file ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: this test's own file, read in parts and as bytes.
//===----------------------------------------------------------------------===//
#include "cli/programs/ElfFile.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using namespace evenkeel::cli;

namespace {

const char *const Self = "/proc/self/exe";

std::string bytesOf(const char *Path) {
  std::ifstream In(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(In), {}};
}

/// Bytes that this process has asked files for.
uint64_t bytesRead() {
  std::ifstream In("/proc/self/io");
  std::string Word;
  uint64_t Count = 0;
  In >> Word >> Count;
  return Word == "rchar:" ? Count : 0;
}

TEST(ElfFile, AFileHasWhatItsBytesHave) {
  const ElfFile File(Self), Held = ElfFile::ofBytes(bytesOf(Self));
  ASSERT_TRUE(File.isElf());
  EXPECT_FALSE(File.neededLibraries().empty());
  EXPECT_EQ(File.neededLibraries(), Held.neededLibraries());
  EXPECT_FALSE(File.section(".comment").empty());
  EXPECT_EQ(File.section(".comment"), Held.section(".comment"));
  EXPECT_TRUE(File.has(".bss"));
  EXPECT_EQ(File.section(".bss"), "");
  std::set<std::string> Sources, Same;
  File.addSources(Sources);
  Held.addSources(Same);
  EXPECT_TRUE(Sources.count("elf_file_test.cpp"));
  EXPECT_EQ(Sources, Same);
}

// A program may load libraries of hundreds of MiB.
TEST(ElfFile, ReadsNoMoreThanItIsAskedFor) {
  const uint64_t Before = bytesRead();
  if (Before == 0)
    GTEST_SKIP() << "the system does not count what is read";
  EXPECT_FALSE(ElfFile(Self).neededLibraries().empty());
  EXPECT_LT(bytesRead() - Before, std::filesystem::file_size(Self) / 4);
}

TEST(ElfFile, IsNoneWhereTheFileIsNone) {
  EXPECT_FALSE(ElfFile("/").isElf());
  EXPECT_FALSE(ElfFile("/does/not/exist").isElf());
  EXPECT_FALSE(ElfFile::ofBytes(bytesOf(Self).substr(0, 70)).isElf());
}

} // namespace
