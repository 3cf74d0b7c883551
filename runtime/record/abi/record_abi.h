/*===- record_abi.h - calls that the compiler pass inserts --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: every entry of libevenkeel-record that instrumented code calls. Users
 * never write these; passes/Record.cpp inserts them. All are thread-safe, none
 * ends the program. Besides the calls, instrumented code adds its own cost to
 * `__ek_rec_tls` at the head of each basic block, and values to cells there.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RECORD_ABI_H
#define EVENKEEL_RUNTIME_RECORD_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a task saw of a symbol: times 0: nothing yet. The last value was seen
 * since the `since`-th time on; these are not in `sum` yet, so that a value
 * that repeats costs one addition. */
struct ek_rec_cell {
  uint64_t times;
  int64_t last, min, max;
  double sum;
  uint64_t since;
};

/* The head of the thread's state; costs are in issue slots, four of
 * which are one core cycle. */
struct ek_rec_tls {
  uint64_t slots;
  uint64_t instructions;
  struct ek_rec_cell *cells; /* of the task being executed */
  /* Of sampled units: bits of a line's number that tell whether it is followed;
   * all of them, or none: then all lines are (Burst.h). */
  uint64_t follow;
};
#ifndef EK_REC_INSIDE /* the library knows the whole of it */
extern __thread struct ek_rec_tls __ek_rec_tls
    __attribute__((tls_model("initial-exec")));
#endif

/* Bits of `info`. */
#define EK_REC_SIZE(info) ((uint32_t)(info)) /* bits 0-31 */
#define EK_REC_READ (1ull << 32)
#define EK_REC_WRITE (1ull << 33)
#define EK_REC_DEPENDENT (1ull << 34)
#define EK_REC_IN_ORDER (1ull << 35)  /* code that walks lines in order */
#define EK_REC_UNCOUNTED (1ull << 36) /* no object's: only raced for */
#define EK_REC_ATOMIC (1ull << 37)
#define EK_REC_ORDERS (1ull << 38) /* acquires or releases */
#define EK_REC_BEHIND_SHIFT 40 /* instructions from here to the block's end */

/* One load, store or atomic; vectors by their size. */
void __ek_rec_access(uintptr_t address, uint64_t info);
/* Loads or stores that are neither atomic nor only raced for: `times` of them,
 * of the size in info each, side by side in `bytes` of one line. Both kinds: a
 * load, and a store to the same place right behind it. */
void __ek_rec_line(uintptr_t address, uint64_t info, uint64_t bytes,
                   uint64_t times);
/* The access to address was followed by n like it, by the same instruction and
 * to the same line, the last one at last: they are counted, they hit. */
void __ek_rec_repeat(uintptr_t address, uint64_t info, uint64_t n,
                     uintptr_t last);
/* The same, and then the access to `here`, which is in another line. */
void __ek_rec_next(uintptr_t address, uint64_t info, uint64_t n, uintptr_t last,
                   uintptr_t here);
/* memcpy, memset and their like: one access per cache line. */
void __ek_rec_range(uintptr_t address, uint64_t bytes, uint64_t info);

/* Units define one of these, as they were built. A program with sampled units
 * is sampled: of each page, one line is followed (Sampling.h). Counted units
 * tell what they count, and nothing else may be in the program. */
extern const int __ek_rec_full_units;
extern const int __ek_rec_sampled_units;
extern const int __ek_rec_counted_units;
/* One load, store or atomic of which a line may be sampled. */
void __ek_rec_sample(uintptr_t address, uint64_t info);
/* What to add to `address` to get its canonical one; 0 also where there is
 * none. Pointers derived from it have the same. */
int64_t __ek_rec_shift(uintptr_t address);

/* A loop's accesses that every iteration makes, `step` bytes behind the one of
 * the iteration before: told at once, before it begins. `costs` are those of an
 * iteration: slots << 32 | instructions; the code adds them to the counters for
 * all iterations, behind this call or the loop's end. At most 16 streams. */
