//===- touches_test.cpp - touches.json and the streams it is made of ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: round trip, schema, one line for each kind of damage; streams cut at
// every byte.
//===----------------------------------------------------------------------===//
#include "Schema.h"
#include "TempDir.h"
#include "format/File.h"
#include "format/touches/RawTouches.h"
#include "format/touches/TouchRecord.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace evenkeel;
using nlohmann::json;

namespace {

TouchRecord sample() {
  TouchRecord R;
  R.Command = "solver 100";
  R.Mechanism = "accessed-bits";
  R.OverheadLimit = 0.01;
  R.Processes = {{"solver", 0, 2000000000, 19000000, true, {{"not-split", 3}}},
                 {"solver", 1, 1000000000, 9000000, false, {}}};
  R.Objects = {
      {0,
       "block",
       "a.c:7",
       {"f (a.c:7)", "main (a.c:9)"},
       0,
       0x10000,
       1 << 20,
       5,
       {"solver!11f3", "solver!1207"}},
      {1, "heap", "small blocks of the heap", {}, 0, 0x5000, 9000, 0, {}}};
  R.Passes = {
      {0, 100, 10, 300, 65536}, {0, 200, 10, 300, 65536}, {1, 50, 10, 300, 0}};
  R.Rows = {{0, 0, 0, 16, 16, 5, TouchRow::Unknown},
            {0, 0, 16, 16, 16, 0, TouchRow::Unknown},
            {1, 0, 0, 16, 16, 16, TouchRow::Unknown},
            {2, 1, 0, 3, 2, TouchRow::Unknown, 1}};
  return R;
}

std::string said(const Expected<TouchRecord> &R) {
  return R ? "accepted" : R.message();
}

template <typename T> std::string bytesOf(const T &X) {
  return {reinterpret_cast<const char *>(&X), sizeof X};
}

template <typename T>
std::string item(uint32_t Kind, const T &X, const std::string &More = "") {
  std::string Body = bytesOf(X) + More;
  Body.resize((Body.size() + 7) / 8 * 8);
  return bytesOf(ek_touch_item{Kind, uint32_t(Body.size())}) + Body;
}

std::string header() {
  ek_touch_header H{};
  std::memcpy(H.magic, EK_TOUCH_MAGIC, sizeof H.magic);
  H.page_bytes = 4096;
  H.mechanism = EK_TOUCH_BY_ACCESSED;
  H.rank = -1;
  std::strcpy(H.program, "solver");
  return bytesOf(H);
}

std::string pass(uint64_t Time, const std::vector<ek_touch_row> &Rows) {
  ek_touch_pass P{};
  P.time_ns = Time;
  P.row_count = uint32_t(Rows.size());
  std::string More;
  for (const ek_touch_row &X : Rows)
    More += bytesOf(X);
  return item(EK_TOUCH_PASS, P, More);
}

std::string object(uint32_t Id, uint64_t Bytes) {
  ek_touch_object O{};
  O.base = 0x10000;
  O.bytes = Bytes;
  O.id = Id;
  O.module = O.stack = EK_TOUCH_UNKNOWN;
  return item(EK_TOUCH_OBJECT, O);
}

std::string stream() {
  return header() + item(EK_TOUCH_MODULE, ek_touch_module{64, 0, 4}, "/a/b") +
         object(7, 65536) +
         pass(10, {{7, 0, 16, 16, 3, EK_TOUCH_UNKNOWN, 9, 0}}) +
         item(99, uint64_t(1)) + object(7, 131072) +
         pass(20, {{7, 16, 16, 16, 2, EK_TOUCH_UNKNOWN, 0, 0}}) +
         item(EK_TOUCH_NOTES, ek_touch_notes{0, 1, 0, 0, 2, 3}) +
         item(EK_TOUCH_END, ek_touch_end{30, 25, 1});
}

std::string moves(uint64_t Time, uint64_t Touched, uint64_t Fast) {
  ek_touch_moves M{};
  M.time_ns = Time;
  M.touched = Touched;
  M.fast_touched = Fast;
  return item(EK_TOUCH_MOVES, M);
}

std::string placed(uint32_t Object, uint64_t Bytes, uint64_t Fast) {
  ek_touch_placed P{};
  P.object = Object;
  P.bytes = Bytes;
  P.fast_bytes = Fast;
  P.up_bytes = 3;
  return item(EK_TOUCH_PLACED, P);
}

std::string said(const Expected<RawTouches> &R) {
  return R ? "accepted" : R.message();
}

} // namespace

