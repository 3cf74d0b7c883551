/*===- share.c - the account in shared memory ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one file in /dev/shm per launch, mode 0600, refused if it is anybody
 * else's or of another version; a slot per process, found again after its death
 * by number and start time. The sum of the slots is what is taken, so that
 * nothing has to be repaired when a process dies in the middle (robust mutex).
 * Nobody holds a lock for long, unless the machine is busy or somebody stopped
 * it: then the process goes on without the account, and takes no more.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ranks/share.h"
#include "core/options.h"
#include "core/say.h"
#include "objects/extent.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FOLDER "/dev/shm"
#define PREFIX "evenkeel."
enum { SLOTS = 1024 };
static const uint64_t magic = 0x656b2d7368617265; /* "ek-share" */
static const uint32_t version = 1;

typedef struct slot {
  uint64_t pid, start; /* 0: free */
  uint64_t used;
} slot;

typedef struct account {
  uint64_t magic;
  uint32_t version, ready;
  uint64_t capacity;
  uint64_t given; /* grows with everything given back, or found */
  pthread_mutex_t lock;
  slot slots[SLOTS];
} account;

static account *open_account;
static slot *mine;
static bool of_parent; /* nothing is ours (any more) */
static uint64_t seen;
static char path[512];

/* --- whose ------------------------------------------------------------------
 */

static unsigned number(const char *variable) {
  const char *text = secure_getenv(variable);
  return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static bool field_of(pid_t pid, const char *name, char *out, size_t size) {
  char file[64], line[256];
  snprintf(file, sizeof file, "/proc/%ld/status", (long)pid);
  FILE *f = fopen(file, "re");
  bool found = false;
  size_t length = strlen(name);
  while (f && !found && fgets(line, sizeof line, f))
    if (strncmp(line, name, length) == 0 && line[length] == ':') {
      char *value = line + length + 1 + strspn(line + length + 1, " \t");
      value[strcspn(value, "\n")] = 0;
      snprintf(out, size, "%s", value);
      found = true;
    }
  if (f)
    fclose(f);
  return found;
}

/* Of Slurm's list of tasks by node, "4(x2),3", those of node \p node; 0: not
 * said. */
static unsigned slurm_tasks(const char *list, unsigned node) {
  while (list && *list) {
    char *end;
    unsigned long tasks = strtoul(list, &end, 10), nodes = 1;
    if (end == list)
      return 0;
    if (end[0] == '(' && end[1] == 'x') {
      nodes = strtoul(end + 2, &end, 10);
      end += *end == ')';
    }
    if (node < nodes)
      return (unsigned)tasks;
    node -= (unsigned)nodes;
    if (*end != ',')
      return 0;
    list = end + 1;
  }
  return 0;
}

/* What MPI itself said, where no launcher did. */
static struct {
  char name[64];
  unsigned ranks;
} told;

void ek_share_tell(const char *name, unsigned ranks) {
  snprintf(told.name, sizeof told.name, "%s", name);
  told.ranks = ranks;
}

/* Ranks of the launch on this node, by what launchers tell each rank: Open MPI;
 * MPICH's and Intel's; MVAPICH; PALS; Slurm's own. SLURM_NTASKS would be those
 * of all nodes. */
static unsigned local_ranks(void) {
  static const char *const sizes[] = {
      "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
      "MV2_COMM_WORLD_LOCAL_SIZE", "PALS_LOCAL_SIZE", "PMI_LOCAL_SIZE"};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    unsigned ranks = number(sizes[i]);
    if (ranks)
      return ranks;
  }
  const char *tasks = secure_getenv("SLURM_STEP_TASKS_PER_NODE");
  if (!tasks)
    tasks = secure_getenv("SLURM_TASKS_PER_NODE");
  return slurm_tasks(tasks, number("SLURM_NODEID"));
}

/* The process on this node that started all ranks here: MPICH's proxy, which a
 * shell may stand in between of; else the parent. */
static pid_t launcher(void) {
  char text[64];
  pid_t pid = getppid();
  for (int depth = 0; depth < 8 && pid > 1; ++depth) {
    if (!field_of(pid, "Name", text, sizeof text))
      break;
    if (strncmp(text, "hydra_pmi_proxy", 15) == 0 ||
        strncmp(text, "pmi_proxy", 9) == 0)
      return pid;
    if (!field_of(pid, "PPid", text, sizeof text))
      break;
    pid = (pid_t)strtol(text, NULL, 10);
  }
  return getppid();
}

bool ek_share_unknown(void) {
  return strcmp(ek_opt.share, "auto") == 0 && !told.ranks && !local_ranks();
}

