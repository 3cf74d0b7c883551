/*===- record_abi.h - calls that the compiler pass inserts --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the entry points of libevenkeel-record that instrumented code calls.
 * Users never write these calls; passes/Record.cpp inserts them. All are
 * thread-safe, and none ends the program. In addition, instrumented code adds
 * its own cost to `__ek_rec_tls` at the head of each basic block, and values to
 * cells there.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RECORD_ABI_H
#define EVENKEEL_RUNTIME_RECORD_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The values of a symbol seen by a task; times 0: none yet. The last value has
 * been the same since the `since`-th time; these times are not in `sum` yet, so
 * that a repeated value costs only one addition. */
struct ek_rec_cell {
  uint64_t times;
  int64_t last, min, max;
  double sum;
  uint64_t since;
};

/* The head of the thread's state; costs are in issue slots, four per core
 * cycle. */
struct ek_rec_tls {
  uint64_t slots;
  uint64_t instructions;
  struct ek_rec_cell *cells; /* of the current task */
  /* Sampled units: the bits of a line number that decide whether it is
   * followed. 0: all lines are (Burst.h). */
  uint64_t follow;
};
#ifndef EK_REC_INSIDE /* the library has the full type */
extern __thread struct ek_rec_tls __ek_rec_tls
    __attribute__((tls_model("initial-exec")));
#endif

/* Bits of `info`. */
#define EK_REC_SIZE(info) ((uint32_t)(info)) /* bits 0-31 */
#define EK_REC_READ (1ull << 32)
#define EK_REC_WRITE (1ull << 33)
#define EK_REC_DEPENDENT (1ull << 34)
#define EK_REC_IN_ORDER (1ull << 35)  /* code that walks lines in order */
#define EK_REC_UNCOUNTED (1ull << 36) /* not an object's: only for races */
#define EK_REC_ATOMIC (1ull << 37)
#define EK_REC_ORDERS (1ull << 38) /* acquires or releases */
#define EK_REC_BEHIND_SHIFT 40 /* instructions from here to the block's end */

/* One load, store or atomic; vectors by their size. */
void __ek_rec_access(uintptr_t address, uint64_t info);
/* `times` loads or stores that are neither atomic nor only checked for races,
 * each of the size in info, side by side in `bytes` of one line. With both
 * kinds: a load, and a store to the same place right after it. */
void __ek_rec_line(uintptr_t address, uint64_t info, uint64_t bytes,
                   uint64_t times);
/* The access to address was followed by n similar ones, by the same instruction
 * and to the same line, ending at last: they are counted as hits. */
void __ek_rec_repeat(uintptr_t address, uint64_t info, uint64_t n,
                     uintptr_t last);
/* The same, followed by the access to `here`, which is in another line. */
void __ek_rec_next(uintptr_t address, uint64_t info, uint64_t n, uintptr_t last,
                   uintptr_t here);
/* memcpy, memset and similar functions: one access per cache line. */
void __ek_rec_range(uintptr_t address, uint64_t bytes, uint64_t info);

/* Each unit defines one of these, depending on how it was built. A program with
 * sampled units is sampled: one line of each page is followed (Sampling.h).
 * Counted units report counts, and must not be mixed with other units. */
extern const int __ek_rec_full_units;
extern const int __ek_rec_sampled_units;
extern const int __ek_rec_counted_units;
/* One load, store or atomic, in a line that may be sampled. */
void __ek_rec_sample(uintptr_t address, uint64_t info);
/* The offset from `address` to its canonical address; 0 if there is none. It is
 * the same for pointers derived from `address`. */
int64_t __ek_rec_shift(uintptr_t address);

/* A loop's accesses that every iteration makes, each `step` bytes after that of
 * the previous iteration: reported as a whole, before the loop. `costs` are
 * those of an iteration: slots << 32 | instructions; the code adds them to the
 * counters for all iterations after this call or at the end of the loop. At
 * most 16 streams. */
struct ek_rec_stream {
  uintptr_t start;
  int64_t step;
  uint64_t info;
};
void __ek_rec_loop(const struct ek_rec_stream *streams, uint64_t n,
                   uint64_t trips, uint64_t costs);
