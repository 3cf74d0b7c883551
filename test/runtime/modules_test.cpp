//===- modules_test.cpp - what mappings belong to -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: many modules, and many mappings without a block; and a library that
// another thread unloads while it is looked up.
//===----------------------------------------------------------------------===//
extern "C" {
#include "touches/base/arena.h"
#include "touches/blocks.h"
#include "touches/rows.h"
#include "touches/stream.h"
}
#include "touches/modules.h"

#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <string>
#include <thread>

class Modules : public testing::Test {
protected:
  static void SetUpTestSuite() {
    ASSERT_TRUE(ek_arena_start());
    ASSERT_TRUE(ek_blocks_start(65536, "/bin/test"));
    ASSERT_TRUE(ek_stream_start() && ek_rows_start());
  }
};

TEST_F(Modules, AreGoneBetweenTwoSteps) {
  void *Loaded = dlopen(EK_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(Loaded) << dlerror();
  const auto Data =
      reinterpret_cast<uintptr_t>(dlsym(Loaded, "ek_plugin_data"));
  dl_find_object At;
  ASSERT_EQ(_dl_find_object(reinterpret_cast<void *>(Data), &At), 0);
  ek_blocks_lock();
  const uint32_t I = ek_modules_found(Data, At.dlfo_link_map);
  ASSERT_NE(I, EK_TOUCH_UNKNOWN);
  EXPECT_STREQ(ek_modules_get(I)->path, EK_PLUGIN);
  ek_blocks_unlock();
  dlclose(Loaded);
  ek_blocks_lock();
  EXPECT_EQ(ek_modules_found(Data, At.dlfo_link_map), EK_TOUCH_UNKNOWN);
  // What described it is gone, too.
  EXPECT_EQ(ek_modules_found(Data, reinterpret_cast<link_map *>(4096)),
            EK_TOUCH_UNKNOWN);
  ek_blocks_unlock();
}

// A name that is read while its memory is freed would be anything.
TEST_F(Modules, MayGoWhileTheyAreRead) {
  void *First = dlopen(EK_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(First) << dlerror();
  const auto Data = reinterpret_cast<uintptr_t>(dlsym(First, "ek_plugin_data"));
  std::atomic<bool> Ends = false;
  std::thread Comes([&] {
    void *Now = First;
    for (int I = 0; I < 1000; ++I) {
      dlclose(Now);
      // What was freed gets other contents.
      for (size_t Bytes : {sizeof EK_PLUGIN, size_t(1200), size_t(64)})
        free(memset(malloc(Bytes), '?', Bytes));
      Now = dlopen(EK_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    }
    Ends = true;
  });
  uint64_t Found = 0;
  while (!Ends) {
    ek_blocks_lock();
    const uint32_t I = ek_modules_at(Data);
    ek_blocks_unlock();
    if (I != EK_TOUCH_UNKNOWN) {
      ++Found;
      ASSERT_STREQ(ek_modules_get(I)->path, EK_PLUGIN);
    }
  }
  Comes.join();
  EXPECT_GT(Found, 0u);
}

TEST_F(Modules, ACallersIsTheSame) {
  ek_blocks_lock();
  const auto Here = reinterpret_cast<uintptr_t>(&ek_modules_at);
  const uint32_t I = ek_modules_at(Here);
  EXPECT_EQ(ek_modules_calling(Here), I);
  EXPECT_STREQ(ek_modules_get(I)->path, "/bin/test"); // the loader has no name
  EXPECT_EQ(ek_modules_at(0x1000), EK_TOUCH_UNKNOWN);
  ek_blocks_unlock();
}

TEST_F(Modules, ThousandsHaveNames) {
  const auto Named = [](int I) {
    return ek_modules_named(("/lib/m" + std::to_string(I) + ".so").c_str());
  };
  ek_blocks_lock();
  for (int Round = 0; Round < 2; ++Round)
    for (int I = 0; I < 4000; ++I) {
      const uint32_t At = Named(I);
      ASSERT_NE(At, EK_TOUCH_UNKNOWN) << I;
      ASSERT_EQ(ek_modules_get(At)->path, "/lib/m" + std::to_string(I) + ".so");
    }
  EXPECT_EQ(ek_modules_left_out(), 0u);
  for (int I = 4000; I < 5000; ++I)
    Named(I);
  EXPECT_EQ(Named(5000), EK_TOUCH_UNKNOWN);
  ek_blocks_unlock();
  EXPECT_GT(ek_modules_left_out(), 0u);
  EXPECT_EQ(ek_modules_get(1u << 31), nullptr);
}

TEST_F(Modules, ThousandsOfMappingsHaveRows) {
  constexpr uint32_t Count = 10000;
  for (uint32_t Pass = 0; Pass < 2; ++Pass) {
    ek_rows_begin(nullptr, 0, 1, 0, 4096);
    for (uint32_t I = 0; I < Count; ++I) {
      ek_mapping M = {};
      M.from = (uintptr_t(1) << 30) + I * 8192ul; // none touches the next
      M.to = M.from + 4096;
      M.writable = true;
      M.resident = 4096;
      const ek_watch_seen Seen = {1, EK_TOUCH_UNKNOWN, 0};
      ek_rows_add(&M, &Seen);
    }
    uint32_t Rows = 0;
    ek_rows_all(&Rows);
    EXPECT_EQ(Rows, Count);
    EXPECT_EQ(ek_rows_left_out, 0u);
  }
}