struct ek_rec_stream {
  uintptr_t start;
  int64_t step;
  uint64_t info;
};
void __ek_rec_loop(const struct ek_rec_stream *streams, uint64_t n,
                   uint64_t trips, uint64_t costs);
/* The same for a loop with other accesses as well: told as it goes, before
 * those of an iteration and behind the loop. It calls nothing meanwhile. */
void __ek_rec_loop_open(const struct ek_rec_stream *streams, uint64_t n,
                        uint64_t trips, uint64_t costs);
void __ek_rec_loop_at(uint64_t iteration);
void __ek_rec_loop_close(void);

/* So many accesses to the object at `address`, since they were told last. */
void __ek_rec_count(uintptr_t address, uint64_t reads, uint64_t writes);
/* The same of the object at `before`; returns where the one at `address` lies,
 * as far as the same answer holds. */
struct ek_rec_extent {
  uint64_t low, size;
};
struct ek_rec_extent __ek_rec_move(uintptr_t address, uintptr_t before,
                                   uint64_t reads, uint64_t writes);

/* Entry of main: the region of all serial phases. */
void __ek_rec_serial(uint64_t region);
/* Around a fork (or a serialised one): master only. */
void __ek_rec_fork(void);
void __ek_rec_join(uint64_t sync);
/* Entry and exits of an outlined parallel body: every thread of the team. */
void __ek_rec_region_begin(uint64_t region);
void __ek_rec_region_end(void);
/* Before a barrier, explicit or implied: every thread of the team. */
void __ek_rec_barrier(uint64_t sync);
/* Before a collective of MPI. Which ranks wait in it tells the handle, of kind
 * `of` (format/ek_mpi.h): where they are all, a phase ends. */
void __ek_rec_collective(uint64_t sync, uint64_t of, uint64_t handle);
/* Before a call that ends the process and runs no handlers (MPI_Abort). */
void __ek_rec_ends(void);
/* After a taskwait. */
void __ek_rec_taskwait(void);
/* Before a taskgroup begins, after it has ended. */
void __ek_rec_taskgroup(void);
void __ek_rec_taskgroup_end(void);
/* Entry and exits of a task's body; `begin` returns what `end` wants. */
uint64_t __ek_rec_task_begin(uint64_t region);
void __ek_rec_task_end(uint64_t token);

/* Instead of the OpenMP runtime's entries: tasks run at once, in order of
 * creation; `single` is always thread 0's. */
int32_t __ek_rec_omp_task(void *loc, int32_t gtid, void *task);
int32_t __ek_rec_omp_task_with_deps(void *loc, int32_t gtid, void *task,
                                    int32_t n, void *deps, int32_t n_noalias,
                                    void *noalias);
int32_t __ek_rec_single(void *loc, int32_t gtid);
void __ek_rec_end_single(void *loc, int32_t gtid);

/* What orders accesses of threads besides barriers: after a critical section or
 * a lock is entered, and before it is left; around code that the OpenMP runtime
 * runs when nobody else touches its data; instead of a flush or fence. */
void __ek_rec_lock(void);
void __ek_rec_unlock(void);
void __ek_rec_alone(void);
void __ek_rec_alone_end(void);
void __ek_rec_orders(void);
/* After __kmpc_reduce and its like: what they returned. */
void __ek_rec_reduce(int32_t how);

/* A symbol's value, each time it is defined; a loop's iterations, each time it
 * is left. `place` is the module's own, 0 at first: where the symbol's cell is,
 * in bytes. Code that finds the cell there with a value in it adds the next one
 * itself; there is an empty one at 0. */
#define EK_REC_PER_TASK 1 /* else one value for the whole program */
#define EK_REC_TRIPS 2    /* iterations */
void __ek_rec_symbol(uint64_t id, int64_t value, uint64_t kind,
                     uint64_t *place);
/* All symbols that the module's code may tell, from a constructor. */
void __ek_rec_symbols(const uint64_t *ids, uint64_t n);

