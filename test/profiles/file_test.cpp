//===- file_test.cpp - how files are read and written ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the names, modes and links of written files, and which files cannot be
// read.
//===----------------------------------------------------------------------===//
#include "TempDir.h"
#include "format/Facts.h"
#include "format/File.h"
#include "format/Machine.h"
#include "format/NewFile.h"
#include "format/Stacks.h"
#include "format/plan/Plan.h"
#include "format/profile/Profile.h"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace evenkeel;

namespace {

/// A file is written under an unpredictable name, with the mode of the file
/// that it replaces, and is removed with its writer.
TEST(File, IsWrittenBesideItsPlace) {
  TempDir D;
  const std::string Place = D.write("plan.json", "old");
  for (mode_t Mode : {0600, 0640, 0444}) {
    ASSERT_EQ(::chmod(Place.c_str(), Mode), 0);
    std::set<std::string> Names;
    for (int I = 0; I < 3; ++I) {
      Expected<NewFile> New = NewFile::beside(Place);
      ASSERT_TRUE(bool(New)) << New.message();
      struct stat S;
      ASSERT_EQ(::stat(New->path().c_str(), &S), 0);
      EXPECT_EQ(S.st_mode & 07777, Mode);
      Names.insert(New->path());
      EXPECT_FALSE(New->write("half"));
      EXPECT_EQ(D.count(), 2u);
      std::string Final;
      EXPECT_FALSE(isLeftOver(New->path(), Final)) << "its process is alive";
      EXPECT_TRUE(isUnfinished(New->path()));
      EXPECT_EQ(Final, New->place());
    }
    EXPECT_EQ(Names.size(), 3u);
    EXPECT_EQ(D.count(), 1u);
    EXPECT_EQ(D.read(Place), "old");
  }
  EXPECT_FALSE(writeWholeFile(Place, "new"));
  struct stat S;
  ASSERT_EQ(::stat(Place.c_str(), &S), 0);
  EXPECT_EQ(S.st_mode & 07777, mode_t(0444));
  EXPECT_EQ(D.read(Place), "new");
  EXPECT_EQ(D.count(), 1u);
  EXPECT_TRUE(NewFile::canBeWritten(D.path("absent/plan.json")));
  EXPECT_TRUE(NewFile::canBeWritten(D.path("")));
  EXPECT_FALSE(NewFile::canBeWritten(D.path("other.json")));
  EXPECT_EQ(D.count(), 1u);
  // A dangling link is replaced, not followed.
  ASSERT_EQ(::symlink(D.path("victim").c_str(), D.path("link").c_str()), 0);
  EXPECT_FALSE(writeWholeFile(D.path("link"), "text"));
  EXPECT_FALSE(std::filesystem::exists(D.path("victim")));
  EXPECT_TRUE(std::filesystem::is_regular_file(
      std::filesystem::symlink_status(D.path("link"))));
}

TEST(File, LeftOversAreKnownByTheirProcess) {
  std::string Final;
  const pid_t Gone = ::fork();
  if (Gone == 0)
    ::_exit(0);
  ASSERT_EQ(::waitpid(Gone, nullptr, 0), Gone);
  const std::string Process = std::to_string(Gone);
  EXPECT_TRUE(isLeftOver("a.c.ek-" + Process + "-0123456789abcdef", Final));
  EXPECT_EQ(Final, "a.c");
  for (const std::string &Name :
       {"a.c.ek-" + Process, "a.c.ek-" + Process + "-0123",
        "a.c.ek-" + Process + "-0123456789abcdeg",
        std::string("a.c.ek--0123456789abcdef"), std::string("a.c")})
    EXPECT_FALSE(isLeftOver(Name, Final) || isUnfinished(Name)) << Name;
}

/// Readers do not wait for the other end of a pipe.
TEST(File, OnlyRegularFilesAreRead) {
  TempDir D;
  const std::string Pipe = D.path("pipe.json");
  ASSERT_EQ(::mkfifo(Pipe.c_str(), 0600), 0);
  const std::vector<std::string> Paths = {Pipe, D.path(""), "/dev/zero",
                                          "/dev/null"};
  for (const std::string &Path : Paths) {
    const char *What =
        Path == D.path("") ? "a directory" : "not a regular file";
    EXPECT_ERROR(readWholeFile(Path), What);
    EXPECT_ERROR(readFacts(Path), What);
    EXPECT_ERROR(readPlan(Path), What);
    EXPECT_ERROR(readStacks(Path), What);
    EXPECT_ERROR(readProfile(Path), What);
    EXPECT_ERROR(readMissRecord(Path), What);
    EXPECT_ERROR(readMachine(Path), What);
  }
  EXPECT_ERROR(readRaw(Pipe), "not a regular file");
  // A pipe without a reader is no reason to wait, either.
  EXPECT_TRUE(writeWholeFile(Pipe, "text"));
  EXPECT_TRUE(writeProfile(Pipe, MissRecord()));
}

/// A pipe (or device) is written to, a link is followed; neither is replaced.
TEST(File, WritesThroughLinksAndIntoPipes) {
  TempDir D;
  std::string Pipe = D.path("pipe"), Link = D.path("link"),
              File = D.path("file");
  ASSERT_EQ(::mkfifo(Pipe.c_str(), 0600), 0);
  int Reader = ::open(Pipe.c_str(), O_RDWR | O_NONBLOCK);
  ASSERT_GE(Reader, 0);
  EXPECT_FALSE(writeWholeFile(Pipe, "abc"));
  char Text[4] = {};
  EXPECT_EQ(::read(Reader, Text, 3), 3);
  EXPECT_STREQ(Text, "abc");
  ::close(Reader);
  struct stat S;
  ASSERT_EQ(::stat(Pipe.c_str(), &S), 0);
  EXPECT_TRUE(S_ISFIFO(S.st_mode));
  EXPECT_FALSE(writeWholeFile(File, "old"));
  ASSERT_EQ(::symlink(File.c_str(), Link.c_str()), 0);
  EXPECT_FALSE(writeWholeFile(Link, "new"));
  ASSERT_EQ(::lstat(Link.c_str(), &S), 0);
  EXPECT_TRUE(S_ISLNK(S.st_mode));
  EXPECT_EQ(*readWholeFile(File), "new");
}

} // namespace
