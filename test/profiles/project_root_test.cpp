//===- project_root_test.cpp - roots of projects' paths -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: builds of several kinds, in test folders.
//===----------------------------------------------------------------------===//
#include "TempDir.h"
#include "format/ProjectRoot.h"
#include <filesystem>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace evenkeel;
namespace fs = std::filesystem;

namespace {

/// Folders and files below a fresh one.
class Tree {
  TempDir D;

public:
  std::string top() const {
    std::string Top = D.path("");
    Top.pop_back();
    return fs::canonical(Top).string();
  }
  std::string at(const std::string &Name) const { return top() + "/" + Name; }
  void write(const std::string &Name, const std::string &Text = "") const {
    fs::create_directories(fs::path(at(Name)).parent_path());
    D.write(Name, Text);
  }
  /// Below top(), of units: where they are compiled, and their files.
  std::string
  root(const std::vector<std::pair<std::string, std::string>> &Units) const {
    ProjectRoot R;
    for (const auto &[Directory, File] : Units)
      R.add(at(Directory), File);
    return fs::path(R.get()).lexically_relative(top()).string();
  }
};

TEST(ProjectRoot, HoldsUnitAndBuild) {
  Tree T;
  T.write("p/src/a.c");
  T.write("p/src/b/c.c");
  T.write("p/build/x");
  EXPECT_EQ(T.root({{"p/src", "a.c"}}), "p/src");
  EXPECT_EQ(T.root({{"p/src", "b/c.c"}}), "p/src");
  EXPECT_EQ(T.root({{"p/build", "../src/a.c"}}), "p");
  EXPECT_EQ(T.root({{"p/src", "a.c"}, {"p/build", T.at("p/src/b/c.c")}}), "p");
  EXPECT_EQ(T.root({{"p/src", "/usr/share/x.c"}}), "p/src");
  EXPECT_EQ(ProjectRoot().get(), "");
}

TEST(ProjectRoot, HoldsWhatUnitsInclude) {
  Tree T;
  T.write("src/a.c", "#include \"sub/part.c\"\n");
  T.write("src/sub/part.c", "  # include \"../../other/deep.c\"\n");
  T.write("src/sub/h.h");
  T.write("other/deep.c");
  T.write("build/unity_0.c",
          "/* made */\n#include \"" + T.at("src/a.c") + "\"\n");
  T.write("build/parser.c", "#include <stdio.h>\n#include \"../src/sub/h.h\"\n"
                            "#include \"absent.h\"\nint x;\n");
  T.write("build/alone.c");
  EXPECT_EQ(T.root({{"build", "unity_0.c"}}), ".");
  EXPECT_EQ(T.root({{"build", "parser.c"}}), ".");
  EXPECT_EQ(T.root({{"build", "alone.c"}}), "build");
  EXPECT_EQ(T.root({{"src/sub", "part.c"}}), ".");
  // Units that include each other end somewhere.
  T.write("ring/a.c", "#include \"b.c\"\n");
  T.write("ring/b.c", "#include \"a.c\"\n");
  EXPECT_EQ(T.root({{"ring", "a.c"}}), "ring");
}

/// Each unit of a build finds the same root, whatever it includes.
TEST(ProjectRoot, IsThatOfTheBuildSystem) {
  Tree T;
  T.write("src/CMakeLists.txt");
  T.write("src/a.c");
  T.write("src/sub/b.c");
  T.write("elsewhere/CMakeCache.txt",
          "//comment\nCMAKE_HOME_DIRECTORY:INTERNAL=" + T.at("src") + "\n");
  T.write("elsewhere/CMakeFiles/x");
  T.write("elsewhere/sub/CMakeFiles/x");
  T.write("elsewhere/sub/made.c");
  const std::vector<std::pair<std::string, std::string>> Units = {
      {"elsewhere", T.at("src/a.c")},
      {"elsewhere/sub", T.at("src/sub/b.c")},
      {"elsewhere/sub", "made.c"}};
  for (const auto &Unit : Units)
    EXPECT_EQ(T.root({Unit}), ".") << Unit.second;
  EXPECT_EQ(T.root(Units), ".");
  // In the tree itself.
  T.write("src/CMakeCache.txt",
          "CMAKE_HOME_DIRECTORY:INTERNAL=" + T.at("src") + "\n");
  T.write("src/CMakeFiles/x");
  T.write("src/sub/CMakeFiles/x");
  EXPECT_EQ(T.root({{"src/sub", "b.c"}}), "src");
  // Meson, and configure called from elsewhere.
  T.write("project/meson.build");
  T.write("mb/meson-info/meson-info.json",
          "{\"directories\": {\"source\": \"" + T.at("project") +
              "\", \"build\": \"" + T.at("mb") + "\"}}\n");
  T.write("mb/made.c");
  EXPECT_EQ(T.root({{"mb", "made.c"}}), ".");
  T.write("cb/Makefile", "SHELL = /bin/sh\ntop_srcdir = ../project\n");
  T.write("cb/lib/Makefile", "srcdir = ../../project/lib\n");
  T.write("cb/lib/made.c");
  EXPECT_EQ(T.root({{"cb/lib", "made.c"}}), ".");
  // make that calls make.
  T.write("m/Makefile");
  T.write("m/lib/makefile");
  T.write("m/lib/inner/GNUmakefile");
  T.write("m/lib/inner/a.c");
  T.write("m/app/main.c");
  EXPECT_EQ(T.root({{"m/lib/inner", "a.c"}}), "m");
  EXPECT_EQ(T.root({{"m/app", "main.c"}}), "m/app") << "no makefile there";
}

/// Where only / holds both, the build does not count.
TEST(ProjectRoot, BuildsFarAway) {
  Tree T;
  T.write("src/a.c");
  T.write("src/sub/b.c");
  fs::path Far = "/proc/self/task"; // on no path of ours
  ProjectRoot R;
  R.add(Far.string(), T.at("src/a.c"));
  R.add(Far.string(), T.at("src/sub/b.c"));
  EXPECT_EQ(R.get(), T.at("src"));
}

} // namespace