/* Programs built to measure how accesses walk (Walks.h) make these instead of
 * the ones above. The module's accesses, from a constructor; the claim is a
 * JSON object. And the numbers of its loads. */
struct ek_rec_walk {
  const char *claim;
  uint64_t number; /* the recorder's, from 1 */
};
void __ek_rec_walks(struct ek_rec_walk *accesses, uint64_t n, uint64_t *loads,
                    uint64_t n_loads);
/* A load or store: how many loads had to follow one another to make its
 * address, and when one of them last brought another value than before. */
void __ek_rec_walk(const struct ek_rec_walk *access, uintptr_t address,
                   uint64_t bytes, uint64_t depth, uint64_t stamp);
void __ek_rec_walk_range(const struct ek_rec_walk *access, uintptr_t address,
                         uint64_t bytes, uint64_t depth, uint64_t stamp);
/* A load that addresses depend on: when its value last changed. */
uint64_t __ek_rec_loaded(const uint64_t *load, uint64_t value);
/* Depth and stamp of what a call hands over: by argument, the result last. */
#define EK_REC_PASSED 16
#ifndef EK_REC_INSIDE
extern __thread uint64_t __ek_rec_passed[2 * EK_REC_PASSED]
    __attribute__((tls_model("initial-exec")));
#endif

/* Instead of the C library's and the C++ library's allocation functions. */
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

/* A call of an allocation wrapper begins, and ends: back to the depth that the
 * call began at, or a function that catches exceptions. Blocks that are
 * allocated meanwhile belong to its context (format/ek_context.h). */
uint64_t __ek_rec_depth(void);
uint64_t __ek_rec_enter(uint64_t call);
void __ek_rec_leave(uint64_t depth);

/* Instead of the system's and MPI's. */
void *__ek_rec_mmap(uint64_t site, void *hint, size_t n, int protection,
                    int flags, int file, long offset);
int __ek_rec_munmap(void *p, size_t n);
void *__ek_rec_mremap(uint64_t site, void *p, size_t old, size_t n, int flags,
                      void *to);
int __ek_rec_mpi_alloc_mem(uint64_t site, ptrdiff_t n, uintptr_t info,
                           void *out);
int __ek_rec_mpi_free_mem(void *p);

/* Behind a call of an allocator that chooses a kind of memory, with what it
 * returned: what the program gets (old: the block that was resized, or null).
 * In front of others of its calls: the address that the allocator knows. */
void *__ek_rec_chosen(uint64_t site, void *old, void *original, uint64_t n);
void __ek_rec_chosen_out(uint64_t site, int failed, void **out, uint64_t n);
void *__ek_rec_chosen_original(void *p);
void *__ek_rec_chosen_free(void *p);

/* Instead of the stack, for a large array or one of variable length; taken back
 * once the thread goes back to a mark: where a scope or a function ends. */
uint64_t __ek_rec_stack_mark(void);
void *__ek_rec_stack(uint64_t site, size_t n, size_t align);
void __ek_rec_stack_reset(uint64_t mark);

/* A static array, from a constructor. */
void __ek_rec_global(uint64_t site, void *p, size_t n);

/* Which body of a function runs, if it has more than the recorded one; read
 * where functions are entered. It changes while no team runs. */
#define EK_REC_BODY_RECORDED 0
#define EK_REC_BODY_PLAIN 1
extern int32_t __ek_rec_body;
/* Functions of the module that have the recorded body alone, and those that run
 * it until they return once they have been entered; from a constructor. */
void __ek_rec_staying(uint64_t single, uint64_t entered);
/* For the program itself to call: the record ends here, and the program goes on
 * plain. For its first thread, outside of teams; 0: it goes on with recorded
 * code, since others run a team. */
int __ek_rec_stop(void);

/* Instrumented code refers to this; another version fails to link. */
extern const int __ek_rec_abi_v6;

#ifdef __cplusplus
}
#endif

#endif
