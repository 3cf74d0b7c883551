//===- share_test.cpp - ranks and their common account ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rank is a child process that opens the account itself, as ranks do.
//===----------------------------------------------------------------------===//
#include "core/options.h"
#include "ranks/share.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr size_t MiB = 1 << 20;

std::string file(const std::string &Name) {
  return "/dev/shm/evenkeel." + std::to_string(geteuid()) + "." + Name;
}

struct Rank {
  int In[2], Out[2];
  pid_t Pid;
  explicit Rank(const std::function<int(Rank &)> &Run) {
    EXPECT_EQ(pipe(In) + pipe(Out), 0);
    Pid = fork();
    if (Pid == 0)
      _exit(Run(*this));
  }
  ~Rank() {
    for (int Fd : {In[0], In[1], Out[0], Out[1]})
      close(Fd);
  }
  void say(char C) { EXPECT_EQ(write(Out[1], &C, 1), 1); }
  char wait() { // in the child
    char C = 0;
    return read(In[0], &C, 1) == 1 ? C : 0;
  }
  void go() { EXPECT_EQ(write(In[1], "g", 1), 1); }
  char heard() {
    char C = 0;
    return read(Out[0], &C, 1) == 1 ? C : 0;
  }
  int end() {
    int Status = -1;
    waitpid(Pid, &Status, 0);
    return Status;
  }
};

class Share : public testing::Test {
protected:
  std::string Name = "test-" + std::to_string(getpid());
  void TearDown() override { unlink(file(Name).c_str()); }
  Rank holder(size_t Bytes, bool Close = true) {
    return Rank([=](Rank &R) {
      if (ek_share_open(Name.c_str(), 16 * MiB) != 16 * MiB)
        return 1;
      size_t Got = ek_share_take(Bytes);
      R.say(static_cast<char>(Got / MiB));
      R.wait();
      if (Close)
        ek_share_close();
      return 0;
    });
  }
};

TEST_F(Share, NothingIsGivenTwice) {
  Rank A = holder(12 * MiB);
  ASSERT_EQ(A.heard(), 12);
  struct stat St;
  ASSERT_EQ(stat(file(Name).c_str(), &St), 0);
  EXPECT_EQ(St.st_mode & 0777, 0600u);
  Rank B([&](Rank &R) {
    if (ek_share_open(Name.c_str(), 99 * MiB) != 16 * MiB) // the first's
      return 1;
    if (ek_share_take(12 * MiB) != 4 * MiB || ek_share_take(MiB) != 0)
      return 2;
    ek_share_news();
    if (ek_share_news())
      return 3;
    R.say('x');
    R.wait();
    if (!ek_share_news() || ek_share_take(20 * MiB) != 12 * MiB)
      return 4;
    ek_share_give(16 * MiB);
    if (ek_share_news()) // our own
      return 5;
    ek_share_close();
    return ek_share_take(MiB) == 0 ? 0 : 6;
  });
  EXPECT_EQ(B.heard(), 'x');
  A.go();
  EXPECT_EQ(A.end(), 0);
  B.go();
  EXPECT_EQ(WEXITSTATUS(B.end()), 0);
  EXPECT_NE(stat(file(Name).c_str(), &St), 0); // the last one removes it
}

TEST_F(Share, WhatTheDeadHeldIsFound) {
  Rank A = holder(16 * MiB);
  ASSERT_EQ(A.heard(), 16);
  Rank B([&](Rank &R) {
    if (!ek_share_open(Name.c_str(), 1) || ek_share_take(MiB) != 0)
      return 1;
    R.say('x');
    R.wait();
    return ek_share_take(9 * MiB) == 9 * MiB ? 0 : 2; // and dies with them
  });
  EXPECT_EQ(B.heard(), 'x');
  kill(A.Pid, SIGKILL);
  A.end();
  B.go();
  EXPECT_EQ(WEXITSTATUS(B.end()), 0);
  // It was not removed: the user's next launch removes it.
  struct stat St;
  ASSERT_EQ(stat(file(Name).c_str(), &St), 0);
  std::string Other = Name + "-next";
  Rank C([&](Rank &) {
    bool Ok = ek_share_open(Other.c_str(), MiB) == MiB;
    ek_share_close();
    return Ok ? 0 : 1;
  });
  EXPECT_EQ(WEXITSTATUS(C.end()), 0);
  EXPECT_NE(stat(file(Name).c_str(), &St), 0);
}