const char *ek_share_name(char *out, size_t size, unsigned *ranks) {
  out[0] = 0;
  *ranks = 0;
  if (strcmp(ek_opt.share, "off") == 0)
    return out;
  if (strcmp(ek_opt.share, "auto") != 0) {
    snprintf(out, size, "%s", ek_opt.share);
  } else if (told.ranks) {
    *ranks = told.ranks;
    snprintf(out, size, "%s", told.name);
  } else {
    *ranks = local_ranks();
    if (*ranks < 2)
      return out;
    const char *job = secure_getenv("PMIX_NAMESPACE");
    const char *step = secure_getenv("SLURM_STEP_ID");
    if (job)
      snprintf(out, size, "pmix-%s", job);
    else if (step && secure_getenv("SLURM_JOB_ID"))
      snprintf(out, size, "slurm-%s.%s", secure_getenv("SLURM_JOB_ID"), step);
    else
      snprintf(out, size, "parent-%ld", (long)launcher());
  }
  for (char *c = out; *c; ++c)
    if (*c == '/' || *c < ' ')
      *c = '_';
  return out;
}

uint64_t ek_process_start(uint64_t pid) {
  char file[64], line[1024];
  snprintf(file, sizeof file, "/proc/%llu/stat", (unsigned long long)pid);
  FILE *f = fopen(file, "re");
  if (!f)
    return 0;
  size_t n = fread(line, 1, sizeof line - 1, f);
  fclose(f);
  line[n] = 0;
  char *p = strrchr(line, ')'); /* field 2, which may hold anything */
  for (unsigned field = 2; p && field < 22; ++field)
    p = strchr(p + 1, ' ');
  return p ? strtoull(p, NULL, 10) : 0;
}

bool ek_process_lives(uint64_t pid, uint64_t since) {
  char state[16];
  if (kill((pid_t)pid, 0) != 0 && errno == ESRCH)
    return false;
  if (field_of((pid_t)pid, "State", state, sizeof state) &&
      (state[0] == 'Z' || state[0] == 'X'))
    return false; /* its parent has not looked yet */
  uint64_t start = ek_process_start(pid);
  return !start || start == since;
}

/* --- the account
 * --------------------------------------------------------------
 */

enum { PATIENCE_MS = 1500 };

static const char *refused = ""; /* why a file cannot be had */

/* One wait that was in vain is enough for a process. */
static bool impatient;

static void gave_up(const char *file) {
  if (!__atomic_exchange_n(&impatient, true, __ATOMIC_RELAXED))
    ek_say("evenkeel: %s: locked by a process that does not go on; end it, or "
           "set EVENKEEL_SHARE; this one goes on without the file\n",
           file);
}

static struct timespec in_ms(clockid_t clock, long ms) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_sec += ms / 1000;
  t.tv_nsec += ms % 1000 * 1000000;
  if (t.tv_nsec >= 1000000000) {
    ++t.tv_sec;
    t.tv_nsec -= 1000000000;
  }
  return t;
}

/* False: not ours to have. */
static bool try_lock(account *a) {
  int rc = pthread_mutex_trylock(&a->lock);
  if (rc == EOWNERDEAD)
    rc = pthread_mutex_consistent(&a->lock);
  return rc == 0;
}

static bool lock(account *a) {
  if (try_lock(a))
    return true;
  if (__atomic_load_n(&impatient, __ATOMIC_RELAXED))
    return false;
  struct timespec end = in_ms(CLOCK_REALTIME, PATIENCE_MS);
  int rc = pthread_mutex_timedlock(&a->lock, &end);
  if (rc == EOWNERDEAD)
    rc = pthread_mutex_consistent(&a->lock);
  if (rc == 0)
    return true;
  gave_up(path);
  return false;
}

static void unlock(account *a) { pthread_mutex_unlock(&a->lock); }

/* What could not be written down, as the lock was held. */
static int64_t owed;

static void note(int64_t bytes) {
  int64_t all = bytes + __atomic_exchange_n(&owed, 0, __ATOMIC_RELAXED);
  uint64_t less = all < 0 ? (uint64_t)-all : 0;
  mine->used += all > 0 ? (uint64_t)all : 0;
  mine->used -= less < mine->used ? less : mine->used;
}

static void note_later(int64_t bytes) {
  __atomic_fetch_add(&owed, bytes, __ATOMIC_RELAXED);
}

static uint64_t taken(const account *a) {
  uint64_t sum = 0;
  for (size_t i = 0; i < SLOTS; ++i)
    sum += a->slots[i].pid ? a->slots[i].used : 0;
  return sum;
}