/* The same for a loop that also has other accesses: opened before the loop,
 * advanced before the other accesses of an iteration and after the loop. The
 * loop makes no other calls meanwhile. */
void __ek_rec_loop_open(const struct ek_rec_stream *streams, uint64_t n,
                        uint64_t trips, uint64_t costs);
void __ek_rec_loop_at(uint64_t iteration);
void __ek_rec_loop_close(void);

/* Reports the accesses to the object at `address` since the last report. */
void __ek_rec_count(uintptr_t address, uint64_t reads, uint64_t writes);
/* The same for the object at `before`; returns the address range around
 * `address` for which the answer is the same. */
struct ek_rec_extent {
  uint64_t low, size;
};
struct ek_rec_extent __ek_rec_move(uintptr_t address, uintptr_t before,
                                   uint64_t reads, uint64_t writes);

/* Entry of main: the region of all serial phases. */
void __ek_rec_serial(uint64_t region);
/* Around a fork (or a serialised one): only the master thread. */
void __ek_rec_fork(void);
void __ek_rec_join(uint64_t sync);
/* Entry and exits of an outlined parallel region: every thread of the team. */
void __ek_rec_region_begin(uint64_t region);
void __ek_rec_region_end(void);
/* Before a barrier, explicit or implied: every thread of the team. */
void __ek_rec_barrier(uint64_t sync);
/* Before an MPI collective. The handle, of kind `of` (format/ek_mpi.h),
 * determines the ranks; if these are all ranks, a phase ends. */
void __ek_rec_collective(uint64_t sync, uint64_t of, uint64_t handle);
/* Before a call that ends the process without running handlers (MPI_Abort). */
void __ek_rec_ends(void);
/* After a taskwait. */
void __ek_rec_taskwait(void);
/* Before a taskgroup begins; after it has ended. */
void __ek_rec_taskgroup(void);
void __ek_rec_taskgroup_end(void);
/* Entry and exits of a task's body; `begin` returns the argument of `end`. */
uint64_t __ek_rec_task_begin(uint64_t region);
void __ek_rec_task_end(uint64_t token);

/* Replace the entries of the OpenMP runtime: tasks are executed immediately, in
 * order of creation; `single` is always executed by thread 0. */
int32_t __ek_rec_omp_task(void *loc, int32_t gtid, void *task);
int32_t __ek_rec_omp_task_with_deps(void *loc, int32_t gtid, void *task,
                                    int32_t n, void *deps, int32_t n_noalias,
                                    void *noalias);
int32_t __ek_rec_single(void *loc, int32_t gtid);
void __ek_rec_end_single(void *loc, int32_t gtid);

/* Synchronisation besides barriers: after a critical section or lock is
 * entered, and before it is left; around code that the OpenMP runtime executes
 * while no other thread accesses its data; in place of a flush or fence. */
void __ek_rec_lock(void);
void __ek_rec_unlock(void);
void __ek_rec_alone(void);
void __ek_rec_alone_end(void);
void __ek_rec_orders(void);
/* After __kmpc_reduce and similar functions: their result. */
void __ek_rec_reduce(int32_t how);

/* A symbol's value, at each definition; a loop's trip count, at each exit.
 * `place` is a variable of the module, 0 at first: the offset of the symbol's
 * cell in bytes. If the cell has a value, the code adds the next one itself;
 * the cell at 0 is always empty. */
#define EK_REC_PER_TASK 1 /* otherwise one value for the whole program */
#define EK_REC_TRIPS 2    /* a trip count */
void __ek_rec_symbol(uint64_t id, int64_t value, uint64_t kind,
                     uint64_t *place);
/* All symbols that the module's code may report; from a constructor. */
void __ek_rec_symbols(const uint64_t *ids, uint64_t n);

/* Programs built to measure walks (Walks.h) make these calls instead of those
 * above. The module's accesses, from a constructor; the claim is a JSON object.
 * And the numbers of its loads. */
struct ek_rec_walk {
  const char *claim;
  uint64_t number; /* assigned by the recorder, from 1 */
};
void __ek_rec_walks(struct ek_rec_walk *accesses, uint64_t n, uint64_t *loads,
                    uint64_t n_loads);
/* A load or store: the length of the chain of dependent loads that computed its
 * address, and the time when one of them last loaded a different value. */