// Ranks that are killed again and again while they take and return memory: the
// account stays usable, and at the end has all memory.
TEST_F(Share, KilledInTheMiddle) {
  for (int I = 0; I < 30; ++I) {
    Rank A([&](Rank &R) {
      if (!ek_share_open(Name.c_str(), 16 * MiB))
        return 1;
      R.say('x');
      for (;;)
        ek_share_give(ek_share_take(4096));
    });
    EXPECT_EQ(A.heard(), 'x');
    usleep(200u * static_cast<unsigned>(I % 5));
    kill(A.Pid, SIGKILL);
    A.end();
  }
  Rank B = holder(16 * MiB);
  EXPECT_EQ(B.heard(), 16);
  B.go();
  EXPECT_EQ(B.end(), 0);
}

/// The seconds that a function takes.
double seconds(const std::function<void()> &Run) {
  timespec From, To;
  clock_gettime(CLOCK_MONOTONIC, &From);
  Run();
  clock_gettime(CLOCK_MONOTONIC, &To);
  return static_cast<double>(To.tv_sec - From.tv_sec) +
         static_cast<double>(To.tv_nsec - From.tv_nsec) * 1e-9;
}

// One rank holds the account's lock and never releases it: the others wait
// once, take no more, and enter later what they returned meanwhile.
TEST_F(Share, AHeldLockIsNotWaitedForLong) {
  Rank Holder([&](Rank &R) {
    if (!ek_share_open(Name.c_str(), 4 * MiB))
      return 1;
    R.say('o');
    R.wait();
    auto *Lock = static_cast<pthread_mutex_t *>(ek_share_lock_for_tests());
    if (pthread_mutex_lock(Lock) != 0)
      return 2;
    R.say('l');
    R.wait();
    pthread_mutex_unlock(Lock);
    R.say('u');
    R.wait();
    return ek_share_take(4 * MiB) == 4 * MiB ? 0 : 3;
  });
  ASSERT_EQ(Holder.heard(), 'o');
  Rank Other([&](Rank &R) {
    if (!ek_share_open(Name.c_str(), 4 * MiB) || ek_share_take(MiB) != MiB)
      return 1;
    R.say('t');
    R.wait();
    double Took = seconds([&] {
      if (ek_share_take(MiB) != 0)
        _exit(2);
      ek_share_give(MiB);
      for (int I = 0; I < 100; ++I)
        if (ek_share_take(MiB) != 0)
          _exit(3);
    });
    if (Took > 2.5)
      return 4;
    R.say('w');
    R.wait();
    if (ek_share_take(2 * MiB) != 2 * MiB)
      return 5;
    ek_share_give(2 * MiB);
    R.say('g');
    R.wait();
    return 0;
  });
  ASSERT_EQ(Other.heard(), 't');
  Holder.go();
  ASSERT_EQ(Holder.heard(), 'l');
  Other.go();
  ASSERT_EQ(Other.heard(), 'w');
  Holder.go();
  ASSERT_EQ(Holder.heard(), 'u');
  Other.go();
  ASSERT_EQ(Other.heard(), 'g');
  Holder.go();
  EXPECT_EQ(Holder.end(), 0);
  Other.go();
  EXPECT_EQ(Other.end(), 0);
}

// The same with the file's own lock, and with files of dead launches.
TEST_F(Share, ALockedFileIsNotWaitedForLong) {
  const std::string Dead = file("test-dead-" + std::to_string(getpid()));
  for (const std::string &F : {file(Name), Dead}) {
    int Fd = open(F.c_str(), O_CREAT | O_RDWR, 0600);
    ASSERT_GE(Fd, 0);
    ASSERT_EQ(flock(Fd, LOCK_EX), 0); // until this process ends
  }
  Rank Other([&](Rank &) {
    double Took = seconds([&] {
      if (ek_share_open(Name.c_str(), MiB) != 0)
        _exit(1);
      for (int I = 0; I < 5; ++I)
        if (ek_share_file(file(Name).c_str(), true) >= 0)
          _exit(2);
    });
    return Took < 2.5 ? 0 : 3;
  });
  EXPECT_EQ(Other.end(), 0);
  unlink(Dead.c_str());
}

// A lock of another kind is not taken, and a full file system causes no crash.
TEST_F(Share, OddAccountsAreRefused) {
  Rank Maker([&](Rank &) { return ek_share_open(Name.c_str(), MiB) ? 0 : 1; });
  EXPECT_EQ(Maker.end(), 0);
  int Fd = open(file(Name).c_str(), O_RDWR);
  ASSERT_GE(Fd, 0);
  struct stat S;
  ASSERT_EQ(fstat(Fd, &S), 0);
  std::vector<char> All(static_cast<size_t>(S.st_size));
  ASSERT_EQ(pread(Fd, All.data(), All.size(), 0), S.st_size);
  unsigned Refused = 0;
  for (size_t At = 32; At < 32 + sizeof(pthread_mutex_t); At += 4) {
    std::vector<char> Odd = All;
    Odd[At] ^= 0x20;
    ASSERT_EQ(pwrite(Fd, Odd.data(), Odd.size(), 0), S.st_size);
    Rank Other([&](Rank &) {
      ek_share_open(Name.c_str(), MiB);
      return ek_share_is_open() ? 0 : 7;
    });
    int Status = Other.end();
    EXPECT_TRUE(WIFEXITED(Status)) << At;
    Refused += WEXITSTATUS(Status) == 7;
  }
  EXPECT_GE(Refused, 1u);
  close(Fd);
}