/* Slots of the dead; returns how many live. */
static size_t reap(account *a) {
  size_t alive = 0;
  for (size_t i = 0; i < SLOTS; ++i) {
    slot *s = &a->slots[i];
    if (!s->pid)
      continue;
    if (ek_process_lives(s->pid, s->start)) {
      ++alive;
      continue;
    }
    __atomic_fetch_add(&a->given, s->used, __ATOMIC_RELAXED);
    memset(s, 0, sizeof *s);
  }
  return alive;
}

static bool is_ours(int fd) {
  struct stat st;
  return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
         !(st.st_mode & 077);
}

static bool is_before(struct timespec a, struct timespec b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

static bool lock_file(int fd, const char *file, bool wait) {
  const struct timespec end = in_ms(CLOCK_MONOTONIC, PATIENCE_MS);
  while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return false;
    if (!wait || __atomic_load_n(&impatient, __ATOMIC_RELAXED))
      return false;
    if (is_before(end, in_ms(CLOCK_MONOTONIC, 0))) {
      gave_up(file);
      return false;
    }
    usleep(1000);
  }
  return true;
}

/* A mapping keeps the file open, and with it the lock: close() alone does not
 * end it. */
static void let_go(int fd) {
  flock(fd, LOCK_UN);
  close(fd);
}

static int open_locked(const char *file, bool create, bool wait) {
  for (;;) {
    int fd = open(
        file, O_RDWR | O_NOFOLLOW | O_CLOEXEC | (create ? O_CREAT : 0), 0600);
    struct stat st;
    if (fd < 0) {
      refused = strerror(errno);
      return -1;
    }
    if (!is_ours(fd) || !lock_file(fd, file, wait) || fstat(fd, &st) != 0) {
      refused = "it is no private file of this user, or locked";
      close(fd);
      return -1;
    }
    if (st.st_nlink)
      return fd;
    close(fd); /* removed meanwhile */
    if (!create)
      return -1;
  }
}

int ek_share_file(const char *file, bool create) {
  return open_locked(file, create, true);
}

bool ek_share_room(int fd, size_t bytes) {
  /* A hole would be a SIGBUS where the memory file system is full. */
  int error = posix_fallocate(fd, 0, (off_t)bytes);
  if (error)
    refused = strerror(error);
  return error == 0;
}

/* The file, locked (flock) against others who open or remove it; *fd -1 if it
 * cannot be had. */