TEST(Touches, RoundTripAndValid) {
  TempDir D;
  const std::string Text = touchesToJson(sample());
  Expected<TouchRecord> R = readTouches(D.write("t.json", Text));
  ASSERT_TRUE(static_cast<bool>(R)) << R.message();
  EXPECT_EQ(touchesToJson(*R), Text);
  EXPECT_EQ(R->Rows[3].Touched, TouchRow::Unknown);
  EXPECT_EQ(R->programNs(), 3000000000u);
  EXPECT_EQ(R->spentNs(), 28000000u);
  json Schema = json::parse(*readWholeFile(std::string(EK_SOURCE_DIR) +
                                           "/profiles/schemas/"
                                           "touches.schema.json"));
  EXPECT_EQ(SchemaChecker(Schema).check(json::parse(Text)), "");
}

TEST(Touches, SamplesOfLoadsStandBehind) {
  TempDir D;
  TouchRecord Loads = sample();
  Loads.Mechanism = "loads";
  Loads.Rows[0].Samples = 40;
  const std::string Text = touchesToJson(Loads);
  Expected<TouchRecord> R = readTouches(D.write("t.json", Text));
  ASSERT_TRUE(static_cast<bool>(R)) << R.message();
  EXPECT_EQ(touchesToJson(*R), Text);
  EXPECT_EQ(R->Rows[0].Samples, 40u);
  EXPECT_EQ(R->Rows[1].Samples, TouchRow::Unknown);
}

TEST(Touches, MalformedInput) {
  TempDir D;
  EXPECT_NE(said(readTouches(D.write("a", "x"))).find("record --pages"),
            std::string::npos);
  struct {
    const char *Pointer, *Value, *Says;
  } Cases[] = {
      {"/mechanism", "\"guess\"", "mechanism"},
      {"/page_bytes", "0", "page_bytes"},
      {"/overhead_limit", "-1", "overhead_limit"},
      {"/processes/0/rank", "-1", "rank"},
      {"/processes/0/notes", "[]", "notes"},
      {"/processes/0/notes/not-split", "-1", "notes.not-split"},
      {"/objects/0/kind", "\"x\"", "objects[0].kind"},
      {"/objects/0/process", "2", "objects[0].process"},
      {"/objects/0/stack/0", "1", "objects[0].stack"},
      {"/objects/0/address", "18446744073709551615", "address space"},
      {"/passes/0/process", "2", "passes[0].process"},
      {"/passes/1/time_ns", "99", "order of processes and times"},
      {"/passes/2/process", "0", "order of processes and times"},
      {"/rows/0", "[0,0,0,16,16,5]", "rows[0]"},
      {"/rows/0", "[0,0,0,16,16,5,null,9]", "accepted"},
      {"/rows/0", "[0,0,0,16,16,5,null,null]", "rows[0]"},
      {"/rows/0", "[0,0,0,16,16,5,null,9,9]", "rows[0]"},
      {"/rows/0/3", "0", "outside its object"},
      {"/rows/0/2", "400", "outside its object"},
      {"/rows/0/4", "null", "rows[0]"},
      {"/rows/0/5", "17", "more pages than its chunk"},
      {"/rows/0/4", "17", "more pages than its chunk"},
      {"/rows/0/1", "2", "an object that does not exist"},
      {"/rows/0/1", "1", "an object of another process"},
      {"/rows/3/0", "3", "a pass that does not exist"},
      {"/rows/2/0", "0", "accepted"},
      {"/rows/1/0", "1", "accepted"},
      {"/rows/0/0", "1", "out of order"},
  };
  for (const auto &C : Cases) {
    json J = json::parse(touchesToJson(sample()));
    J[json::json_pointer(C.Pointer)] = json::parse(C.Value);
    const std::string Said = said(readTouches(D.write("a", J.dump())));
    EXPECT_NE(Said.find(C.Says), std::string::npos)
        << C.Pointer << " " << C.Value << ": " << Said;
    EXPECT_EQ(Said.find('\n'), std::string::npos);
  }
}

TEST(RawTouches, WhatAStreamSays) {
  TempDir D;
  Expected<RawTouches> R = readRawTouches(D.write("s", stream()));
  ASSERT_TRUE(static_cast<bool>(R)) << R.message();
  EXPECT_EQ(R->Modules.at(0).Path, "/a/b");
  EXPECT_EQ(R->Modules.at(0).Bias, 64u);
  EXPECT_EQ(R->Objects.at(7).bytes, 131072u); // it has grown
  ASSERT_EQ(R->Passes.size(), 2u);
  EXPECT_EQ(R->Passes[1].Rows[0].touched, 2u);
  EXPECT_EQ(R->Passes[0].Rows[0].samples, 9u);
  EXPECT_EQ(R->Notes.not_named, 1u);
  EXPECT_EQ(R->Notes.samples_lost, 3u);
  ASSERT_TRUE(R->End.has_value());
  EXPECT_EQ(R->End->program_ns, 25u);
}

