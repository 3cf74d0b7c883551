//===- model_file_test.cpp - trained functions by hand --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schema.h"
#include "TempDir.h"
#include "format/ModelFile.h"
#include <nlohmann/json.hpp>

using namespace evenkeel;
using nlohmann::json;

namespace {

json document(const char *Kind, const char *Function) {
  json J = {
      {"schema", "evenkeel.model/1"}, {"name", "m"}, {"predicts", "gap_left"},
      {"inputs", {"a", "b"}},         {"low", -100}, {"high", 100}};
  J[Kind] = json::parse(Function);
  return J;
}

Expected<TrainedFunction> parse(const json &J) {
  return parseTrainedFunction(J.dump(), "m.json");
}

double value(const json &J, std::vector<double> X) {
  auto F = parse(J);
  EXPECT_TRUE(static_cast<bool>(F)) << F.message();
  return F ? (*F)(X) : 0;
}

const char LinearText[] = R"({"bias": 1, "weights": [2, -3]})";
/// Hidden: max(0, (a-1)/2 + 1) and max(0, -b); out: 3 h0 + h1 - 1.
const char NetworkText[] = R"({"mean": [1, 0], "scale": [2, 1], "layers": [
  {"bias": [1, 0], "weights": [[1, 0], [0, -1]]},
  {"bias": [-1], "weights": [[3, 1]]}]})";
/// b <= 5 ? (a <= 0 ? 1 : 2) : 4, and a second tree of one leaf, 10.
const char TreesText[] = R"({"bias": 0.5, "trees": [
  {"input": [1, 0, -1, -1, -1], "threshold": [5, 0, 0, 0, 0],
   "left": [1, 2, 0, 0, 0], "right": [4, 3, 0, 0, 0],
   "value": [0, 0, 1, 2, 4]},
  {"input": [-1], "threshold": [0], "left": [0], "right": [0],
   "value": [10]}]})";

TEST(ModelFile, Linear) {
  EXPECT_EQ(value(document("linear", LinearText), {10, 2}), 15);
}

TEST(ModelFile, Network) {
  EXPECT_EQ(value(document("network", NetworkText), {3, -2}), 7); // 3*2 + 2 - 1
  EXPECT_EQ(value(document("network", NetworkText), {-9, 2}), -1);
}

TEST(ModelFile, Trees) {
  json J = document("trees", TreesText);
  EXPECT_EQ(value(J, {0, 5}), 11.5);
  EXPECT_EQ(value(J, {0.1, 5}), 12.5);
  EXPECT_EQ(value(J, {0, 5.1}), 14.5);
}

TEST(ModelFile, ResultStaysWithinBounds) {
  json J = document("linear", LinearText);
  EXPECT_EQ(value(J, {1000, 0}), 100);
  EXPECT_EQ(value(J, {-1000, 0}), -100);
  J["low"] = -2;
  // Infinity times zero: a NaN becomes the lower bound.
  J["linear"]["weights"] = {1e308, -1e308};
  EXPECT_EQ(value(J, {1e308, 1e308}), -2);
}

TEST(ModelFile, BadFilesAreNamed) {
  auto Bad = [](const char *Kind, const char *Text, auto &&Break,
                const char *Says) {
    json J = document(Kind, Text);
    Break(J);
    EXPECT_ERROR(parse(J), Says);
  };
  Bad(
      "linear", LinearText, [](json &J) { J["schema"] = "evenkeel.model/2"; },
      "schema");
  Bad(
      "linear", LinearText, [](json &J) { J["inputs"] = {"a"}; },
      "must have 1 numbers, not 2");
  Bad(
      "linear", LinearText, [](json &J) { J["inputs"] = json::array(); },
      "must not be empty");
  Bad(
      "linear", LinearText, [](json &J) { J["inputs"] = {1, 2}; },
      "must contain names");
  Bad("linear", LinearText, [](json &J) { J["low"] = 1000; }, "above 'high'");
  Bad(
      "linear", LinearText, [](json &J) { J.erase("linear"); },
      "one of linear, network and trees");
  Bad(
      "linear", LinearText,
      [](json &J) { J["trees"] = json::parse(TreesText); },
      "one of linear, network and trees");
  Bad(
      "linear", LinearText, [](json &J) { J["linear"] = 3; },
      "must be an object");
  Bad(
      "linear", LinearText, [](json &J) { J["linear"]["weights"] = {"x", 1}; },
      "finite numbers");
  Bad(
      "network", NetworkText, [](json &J) { J["network"]["scale"] = {0, 1}; },
      "must not be 0");
  Bad(
      "network", NetworkText, [](json &J) { J["network"]["layers"].erase(1); },
      "one output");
  Bad(
      "network", NetworkText,
      [](json &J) { J["network"]["layers"][1]["weights"] = {{1}}; },
      "must have 2 numbers");
  Bad(
      "network", NetworkText,
      [](json &J) { J["network"]["layers"][0]["bias"] = {1}; }, "as many rows");
  // A walk through the tree that would not end, or would leave the tree.
  Bad(
      "trees", TreesText,
      [](json &J) { J["trees"]["trees"][0]["left"][0] = 0; }, "node 0 refers");
  Bad(
      "trees", TreesText,
      [](json &J) { J["trees"]["trees"][0]["right"][1] = 9; }, "node 1 refers");
  Bad(
      "trees", TreesText,
      [](json &J) { J["trees"]["trees"][0]["input"][0] = 2; }, "node 0 refers");
  Bad(
      "trees", TreesText,
      [](json &J) { J["trees"]["trees"][0]["value"] = {1}; }, "must have 5");
}

/// The shipped files give the same values here as where they were fitted.
TEST(ModelFile, ShippedFilesGiveTheirMakersResults) {
  for (const char *Name : {"regression", "network", "correlated"}) {
    std::string Path = std::string(EK_SOURCE_DIR) +
                       "/profiles/models/trained/" + Name + ".json";
    auto F = readTrainedFunction(Path);
    ASSERT_TRUE(static_cast<bool>(F)) << F.message();
    json J = json::parse(TempDir::read(Path));
    json S = json::parse(TempDir::read(std::string(EK_SOURCE_DIR) +
                                       "/profiles/schemas/model.schema.json"));
    EXPECT_EQ(SchemaChecker(S).check(J), "");
    ASSERT_GE(J["probes"].size(), 10u);
    for (const json &P : J["probes"])
      EXPECT_NEAR((*F)(P["inputs"].get<std::vector<double>>()),
                  P["result"].get<double>(), 1e-6)
          << Name;
  }
}

} // namespace