static account *attach(const char *file, bool create, int *fd) {
  struct stat st;
  *fd = ek_share_file(file, create);
  if (*fd < 0)
    return NULL;
  refused = "it is of another version";
  bool fits = fstat(*fd, &st) == 0 && st.st_size == (off_t)sizeof(account);
  if ((fits || (!st.st_size && create)) &&
      ek_share_room(*fd, sizeof(account))) {
    refused = "it cannot be mapped";
    account *a =
        mmap(NULL, sizeof *a, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (a != MAP_FAILED)
      return a;
  }
  let_go(*fd);
  *fd = -1;
  return NULL;
}

static bool make_lock(pthread_mutex_t *lock) {
  pthread_mutexattr_t attributes;
  if (pthread_mutexattr_init(&attributes) != 0)
    return false;
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  bool ok = pthread_mutex_init(lock, &attributes) == 0;
  pthread_mutexattr_destroy(&attributes);
  return ok;
}

static bool make(account *a, uint64_t capacity) {
  bool ok = make_lock(&a->lock);
  a->magic = magic;
  a->version = version;
  a->capacity = capacity;
  a->ready = ok;
  return ok;
}

/* A lock of another kind would be trusted with more than it may be. */
static bool is_our_kind(const pthread_mutex_t *lock) {
#ifdef __GLIBC__
  pthread_mutex_t ours;
  return make_lock(&ours) && lock->__data.__kind == ours.__data.__kind;
#else
  (void)lock;
  return true;
#endif
}

static bool usable(const account *a) {
  return a->magic == magic && a->version == version && a->ready &&
         is_our_kind(&a->lock);
}

void ek_share_sweep(const char *prefix,
                    bool (*dead)(int fd, size_t size, const char *rest)) {
  char own[64];
  int length = snprintf(own, sizeof own, "%s.%u.", prefix, (unsigned)geteuid());
  DIR *d = opendir(FOLDER);
  if (!d)
    return;
  for (struct dirent *e; (e = readdir(d));) {
    if (strncmp(e->d_name, own, (size_t)length) != 0)
      continue;
    char file[512];
    struct stat st;
    snprintf(file, sizeof file, FOLDER "/%s", e->d_name);
    int fd = open_locked(file, false, false);
    if (fd < 0)
      continue;
    if (fstat(fd, &st) == 0 && dead(fd, (size_t)st.st_size, e->d_name + length))
      unlink(file);
    let_go(fd);
  }
  closedir(d);
}

/* The account of a launch that died as a whole. */
static bool is_dead(int fd, size_t size, const char *rest) {
  (void)rest;
  account *a = size == sizeof *a ? mmap(NULL, sizeof *a, PROT_READ | PROT_WRITE,
                                        MAP_SHARED, fd, 0)
                                 : MAP_FAILED;
  bool dead = false;
  if (a == MAP_FAILED)
    return false;
  if (usable(a) && try_lock(a)) {
    dead = reap(a) == 0;
    unlock(a);
  }
  munmap(a, sizeof *a);
  return dead;
}

static uint64_t without(const char *why) {
  if (!__atomic_load_n(&impatient, __ATOMIC_RELAXED)) /* else it was said */
    ek_say("evenkeel: %s: %s; each rank takes its part of the fast tier\n",
           path, why);
  return 0;
}

uint64_t ek_share_open(const char *name, uint64_t capacity) {
  int fd;
  ek_share_sweep("evenkeel", is_dead);
  snprintf(path, sizeof path, FOLDER "/" PREFIX "%u.%s", (unsigned)geteuid(),
           name);
  account *a = attach(path, true, &fd);
  if (!a)
    return without(refused);
  bool is_new = a->magic == 0;
  bool ok = is_new ? make(a, capacity) : usable(a);
  ok = ok && lock(a);
  if (ok) {
    reap(a);
    for (size_t i = 0; i < SLOTS && !mine; ++i)
      if (!a->slots[i].pid)
        mine = &a->slots[i];
    if (mine)
      *mine =
          (slot){(uint64_t)getpid(), ek_process_start((uint64_t)getpid()), 0};
    unlock(a);
  }
  let_go(fd);
  if (!ok || !mine) {
    munmap(a, sizeof *a);
    return without("its lock or a place in it cannot be had, or it is of "
                   "another version");
  }
  open_account = a;
  return a->capacity;
}

bool ek_share_is_open(void) { return open_account != NULL; }

void ek_share_close(void) {
  if (!open_account || of_parent)
    return;
  int fd;
  account *a = open_account, *again = attach(path, false, &fd);
  of_parent = true; /* other threads may still run: they get nothing more */
  bool last = false;
  if (lock(a)) { /* else the next to look finds that we are dead */
    __atomic_fetch_add(&a->given, mine->used, __ATOMIC_RELAXED);
    memset(mine, 0, sizeof *mine);
    last = reap(a) == 0;
    unlock(a);
  }
  if (again) {
    if (last)
      unlink(path);
    munmap(again, sizeof *again);
    let_go(fd);
  }
}

size_t ek_share_take(size_t bytes) {
  account *a = open_account;
  if (!a || !bytes)
    return bytes;
  if (of_parent || !lock(a))
    return 0;
  note(0);
  uint64_t now = taken(a);
  if (now + bytes > a->capacity) {
    reap(a);
    now = taken(a);
  }
  uint64_t left = a->capacity > now ? a->capacity - now : 0;
  left &= ~(uint64_t)(EK_PAGE_BYTES - 1);
  if (bytes > left)
    bytes = (size_t)left;
  mine->used += bytes;
  unlock(a);
  return bytes;
}

void ek_share_take_anyway(size_t bytes) {
  account *a = open_account;
  if (!a || of_parent || !bytes)
    return;
  if (!lock(a)) {
    note_later((int64_t)bytes);
    return;
  }
  note((int64_t)bytes);
  unlock(a);
}

void ek_share_give(size_t bytes) {
  account *a = open_account;
  if (!a || of_parent || !bytes)
    return;
  if (!lock(a)) {
    note_later(-(int64_t)bytes);
    return;
  }
  note(-(int64_t)bytes);
  __atomic_fetch_add(&a->given, bytes, __ATOMIC_RELAXED);
  __atomic_fetch_add(&seen, bytes, __ATOMIC_RELAXED); /* no news to us */
  unlock(a);
}

bool ek_share_news(void) {
  if (!open_account)
    return false;
  uint64_t given = __atomic_load_n(&open_account->given, __ATOMIC_RELAXED);
  return __atomic_exchange_n(&seen, given, __ATOMIC_RELAXED) != given;
}

void *ek_share_lock_for_tests(void) { return &open_account->lock; }

void ek_share_forked(void) { of_parent = open_account != NULL; }
