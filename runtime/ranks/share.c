/*===- share.c - the account in shared memory ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one file in /dev/shm per launch, with mode 0600; a file of another
 * user or version is refused. Each process has a slot; a dead process is
 * recognized by its number and start time. The total is the sum of the slots,
 * so nothing needs repair when a process dies at any point (robust mutex). A
 * lock is held only briefly unless the machine is overloaded or its holder was
 * stopped; then this process continues without the account and takes no more.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ranks/share.h"
#include "core/options.h"
#include "core/say.h"
#include "core/tuning.h"
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
  uint64_t given; /* total of bytes given back or reclaimed */
  pthread_mutex_t lock;
  slot slots[SLOTS];
} account;

static account *open_account;
static slot *mine;
static bool of_parent; /* we are a forked child, or have closed the account */
static uint64_t seen;
static char path[512];

/* --- finding the launch -----------------------------------------------------
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

/* The tasks of node \p node in Slurm's list of tasks by node, "4(x2),3"; 0: not
 * in the list. */
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

/* Set by MPI if no launcher says. */
static struct {
  char name[64];
  unsigned ranks;
} told;

void ek_share_tell(const char *name, unsigned ranks) {
  snprintf(told.name, sizeof told.name, "%s", name);
  told.ranks = ranks;
}

/* The launch's ranks on this node, as launchers tell each rank: Open MPI; MPICH
 * and Intel MPI; MVAPICH; PALS; Slurm. SLURM_NTASKS counts all nodes. */
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

/* The process that started all ranks on this node: MPICH's proxy, of which a
 * shell may be the child, or else the parent. */
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
  char *p = strrchr(line, ')'); /* end of field 2, which may contain anything */
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
    return false; /* a zombie: its parent has not waited for it */
  uint64_t start = ek_process_start(pid);
  return !start || start == since;
}

/* --- the account -------------------------------------------------------------
 */

static const char *refused = ""; /* why a file cannot be used */

/* This process has waited in vain once, and will not wait again. */
static bool impatient;

static void gave_up(const char *file) {
  if (!__atomic_exchange_n(&impatient, true, __ATOMIC_RELAXED))
    ek_say("evenkeel: %s: locked by a process that is stuck; end it, or set "
           "EVENKEEL_SHARE; continuing without the file\n",
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

/* Returns false if the lock is held by another process, or broken. */
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
  struct timespec end = in_ms(CLOCK_REALTIME, EK_ACCOUNT_PATIENCE_MS);
  int rc = pthread_mutex_timedlock(&a->lock, &end);
  if (rc == EOWNERDEAD)
    rc = pthread_mutex_consistent(&a->lock);
  if (rc == 0)
    return true;
  gave_up(path);
  return false;
}

static void unlock(account *a) { pthread_mutex_unlock(&a->lock); }

/* Bytes still to be entered, because the lock could not be had. */
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

/* Frees the slots of dead processes; returns the number of live ones. */
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
  const struct timespec end = in_ms(CLOCK_MONOTONIC, EK_ACCOUNT_PATIENCE_MS);
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

/* Unlocks explicitly: a mapping keeps the file open after close(), and with it
 * the lock. */
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
      refused = "it is not a private file of this user, or it is locked";
      close(fd);
      return -1;
    }
    if (st.st_nlink)
      return fd;
    close(fd); /* it was removed after we opened it */
    if (!create)
      return -1;
  }
}

int ek_share_file(const char *file, bool create) {
  return open_locked(file, create, true);
}

bool ek_share_room(int fd, size_t bytes) {
  /* In a full file system, touching a hole would raise SIGBUS. */
  int error = posix_fallocate(fd, 0, (off_t)bytes);
  if (error)
    refused = strerror(error);
  return error == 0;
}

/* Maps the file, locked (flock) against others that open or remove it. Sets *fd
 * to -1 and returns NULL on failure. */
static account *attach(const char *file, bool create, int *fd) {
  struct stat st;
  *fd = ek_share_file(file, create);
  if (*fd < 0)
    return NULL;
  refused = "it has another version";
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

/* Whether the lock is robust and shared, as ours: another kind must not be
 * relied on. */
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

/* Whether all processes of the account are dead. */
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

static uint64_t no_account(const char *why) {
  if (!__atomic_load_n(&impatient, __ATOMIC_RELAXED)) /* else already said */
    ek_say("evenkeel: %s: %s; each rank uses a fixed share of the fast tier\n",
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
    return no_account(refused);
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
    return no_account("it has another version, is locked, or is full");
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
  of_parent = true; /* threads that still run get no more */
  bool last = false;
  if (lock(a)) { /* if not, others will find that we are dead */
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
  __atomic_fetch_add(&seen, bytes, __ATOMIC_RELAXED); /* not news to us */
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
