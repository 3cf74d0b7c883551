//===- input_numbers_test.cpp - numbers in arguments and files ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Scenario.h"
#include "format/inputs/InputNumbers.h"
#include "predict/symbols/SameNumbers.h"
#include <cstdio>
#include <fstream>

using namespace evenkeel;

namespace {

CommandLine commandLine(std::vector<std::string> Words) {
  CommandLine C;
  C.Arguments = std::move(Words);
  return C;
}

/// A text file of the test's temporary folder.
struct TextFile {
  std::string Path;
  TextFile(const std::string &Name, const std::string &Text)
      : Path(::testing::TempDir() + "evenkeel-" + Name) {
    std::ofstream(Path, std::ios::binary) << Text;
  }
  ~TextFile() { std::remove(Path.c_str()); }
  InputFile read(size_t Most = 1000) const {
    InputFile F;
    EXPECT_TRUE(readInputFile(Path, Most, F));
    return F;
  }
};

TEST(InputNumbers, HeadsOfTextsAreRead) {
  const TextFile Matrix("matrix", "%%MatrixMarket matrix\n% 7 rows\n300 200 "
                                  "1500\n1 1 0.5\n");
  EXPECT_EQ(Matrix.read().Numbers,
            (std::vector<double>{300, 200, 1500, 1, 1, 0.5}));
  EXPECT_EQ(Matrix.read().Lines, 4);
  EXPECT_EQ(Matrix.read().Bytes, 52);
  const TextFile Graph("graph", "c 12 made\np edge 40 780\ne 1 2\n");
  EXPECT_EQ(Graph.read().Numbers, (std::vector<double>{40, 780, 1, 2}));
  const TextFile Settings("settings", "size = 64\nsteps: 10\nname=s3\n");
  EXPECT_EQ(Settings.read().Numbers, (std::vector<double>{64, 10}));
  const TextFile Letters("letters", ">s0\nACGT\n");
  EXPECT_TRUE(Letters.read().Numbers.empty()) << "words with digits are none";
}

TEST(InputNumbers, OtherFilesHaveASizeAlone) {
  const TextFile Binary("binary", std::string("12 13\n\0\1\n", 9));
  EXPECT_EQ(Binary.read().Bytes, 9);
  EXPECT_EQ(Binary.read().Lines, 0);
  EXPECT_TRUE(Binary.read().Numbers.empty());
  const TextFile Long("long", "12 13\n");
  EXPECT_EQ(Long.read(5).Bytes, 6);
  EXPECT_EQ(Long.read(5).Lines, 0) << "not counted";
  InputFile F;
  EXPECT_FALSE(readInputFile(::testing::TempDir(), 1000, F)) << "a folder";
  EXPECT_FALSE(readInputFile(Long.Path + "-not", 1000, F));
}

static std::map<std::string, double> byPlace(const CommandLine &C) {
  std::map<std::string, double> Out;
  for (const InputNumber &N : numbersOf(C))
    Out[N.Place] = N.Value;
  return Out;
}

TEST(InputNumbers, PlacesAreComparedByForm) {
  const auto A = byPlace(commandLine({"app", "-n", "5", "-m", "rmat:7:9"}));
  EXPECT_EQ(A.size(), 3u);
  EXPECT_EQ(A, byPlace(commandLine({"app", "-m", "rmat:7:9", "-n", "5"})))
      << "options in another order";
  for (const auto &[Place, Value] : byPlace(commandLine({"app", "-m", "7"})))
    EXPECT_EQ(A.count(Place), 0u) << "another form: " << Place;
  EXPECT_EQ(byPlace(commandLine({"app", "-v", "1", "-v", "2"})).size(), 2u);
  EXPECT_EQ(byPlace(commandLine({"app", "-3"})).size(), 1u) << "no option";
  CommandLine File = commandLine({"app", "mesh2.txt"});
  File.Files["mesh2.txt"] = {100, 4, {8, 9}};
  std::vector<std::string> Names;
  for (const InputNumber &N : numbersOf(File))
    Names.push_back(N.Name);
  EXPECT_EQ(Names, (std::vector<std::string>{
                       "bytes of argument 1", "lines of argument 1",
                       "number 1 in argument 1", "number 2 in argument 1"}))
      << "the digit in its name is left out";
}

TEST(InputNumbers, OptionsAreTheSameWhateverTheirFile) {
  CommandLine A = commandLine({"app", "--in=small.txt"});
  CommandLine B = commandLine({"app", "--in=large.txt"});
  A.Files["--in=small.txt"] = B.Files["--in=large.txt"] = {100, 4, {8}};
  EXPECT_EQ(byPlace(A), byPlace(B));
  CommandLine Other = commandLine({"app", "--mesh=large.txt"});
  Other.Files["--mesh=large.txt"] = {100, 4, {8}};
  EXPECT_NE(byPlace(A), byPlace(Other));
}

TEST(InputNumbers, FilesSurviveJson) {
  CommandLine C = commandLine({"app", "mesh"}), Read;
  C.Files["mesh"] = {100, 4, {8, 0.5}};
  ASSERT_TRUE(commandLineFromJson(commandLineToJson(C), Read));
  EXPECT_EQ(Read, C);
  for (const char *Bad :
       {"7", "{\"mesh\":7}",
        "{\"mesh\":{\"bytes\":-1,\"lines\":0,\"numbers\":[]}}",
        "{\"mesh\":{\"bytes\":1,\"lines\":0,\"numbers\":[\"x\"]}}"})
    EXPECT_FALSE(commandLineFromJson(
        std::string("{\"arguments\":[\"a\"],\"environment\":{},\"files\":") +
            Bad + "}",
        Read))
        << Bad;
}

/// "app FILE": the code does not show that n is the file's size.
struct FromFile : Scenario {
  explicit FromFile(double N, double Bytes) : Scenario(1) {
    B.Symbols.clear();
    B.Symbols.push_back({SymN, EK_NO_TASK, 0, 1, int64_t(N), int64_t(N),
                         int64_t(N), int64_t(N), N});
    B.Ran = ofBytes(Bytes);
  }
  static CommandLine ofBytes(double Bytes) {
    CommandLine C = commandLine({"app", "file"});
    C.Files["file"] = {Bytes, 0, {}};
    return C;
  }
  std::optional<double> on(double Bytes,
                           const std::vector<const Profile *> &More = {}) {
    std::vector<const Profile *> Bases{&B};
    Bases.insert(Bases.end(), More.begin(), More.end());
    const auto T = tiesBySameNumbers(F, Bases, ofBytes(Bytes), {});
    return T.empty() ? std::nullopt : T[0].Target;
  }
};

TEST(SameNumbers, MeanNothingWithoutCodeThatReadsThem) {
  FromFile Large(3000, 3000);
  EXPECT_FALSE(FromFile(10867, 10867).on(50021));
  EXPECT_FALSE(FromFile(10867, 10867).on(50021, {&Large.B}));
}

/// "app FILE": the code reads n from the file, with scanf.
struct ScannedFile : FromFile {
  explicit ScannedFile(double N, std::vector<double> Numbers)
      : FromFile(N, 20) {
    InputFact Word, Number;
    Word.Id = 71;
    Word.Kind = "argument";
    Word.Index = 1;
    Number.Id = 72;
    Number.Kind = "file";
    Number.Of = {makeSymbol(71)};
    F.Inputs = {Word, Number};
    for (SymbolFact &S : F.Symbols)
      if (S.Id == SymN)
        S.Input = makeSymbol(72);
    B.Ran.Files["file"].Numbers = std::move(Numbers);
  }
  std::vector<InputTie> on(std::vector<double> Numbers,
                           const std::string &Why = "input-not-readable",
                           const std::vector<const Profile *> &More = {}) {
    CommandLine Target = FromFile::ofBytes(30);
    Target.Files["file"].Numbers = std::move(Numbers);
    InputTie Known;
    for (const SymbolFact &S : F.Symbols)
      if (S.Id == SymN)
        Known.Symbol = &S;
    Known.Why = Why;
    std::vector<const Profile *> Bases{&B};
    Bases.insert(Bases.end(), More.begin(), More.end());
    return tiesBySameNumbers(F, Bases, Target, {Known});
  }
};

TEST(SameNumbers, AreThoseOfTheFileThatTheCodeReads) {
  ScannedFile One(1000, {1000, 6});
  const auto Its = One.on({4000, 6});
  ASSERT_EQ(Its.size(), 1u);
  EXPECT_EQ(Its[0].Target, 4000);
  EXPECT_EQ(Its[0].From, "number 1 in argument 1, as in the base run");
  EXPECT_TRUE(ScannedFile(1000, {1000, 1000}).on({4000, 6}).empty())
      << "which of the two is not known";
  EXPECT_TRUE(ScannedFile(1000, {1000, 1000}).on({4000}).empty())
      << "nor here, where the target has one";
  EXPECT_TRUE(ScannedFile(1000, {6}).on({4000}).empty());
  EXPECT_TRUE(ScannedFile(20, {6}).on({4000}).empty())
      << "its size is no number in it";
  EXPECT_TRUE(One.on({4000, 6}, "argument-disagrees").empty());
  ScannedFile Two(2000, {2000, 6});
  EXPECT_EQ(One.on({4000, 6}, "input-not-readable", {&Two.B}).size(), 1u);
}

} // namespace