void __ek_rec_walk(const struct ek_rec_walk *access, uintptr_t address,
                   uint64_t bytes, uint64_t depth, uint64_t stamp);
void __ek_rec_walk_range(const struct ek_rec_walk *access, uintptr_t address,
                         uint64_t bytes, uint64_t depth, uint64_t stamp);
/* A load that addresses depend on: returns when its value last changed. */
uint64_t __ek_rec_loaded(const uint64_t *load, uint64_t value);
/* Depth and stamp of values passed at a call: by argument, the result last. */
#define EK_REC_PASSED 16
#ifndef EK_REC_INSIDE
extern __thread uint64_t __ek_rec_passed[2 * EK_REC_PASSED]
    __attribute__((tls_model("initial-exec")));
#endif

/* Replace the allocation functions of the C and C++ libraries. */
void *__ek_rec_malloc(uint64_t site, size_t n);
void *__ek_rec_calloc(uint64_t site, size_t k, size_t n);
void *__ek_rec_realloc(uint64_t site, void *p, size_t n);
void *__ek_rec_reallocarray(uint64_t site, void *p, size_t k, size_t n);
void *__ek_rec_aligned_alloc(uint64_t site, size_t align, size_t n);
int __ek_rec_posix_memalign(uint64_t site, void **p, size_t align, size_t n);
void *__ek_rec_new(uint64_t site, size_t n);
void *__ek_rec_new_nothrow(uint64_t site, size_t n);
void *__ek_rec_new_aligned(uint64_t site, size_t n, size_t align);
void __ek_rec_free(void *p);
void __ek_rec_delete(void *p);
void __ek_rec_delete_array(void *p);

/* A call of an allocation wrapper begins; and ends: back to the depth before
 * the call, or that of a function that catches exceptions. Blocks that are
 * allocated in between belong to the call's context (format/ek_context.h). */
uint64_t __ek_rec_depth(void);
uint64_t __ek_rec_enter(uint64_t call);
void __ek_rec_leave(uint64_t depth);

/* Replace the functions of the system and of MPI. */
void *__ek_rec_mmap(uint64_t site, void *hint, size_t n, int protection,
                    int flags, int file, long offset);
int __ek_rec_munmap(void *p, size_t n);
void *__ek_rec_mremap(uint64_t site, void *p, size_t old, size_t n, int flags,
                      void *to);
int __ek_rec_mpi_alloc_mem(uint64_t site, ptrdiff_t n, uintptr_t info,
                           void *out);
int __ek_rec_mpi_free_mem(void *p);

/* After a call of an allocator that chooses a kind of memory, with its result:
 * returns the block for the program (old: the block that was resized, or null).
 * Before its other calls: returns the allocator's address of a block. */
void *__ek_rec_chosen(uint64_t site, void *old, void *original, uint64_t n);
void __ek_rec_chosen_out(uint64_t site, int failed, void **out, uint64_t n);
void *__ek_rec_chosen_original(void *p);
void *__ek_rec_chosen_free(void *p);

/* Replace the stack for a large array or one of variable length. The array is
 * released when the thread returns to a mark, at the end of a scope or
 * function. */
uint64_t __ek_rec_stack_mark(void);
void *__ek_rec_stack(uint64_t site, size_t n, size_t align);
void __ek_rec_stack_reset(uint64_t mark);

/* A static array, from a constructor. */
void __ek_rec_global(uint64_t site, void *p, size_t n);

/* The body of a function to execute, if it has several; read at function entry.
 * It changes only while no team runs. */
#define EK_REC_BODY_RECORDED 0
#define EK_REC_BODY_PLAIN 1
extern int32_t __ek_rec_body;
/* The number of the module's functions that have only the recorded body, and of
 * those that execute it until they return once entered; from a constructor. */
void __ek_rec_staying(uint64_t single, uint64_t entered);
/* For the program to call: ends the record; the program continues in plain
 * code. Call it on the first thread, outside teams. 0: the program continues in
 * recorded code, because other threads run a team. */
int __ek_rec_stop(void);

/* Instrumented code refers to this; another version does not link. */
extern const int __ek_rec_abi_v6;

#ifdef __cplusplus
}
#endif

#endif
