//===- TempDir.h - temporary files of one test ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a fresh directory that is removed with the object.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_PROFILES_TEMPDIR_H
#define EVENKEEL_TEST_PROFILES_TEMPDIR_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

namespace evenkeel {

class TempDir {
  std::filesystem::path Dir;

public:
  TempDir() {
    std::string Name =
        (std::filesystem::path(::testing::TempDir()) / "ek-XXXXXX").string();
    if (!::mkdtemp(Name.data()))
      std::abort();
    Dir = Name;
  }
  ~TempDir() {
    std::error_code EC;
    std::filesystem::remove_all(Dir, EC);
  }
  std::string path(const std::string &Name) const {
    return (Dir / Name).string();
  }
  std::string write(const std::string &Name, const std::string &Text) const {
    std::ofstream(path(Name), std::ios::binary) << Text;
    return path(Name);
  }
  static std::string read(const std::string &Path) {
    std::ifstream In(Path, std::ios::binary);
    return {std::istreambuf_iterator<char>(In), {}};
  }
  size_t count() const {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(Dir), {}));
  }
};

/// Expects an error of one line that starts in lower case or with a file's name
/// and contains \p Part.
#define EXPECT_ERROR(Result, Part)                                             \
  do {                                                                         \
    auto &&Checked = (Result);                                                 \
    EXPECT_FALSE(static_cast<bool>(Checked));                                  \
    if (!Checked) {                                                            \
      EXPECT_NE(Checked.message().find(Part), std::string::npos)               \
          << Checked.message();                                                \
      EXPECT_EQ(Checked.message().find('\n'), std::string::npos);              \
    }                                                                          \
  } while (0)

} // namespace evenkeel

#endif
