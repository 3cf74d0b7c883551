//===- Process.cpp - running other programs -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Captured output goes to unlinked temporary files rather than pipes, so no
// thread has to read it while other programs run.
//===----------------------------------------------------------------------===//
#include "Process.h"
#include "cli/common/Cli.h"
#include "cli/common/Ending.h"
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace evenkeel::cli {

using FilePtr = std::unique_ptr<FILE, int (*)(FILE *)>;

static std::string drain(FILE *F) {
  std::string Out;
  char Buffer[4096];
  std::rewind(F);
  while (size_t N = std::fread(Buffer, 1, sizeof Buffer, F))
    Out.append(Buffer, N);
  return Out;
}

/// The child's side: only calls that are safe after fork in a threaded process.
static void execute(const Job &J, char *const *Argv, char *const *Env) {
  unblockSignals();
  if (!J.Directory.empty() && chdir(J.Directory.c_str()) != 0)
    return;
  if (J.FixedLayout) {
    // Forbidden in some containers; records are canonical anyway.
    int Old = personality(0xffffffff);
    if (Old != -1)
      personality(Old | ADDR_NO_RANDOMIZE);
  }
  execvpe(J.Program.empty() ? Argv[0] : J.Program.c_str(), Argv, Env);
}

namespace {
/// argv and environment for exec, made before the fork.
struct ExecVectors {
  std::vector<std::string> Environment;
  std::vector<char *> Argv, Env;
  explicit ExecVectors(const Job &J) {
    for (const std::string &A : J.Argv)
      Argv.push_back(const_cast<char *>(A.c_str()));
    Argv.push_back(nullptr);
    for (char **E = environ; *E; ++E) {
      std::string Entry = *E;
      bool Replaced = false;
      for (const auto &[Name, Value] : J.Env)
        Replaced |= Entry.compare(0, Name.size() + 1, Name + "=") == 0;
      if (!Replaced)
        Environment.push_back(Entry);
    }
    for (const auto &[Name, Value] : J.Env)
      Environment.push_back(Name + "=" + Value);
    for (std::string &E : Environment)
      Env.push_back(E.data());
    Env.push_back(nullptr);
  }
};
} // namespace

JobResult runJob(const Job &J) {
  ExecVectors V(J);
  FilePtr Out(J.Quiet ? std::tmpfile() : nullptr, std::fclose);
  FilePtr Err(J.Quiet ? std::tmpfile() : nullptr, std::fclose);
  JobResult R;
  if (J.Quiet && (!Out || !Err))
    fail(std::string("cannot make a temporary file: ") + std::strerror(errno));
  FilePtr Both(J.OutputFile.empty() ? nullptr
                                    : std::fopen(J.OutputFile.c_str(), "w"),
               std::fclose);
  if (!J.OutputFile.empty() && !Both)
    fail("cannot write '" + J.OutputFile + "': " + std::strerror(errno));
  std::fflush(stdout);
  const pid_t Us = getpid();
  pid_t Pid = fork();
  if (Pid < 0)
    fail(std::string("cannot start a process: ") + std::strerror(errno));
  if (Pid == 0) {
    endsWithUs(Us);
    if (J.Quiet) {
      dup2(fileno(Out.get()), 1);
      dup2(fileno(Err.get()), 2);
    }
    if (J.StdoutToStderr)
      dup2(2, 1);
    if (Both) {
      if (!J.Quiet)
        dup2(fileno(Both.get()), 1);
      dup2(fileno(Both.get()), 2);
    }
    execute(J, V.Argv.data(), V.Env.data());
    _exit(127);
  }
  int Status = 0;
  struct rusage Used = {};
  while (wait4(Pid, &Status, 0, &Used) < 0 && errno == EINTR)
    ;
  waitWhileEnding();
  auto Seconds = [](const timeval &T) {
    return double(T.tv_sec) + 1e-6 * double(T.tv_usec);
  };
  R.CpuSeconds = Seconds(Used.ru_utime) + Seconds(Used.ru_stime);
  R.Status = WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
  if (J.Quiet) {
    R.Out = drain(Out.get());
    R.Err = drain(Err.get());
  }
  return R;
}

std::vector<JobResult>
runJobs(const std::vector<Job> &Jobs, unsigned Parallel,
        const std::string &What,
        const std::function<void(size_t, const JobResult &)> &OnDone) {
  std::vector<JobResult> Results(Jobs.size());
  std::atomic<size_t> Next{0};
  std::mutex Lock;
  size_t Done = 0;
  std::string Failed;
  Progress P(What);
  auto Work = [&] {
    for (size_t I; (I = Next++) < Jobs.size();) {
      try {
        Results[I] = runJob(Jobs[I]);
        std::lock_guard<std::mutex> Guard(Lock);
        if (!Failed.empty())
          return;
        if (OnDone)
          OnDone(I, Results[I]);
        P.step(++Done, Jobs.size());
      } catch (const Failure &F) {
        std::lock_guard<std::mutex> Guard(Lock);
        Failed = F.Line;
        return;
      }
    }
  };
  std::vector<std::thread> Threads;
  for (unsigned I = 1; I < Parallel && I < Jobs.size(); ++I)
    Threads.emplace_back(Work);
  Work();
  for (std::thread &T : Threads)
    T.join();
  if (!Failed.empty())
    fail(Failed);
  return Results;
}

void becomeJob(const Job &J) {
  ExecVectors V(J);
  std::fflush(stdout);
  execute(J, V.Argv.data(), V.Env.data());
  fail("cannot start '" + J.Argv[0] + "': " + std::strerror(errno));
}

std::string firstError(const std::string &Text) {
  std::string First;
  for (const std::string &Line : splitList(Text, '\n')) {
    if (First.empty())
      First = Line;
    if (Line.find("error:") != std::string::npos ||
        Line.find("LLVM ERROR") != std::string::npos)
      return Line;
  }
  return First;
}

} // namespace evenkeel::cli
