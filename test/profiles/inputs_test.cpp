//===- inputs_test.cpp - values that a command line tells -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Scenario.h"
#include "format/FactsCheck.h"
#include "format/inputs/CommandLine.h"
#include "predict/symbols/CommandLineTexts.h"
#include "predict/symbols/Inputs.h"
#include <nlohmann/json.hpp>

using namespace evenkeel;

namespace {

using Text = std::optional<std::string>;

CommandLine commandLine(std::vector<std::string> Words) {
  CommandLine C;
  C.Arguments = std::move(Words);
  return C;
}

InputFact option(std::vector<std::string> Names, const std::string &Form) {
  InputFact I;
  I.Kind = "option";
  I.Names = std::move(Names);
  I.Form = Form;
  I.Convert = "integer";
  return I;
}

TEST(CommandLineTexts, ArgumentsByNumber) {
  InputFact I;
  I.Kind = "argument";
  I.Index = 2;
  const CommandLine C = commandLine({"app", "10", "n=20"});
  EXPECT_EQ(textOnCommandLine(I, C), Text("n=20"));
  I.Skip = 2;
  EXPECT_EQ(textOnCommandLine(I, C), Text("20"));
  I.Skip = -1;
  EXPECT_EQ(textOnCommandLine(I, C), Text("20"));
  I.Index = 1;
  EXPECT_EQ(textOnCommandLine(I, C), Text()) << "no '=' in it";
  I.Index = 3;
  EXPECT_EQ(textOnCommandLine(I, C), Text());
}

TEST(CommandLineTexts, OptionsThatTheProgramLooksFor) {
  const CommandLine C = commandLine(
      {"app", "-n", "10", "--rows=20", "-r", "5", "-n", "30", "-r"});
  EXPECT_EQ(textOnCommandLine(option({"-n"}, "next"), C), Text("30"))
      << "the last counts";
  EXPECT_EQ(textOnCommandLine(option({"-r", "--r"}, "next"), C), Text("5"));
  EXPECT_EQ(textOnCommandLine(option({"--rows="}, "joined"), C), Text("20"));
  EXPECT_EQ(textOnCommandLine(option({"-x"}, "next"), C), Text());
}

TEST(CommandLineTexts, OptionsThatGetoptFinds) {
  auto Find = [](std::vector<std::string> Names, const std::string &Letters,
                 std::vector<std::string> Words) {
    InputFact I = option(std::move(Names), "getopt");
    I.Letters = Letters;
    I.LongNames = {"rows:", "rounds:", "verbose"};
    Words.insert(Words.begin(), "app");
    return textOnCommandLine(I, commandLine(std::move(Words)));
  };
  EXPECT_EQ(Find({"-n"}, "n:v", {"-n", "5"}), Text("5"));
  EXPECT_EQ(Find({"-n"}, "n:v", {"-vn5"}), Text("5"));
  EXPECT_EQ(Find({"-n"}, "n:f:", {"-f", "-n", "5"}), Text())
      << "-n is the value of -f";
  EXPECT_EQ(Find({"-n"}, "n::", {"-n", "5"}), Text(""));
  EXPECT_EQ(Find({"-n"}, "n:", {"--", "-n", "5"}), Text());
  EXPECT_EQ(Find({"-n"}, "", {"-n", "5"}), Text("5"));
  EXPECT_EQ(Find({"-r", "--rows"}, "r:", {"--rows", "5"}), Text("5"));
  EXPECT_EQ(Find({"-r", "--rows"}, "r:", {"--row=5"}), Text("5"));
  EXPECT_EQ(Find({"-r", "--rows"}, "r:", {"--ro=5"}), Text())
      << "rows or rounds";
  InputFact I;
  I.Kind = "operand";
  I.Index = 2;
  I.Letters = "n:";
  EXPECT_EQ(textOnCommandLine(I, commandLine({"app", "a", "-n", "5", "b"})),
            Text("b"));
}

TEST(CommandLineTexts, NumbersAsTheLibraryReadsThem) {
  auto Number = [](const std::string &Convert, const std::string &Text,
                   const std::string &Format = "", int64_t Field = 0) {
    InputFact I;
    I.Convert = Convert;
    I.Format = Format;
    I.Field = Field;
    return numberIn(I, Text);
  };
  EXPECT_EQ(Number("integer", "12k"), 12);
  EXPECT_EQ(Number("integer", "k"), std::nullopt);
  EXPECT_EQ(Number("number", "1e3"), 1000);
  EXPECT_EQ(Number("scan", "3x4", "%dx%d", 1), 4);
  EXPECT_EQ(Number("scan", "size = 7", "%*s = %ld"), 7);
  EXPECT_EQ(Number("scan", "3", "%dx%d", 1), std::nullopt);
  EXPECT_EQ(Number("scan", "ab", "%s"), std::nullopt) << "no number";
  EXPECT_EQ(Number("text", "12"), std::nullopt);
  EXPECT_EQ(Number("equals", "small", "small"), 1);
  EXPECT_EQ(Number("equals", "Small", "small"), 0);
  EXPECT_EQ(Number("equals-any-case", "Small", "small"), 1);
}

TEST(CommandLine, SurvivesItsJson) {
  CommandLine C = commandLine({"app", "a \"b\"", ""}), D;
  C.Environment["N"] = "5";
  ASSERT_TRUE(commandLineFromJson(commandLineToJson(C), D));
  EXPECT_EQ(C, D);
  for (const char *Bad : {"", "[]", "{}", R"({"arguments":[1]})",
                          R"({"arguments":["a"],"environment":{"N":1}})"}) {
    CommandLine E;
    EXPECT_FALSE(commandLineFromJson(Bad, E)) << Bad;
  }
}

enum : uint64_t { First = 0x61, Steps = 0x62, StepsOrFive = 0x63 };
enum : uint64_t { Cells = 0x71, Rounds = 0x72, SameAsN = 0x73 };

/// n = argument 1, cells = n * n, rounds = option -s or 5; run as "app 1000".
struct Tied : Scenario {
  Tied() : Scenario(1) {
    InputFact I;
    I.Id = First;
    I.Kind = "argument";
    I.Index = 1;
    I.Convert = "integer";
    I.At = "main.c:7:3";
    F.Inputs.push_back(I);
    I = option({"-s"}, "next");
    I.Id = Steps;
    F.Inputs.push_back(I);
    I = {};
    I.Id = StepsOrFive;
    I.Kind = "first";
    I.Of = {makeSymbol(Steps), makeConst(5)};
    F.Inputs.push_back(I);
    addSymbol(Cells, "main:cells", "derived", 1000000);
    addSymbol(Rounds, "main:rounds", "given", 5);
    addSymbol(SameAsN, "work:length", "given", 1000);
    tie(SymN, makeSymbol(First));
    tie(Cells, makeOp("*", {makeSymbol(First), makeSymbol(First)}));
    tie(Rounds, makeSymbol(StepsOrFive));
    tie(SameAsN, makeSymbol(First));
    B.Ran = commandLine({"app", "1000"});
  }
  void tie(uint64_t Id, ExprRef Input) {
    for (SymbolFact &S : F.Symbols)
      if (S.Id == Id)
        S.Input = Input;
  }
  InputTie of(uint64_t Id, const std::vector<std::string> &Words,
              const std::vector<Given> &For = {}) {
    for (InputTie &T : tiesToInput(F, B, commandLine(Words), For))
      if (T.Symbol->Id == Id)
        return T;
    return {};
  }
};

TEST(Inputs, GiveValuesOnTheTarget) {
  Tied S;
  const std::vector<std::string> Words = {"app", "3000", "-s", "9"};
  EXPECT_EQ(S.of(Scenario::SymN, Words).Target, 3000);
  EXPECT_EQ(S.of(Scenario::SymN, Words).From, "argument 1, main.c:7");
  EXPECT_EQ(S.of(Cells, Words).Target, 9000000);
  EXPECT_EQ(S.of(Rounds, Words).Target, 9);
  EXPECT_EQ(S.of(Rounds, Words).From, "option -s, else 5");
  EXPECT_EQ(S.of(Rounds, {"app", "3000"}).Target, 5);
  EXPECT_EQ(S.of(Scenario::SymN, {"app"}).Why, "input-not-readable");
  std::vector<Given> Told =
      givenByInput(S.F, tiesToInput(S.F, S.B, commandLine(Words), {}), {});
  ASSERT_EQ(Told.size(), 4u);
  EXPECT_EQ(Told[0].Name, "main:n");
  EXPECT_EQ(Told[0].Value, 3000);
}

TEST(Inputs, AreDroppedWhereTheBaseRunDisagrees) {
  Tied S;
  S.B.Ran.Arguments[1] = "999";
  EXPECT_EQ(S.of(Scenario::SymN, {"app", "3000"}).Why, "argument-disagrees");
  EXPECT_FALSE(S.of(Scenario::SymN, {"app", "3000"}).Target);
  EXPECT_EQ(S.of(Rounds, {"app", "3000"}).Target, 5) << "this one agrees";
  S.B.Ran = {};
  EXPECT_EQ(S.of(Cells, {"app", "3000"}).Why, "base-arguments-unknown");
  Tied Several;
  Several.B.Symbols.push_back(
      {Scenario::SymN, EK_NO_TASK, 0, 1, 7, 7, 7, 7, 7});
  EXPECT_EQ(Several.of(Scenario::SymN, {"app", "3000"}).Why,
            "several-base-values");
  Tied Below;
  EXPECT_EQ(Below.of(Scenario::SymN, {"app", "-3"}).Why, "input-not-a-count");
}

/// The code has both choices, but did not use the first in the base run.
TEST(Inputs, LeaveOutChoicesThatTheBaseRunDidNotMake) {
  Tied S;
  S.F.Inputs[2].Of = {makeOp("*", {makeSymbol(First), makeSymbol(First)}),
                      makeSymbol(First), makeConst(5)};
  S.tie(Scenario::SymN, makeSymbol(StepsOrFive));
  EXPECT_EQ(S.of(Scenario::SymN, {"app", "3000"}).Target, 3000);
  S.B.Ran.Arguments[1] = "999"; // the constant alone is no tie
  S.addSymbol(0x74, "main:five", "given", 5);
  S.tie(0x74, makeSymbol(StepsOrFive));
  EXPECT_EQ(S.of(0x74, {"app", "3000"}).Why, "argument-disagrees");
}

TEST(Inputs, ValuesByHandWinAndSpread) {
  Tied S;
  const Given N{"main:n", std::nullopt, 50};
  EXPECT_EQ(S.of(Scenario::SymN, {"app", "3000"}, {N}).Target, 50);
  EXPECT_EQ(S.of(SameAsN, {"app", "3000"}, {N}).Target, 50)
      << "the same argument";
  EXPECT_EQ(S.of(Cells, {"app", "3000"}, {N}).Target, 2500);
  EXPECT_EQ(S.of(SameAsN, {}, {N}).Target, 50) << "without a command line, too";
  EXPECT_FALSE(S.of(Rounds, {}, {N}).Target) << "the target may well state -s";
  for (const Given &G : givenByInput(
           S.F, tiesToInput(S.F, S.B, commandLine({"app", "3000"}), {N}), {N}))
    EXPECT_NE(G.Name, "main:n") << "it is given already";
}

TEST(Inputs, SizesOfFilesAreLookedUp) {
  Tied S;
  const std::string Path = ::testing::TempDir() + "evenkeel-inputs-test";
  std::FILE *File = std::fopen(Path.c_str(), "w");
  ASSERT_NE(File, nullptr);
  std::fputs("12345", File);
  std::fclose(File);
  S.F.Inputs[0].Convert = "text";
  S.F.Inputs[1] = {};
  S.F.Inputs[1].Id = Steps;
  S.F.Inputs[1].Kind = "file-size";
  S.F.Inputs[1].Of = {makeSymbol(First)};
  S.tie(Rounds, makeSymbol(Steps));
  S.B.Ran = commandLine({"app", Path});
  EXPECT_EQ(S.of(Rounds, {"app", Path}).Target, 5);
  EXPECT_EQ(S.of(Rounds, {"app", Path + "-not"}).Why, "input-not-readable");
  EXPECT_EQ(S.of(Rounds, {"app", Path}).From,
            "the size of the file of argument 1, main.c:7");
  std::remove(Path.c_str());
}

TEST(Inputs, SurviveFactsJson) {
  Tied S;
  S.F.Inputs[1].Letters = "s:";
  S.F.Inputs[1].LongNames = {"steps:"};
  S.F.Inputs[1].Skip = -1;
  S.F.Inputs[1].Base = 0;
  S.F.Inputs[1].Format = "%d";
  S.F.Inputs[1].Field = 2;
  S.F.Inputs[1].Name = "N";
  const std::string Once = factsToJson(S.F);
  Expected<Facts> Read = factsFromJson(nlohmann::json::parse(Once), "f.json");
  ASSERT_TRUE(Read) << Read.message();
  EXPECT_EQ(factsToJson(*Read), Once);
  ASSERT_EQ(Read->Inputs.size(), 3u);
  nlohmann::json Bad = nlohmann::json::parse(Once);
  Bad["inputs"][0]["kind"] = "guess";
  EXPECT_FALSE(factsFromJson(Bad, "f.json"));
}

/// A row that contains itself, in a damaged file, has no value.
TEST(Inputs, EndInCycles) {
  Tied S;
  S.F.Inputs[2].Of = {makeSymbol(StepsOrFive)};
  EXPECT_EQ(S.of(Rounds, {"app", "3000"}).Why, "input-not-readable");
}

TEST(Inputs, AreChecked) {
  Tied S;
  size_t Checks = 0;
  auto Complains = [&](const std::string &What) {
    for (const std::string &Line : checkFacts(S.F, Checks))
      if (Line.find(What) != std::string::npos)
        return true;
    return false;
  };
  EXPECT_FALSE(Complains("input"));
  S.tie(Rounds, makeSymbol(0x99));
  EXPECT_TRUE(Complains("symbol main:rounds: no input 0000000000000099"));
  S.F.Inputs[1].Names.clear();
  EXPECT_TRUE(Complains("without a name"));
  S.F.Inputs[2].Of.clear();
  EXPECT_TRUE(Complains("nothing to choose"));
}

} // namespace