TEST_F(Share, NoRoomIsNoCrash) {
  Rank Other([&](Rank &) {
    struct rlimit None = {4096, 4096};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &None);
    return ek_share_open(Name.c_str(), MiB) == 0 ? 0 : 1;
  });
  EXPECT_EQ(Other.end(), 0);
}

TEST_F(Share, OthersFilesAreRefused) {
  for (mode_t Mode : {0644u, 0600u}) { // readable by others; not an account
    int Fd = open(file(Name).c_str(), O_CREAT | O_RDWR, 0600);
    ASSERT_GE(Fd, 0);
    ASSERT_EQ(fchmod(Fd, Mode) + static_cast<int>(write(Fd, "hello", 5)), 5);
    close(Fd);
    EXPECT_EQ(ek_share_open(Name.c_str(), MiB), 0u);
    unlink(file(Name).c_str());
  }
  ASSERT_EQ(symlink("/etc/passwd", file(Name).c_str()), 0);
  EXPECT_EQ(ek_share_open(Name.c_str(), MiB), 0u);
  EXPECT_FALSE(ek_share_is_open());
  EXPECT_EQ(ek_share_take(MiB), MiB); // without an account
}

TEST_F(Share, NamesOfLaunchers) {
  char Out[64];
  unsigned Ranks;
  const char *Was = ek_opt.share;
  ek_opt.share = "auto";
  for (const char *V :
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS",
        "SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE", "SLURM_NODEID",
        "PMIX_NAMESPACE"})
    unsetenv(V);
  EXPECT_STREQ(ek_share_name(Out, sizeof Out, &Ranks), "");
  // A job's tasks are not all on this node.
  setenv("SLURM_NTASKS", "12", 1);
  EXPECT_STREQ(ek_share_name(Out, sizeof Out, &Ranks), "");
  setenv("SLURM_JOB_ID", "7", 1);
  setenv("SLURM_STEP_ID", "0", 1);
  struct {
    const char *List, *Node;
    unsigned Ranks;
  } Steps[] = {{"4(x2),3,1", "0", 4}, {"4(x2),3,1", "1", 4},
               {"4(x2),3,1", "2", 3}, {"4(x2),3,1", "3", 1},
               {"4(x2),3,1", "4", 0}, {"6", "0", 6},
               {"nonsense", "0", 0},  {"5(x", "0", 0}};
  for (const auto &S : Steps) {
    setenv("SLURM_TASKS_PER_NODE", S.List, 1);
    setenv("SLURM_NODEID", S.Node, 1);
    EXPECT_STREQ(ek_share_name(Out, sizeof Out, &Ranks),
                 S.Ranks > 1 ? "slurm-7.0" : "");
    EXPECT_EQ(Ranks, S.Ranks) << S.List << " on " << S.Node;
  }
  setenv("SLURM_STEP_TASKS_PER_NODE", "2", 1); // of the step, not the job
  setenv("SLURM_NODEID", "0", 1);
  EXPECT_STREQ(ek_share_name(Out, sizeof Out, &Ranks), "slurm-7.0");
  EXPECT_EQ(Ranks, 2u);
  for (const char *V : {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_NODEID",
                        "SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"})
    unsetenv(V);
  setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "1", 1);
  EXPECT_STREQ(ek_share_name(Out, sizeof Out, &Ranks), "");
  setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "4", 1);
  EXPECT_EQ(std::string(ek_share_name(Out, sizeof Out, &Ranks)),
            "parent-" + std::to_string(getppid()));
  EXPECT_EQ(Ranks, 4u);
  setenv("PMIX_NAMESPACE", "a/../b", 1);
  EXPECT_STREQ(ek_share_name(Out, sizeof Out, &Ranks), "pmix-a_.._b");
  ek_opt.share = "off";
  EXPECT_STREQ(ek_share_name(Out, sizeof Out, &Ranks), "");
  ek_opt.share = "job";
  EXPECT_STREQ(ek_share_name(Out, sizeof Out, &Ranks), "job");
  ek_opt.share = Was;
}

} // namespace
