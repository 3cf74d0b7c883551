//===- project_files_test.cpp - headers beside a project's root -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: headers of the project and headers of others, in test folders.
//===----------------------------------------------------------------------===//
#include "TempDir.h"
#include "format/ProjectFiles.h"
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

using namespace evenkeel;
namespace fs = std::filesystem;

namespace {

class Tree {
  TempDir D;

public:
  std::string at(const std::string &Name) const {
    std::string Top = D.path("");
    Top.pop_back();
    return fs::canonical(Top).string() + "/" + Name;
  }
  void write(const std::string &Name) const {
    fs::create_directories(fs::path(at(Name)).parent_path());
    D.write(Name, "");
  }
  std::string name(const std::string &File, const std::string &Root) const {
    return nameInProject(at(File), at(Root));
  }
};

TEST(ProjectFiles, NamesWhatLiesBelowByTheRoot) {
  EXPECT_EQ(nameInProject("/p/src/a.c", "/p/src"), "a.c");
  EXPECT_EQ(nameInProject("/p/src/sub/a.h", "/p/src"), "sub/a.h");
  EXPECT_EQ(nameInProject("/p/src/a.h", "/"), "p/src/a.h");
  EXPECT_EQ(nameInProject("/p/src/a.h", ""), "");
  EXPECT_EQ(nameBelow("/p/src-old/a.h", "/p/src"), "");
}

TEST(ProjectFiles, NamesNothingThatHasNoPlace) {
  for (const char *File : {"", "<command line>", "a.h", "../include/a.h"})
    for (const char *Root : {"", "/", "/p/src", "p/src", "."})
      EXPECT_EQ(nameInProject(File, Root), "") << File << " in " << Root;
  EXPECT_EQ(nameInProject("/p/include/a.h", "src"), "");
}

/// Wherever in the project units are compiled, they use the same path for a
/// header.
TEST(ProjectFiles, NamesHeadersBesideTheRootAlike) {
  Tree T;
  T.write("p/include/x.h");
  T.write("p/src/deep/down/a.c");
  for (const char *Root : {"p/src", "p/src/deep", "p/src/deep/down", "p"})
    EXPECT_EQ(T.name("p/include/x.h", Root), "include/x.h") << Root;
  EXPECT_EQ(T.name("p/x.h", "p/src"), "x.h");
}

TEST(ProjectFiles, LeavesOutFoldersThatProjectsShare) {
  EXPECT_EQ(nameInProject("/usr/include/stdio.h", "/project/src"), "");
  EXPECT_EQ(nameInProject("/usr/include/stdio.h", "/usr/src/p"), "");
  EXPECT_EQ(nameInProject("/usr/local/include/x.h", "/usr/local/p/src"), "");
  EXPECT_EQ(nameInProject("/usr/src/p/include/x.h", "/usr/src/p/src"),
            "include/x.h");
  EXPECT_EQ(nameInProject("/opt/vendor/include/x.h", "/opt/p/src"), "");
  EXPECT_EQ(nameInProject("/tmp/other/include/x.h", "/tmp/p"), "");
  Tree T;
  T.write("many/p/src/a.c");
  T.write("many/other/include/x.h");
  EXPECT_EQ(T.name("many/other/include/x.h", "many/p/src"),
            "other/include/x.h");
  T.write("sticky/p/src/a.c");
  T.write("sticky/other/include/x.h");
  fs::permissions(T.at("sticky"), fs::perms::sticky_bit, fs::perm_options::add);
  EXPECT_EQ(T.name("sticky/other/include/x.h", "sticky/p/src"), "");
}

/// The home folder and its parents are not project roots; it is read once.
TEST(ProjectFiles, LeavesOutOtherProjectsAtHome) {
  Tree T;
  T.write("home/p/src/a.c");
  T.write("home/p/include/x.h");
  T.write("home/other/include/x.h");
  T.write("beside/include/x.h");
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // a process of its own
  EXPECT_EXIT(
      {
        setenv("HOME", T.at("home").c_str(), 1);
        const bool Right =
            T.name("home/p/include/x.h", "home/p/src") == "include/x.h" &&
            T.name("home/other/include/x.h", "home/p/src").empty() &&
            T.name("beside/include/x.h", "home/p/src").empty();
        std::_Exit(Right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(ProjectFiles, LeavesOutWhatWasInstalled) {
  for (const char *Sign : {"lib/pkgconfig/x.pc", "lib64/cmake/x/x.cmake",
                           "conda-meta/history", "pyvenv.cfg", ".spack/x"}) {
    Tree T;
    T.write("p/src/a.c");
    T.write("p/include/x.h");
    T.write("deps/include/lib/y.h");
    T.write("more/include/lib/y.h"); // without a sign
    T.write(std::string("deps/") + Sign);
    EXPECT_EQ(T.name("more/include/lib/y.h", "p/src"), "more/include/lib/y.h");
    EXPECT_EQ(T.name("deps/include/lib/y.h", "p/src"), "") << Sign;
    EXPECT_EQ(T.name("p/include/x.h", "p/src"), "include/x.h") << Sign;
  }
  Tree T;
  T.write("p/src/a.c");
  T.write("tools/include/evenkeel/ek.h");
  EXPECT_EQ(T.name("tools/include/evenkeel/ek.h", "p/src"), "")
      << "the run time's own";
}

TEST(ProjectFiles, KeepsToOneTreeUnderVersionControl) {
  Tree T;
  T.write("p/.git/HEAD");
  T.write("p/src/a.c");
  T.write("p/include/x.h");
  T.write("p/vendored/lib/.git"); // a submodule's is a file
  T.write("p/vendored/lib/include/y.h");
  T.write("p/vendored/lib/src/b.c");
  T.write("other/include/z.h");
  T.write("third/.hg/store");
  T.write("third/include/w.h");
  EXPECT_EQ(T.name("p/include/x.h", "p/src"), "include/x.h");
  EXPECT_EQ(T.name("p/vendored/lib/include/y.h", "p/src"),
            "vendored/lib/include/y.h");
  EXPECT_EQ(T.name("p/vendored/lib/include/y.h", "p/vendored/lib/src"),
            "include/y.h");
  EXPECT_EQ(T.name("p/include/x.h", "p/vendored/lib/src"), "include/x.h");
  EXPECT_EQ(T.name("other/include/z.h", "p/src"), "");
  EXPECT_EQ(T.name("third/include/w.h", "p/src"), "");
  EXPECT_EQ(T.name("third/include/w.h", "other/include"), "");
}

} // namespace