TEST(RawTouches, AStreamThatIsCutOffKeepsWholeItems) {
  TempDir D;
  const std::string All = stream();
  size_t Last = 0;
  for (size_t Cut = 0; Cut <= All.size(); ++Cut) {
    Expected<RawTouches> R = readRawTouches(D.write("s", All.substr(0, Cut)));
    if (Cut < sizeof(ek_touch_header)) {
      EXPECT_NE(said(R).find("truncated"), std::string::npos);
      continue;
    }
    ASSERT_TRUE(static_cast<bool>(R)) << Cut << ": " << R.message();
    EXPECT_GE(R->Passes.size(), Last);
    Last = R->Passes.size();
  }
  EXPECT_EQ(Last, 2u);
}

TEST(RawTouches, MovesAndPlaces) {
  TempDir D;
  Expected<RawTouches> R = readRawTouches(D.write(
      "s", stream() + moves(5, 9, 8) + moves(6, 19, 8) + placed(7, 8192, 4096) +
               placed(7, 4096, 4096) + placed(8, 1, 1)));
  ASSERT_TRUE(static_cast<bool>(R)) << said(R);
  ASSERT_EQ(R->Moves.size(), 2u);
  EXPECT_EQ(R->Moves[1].touched, 19u);
  ASSERT_EQ(R->Placed.size(), 1u); // object 8 is a parent's
  EXPECT_EQ(R->Placed.at(7).bytes, 12288u);
  EXPECT_EQ(R->Placed.at(7).fast_bytes, 8192u);
  EXPECT_EQ(R->Placed.at(7).up_bytes, 6u);
}

TEST(RawTouches, DamageIsOneLine) {
  TempDir D;
  const std::string Good = header() + object(7, 65536);
  std::string OtherMagic = stream(), NoPage = stream(), NoWay = stream();
  OtherMagic[0] = 'X';
  NoPage[offsetof(ek_touch_header, page_bytes)] = 0;
  NoPage[offsetof(ek_touch_header, page_bytes) + 1] = 0;
  NoWay[offsetof(ek_touch_header, mechanism)] = 0;
  const ek_touch_row Row = {7, 0, 16, 16, 3, 0, 0, 0};
  auto With = [&](auto Change) {
    ek_touch_row X = Row;
    Change(X);
    return Good + pass(5, {X});
  };
  const std::pair<std::string, const char *> Cases[] = {
      {OtherMagic, "not a recording"},
      {NoPage, "header"},
      {NoWay, "header"},
      {Good + pass(5, {Row}), "accepted"},
      {With([](auto &X) { X.object = 8; }), "kind 3"},
      {With([](auto &X) { X.pages = 0; }), "kind 3"},
      {With([](auto &X) { X.first = 100; }), "kind 3"},
      {With([](auto &X) { X.touched = 17; }), "kind 3"},
      {Good + pass(5, {}) + pass(4, {}), "kind 3"},
      {Good + item(EK_TOUCH_PASS, uint64_t(1)), "kind 3"},
      {Good + item(EK_TOUCH_MODULE, ek_touch_module{0, 0, 100}, "/a"),
       "kind 1"},
      {Good + item(EK_TOUCH_NOTES, uint64_t(1)), "kind 4"},
      {Good + item(EK_TOUCH_END, uint64_t(1)), "kind 5"},
      {Good + item(EK_TOUCH_MOVES, uint64_t(1)), "kind 6"},
      {Good + moves(5, 9, 10), "kind 6"},
      {Good + moves(5, 9, 8) + moves(4, 9, 8), "kind 6"},
      {Good + moves(5, 9, 8) + moves(6, 8, 8), "kind 6"},
      {Good + moves(5, 9, 8) + moves(6, 9, 8), "accepted"},
      {Good + item(EK_TOUCH_PLACED, uint64_t(1)), "kind 7"},
      {Good + placed(7, 4096, 8192), "kind 7"},
      {Good + placed(7, 8192, 4096), "accepted"},
      {Good + placed(8, 8192, 4096), "accepted"},
  };
  for (const auto &[Bytes, Says] : Cases) {
    const std::string Said = said(readRawTouches(D.write("s", Bytes)));
    EXPECT_NE(Said.find(Says), std::string::npos) << Said;
    EXPECT_EQ(Said.find('\n'), std::string::npos);
  }
}
