/* clang-format off */
/*===- ek.h - the whole C interface of the Evenkeel runtime -------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rewritten programs include this header and no other. In C it includes
 * nothing itself, so it can precede a program's own declarations of the C
 * library's functions. ID is the 64-bit id of the site or sync point, written
 * as 0x...ULL. In a program that was rewritten with a plan, calls end in _at
 * (or _AT) and have EK_FAST(percent) after the ID, as in
 * ek_malloc_at(ID, EK_FAST(37), n); shares that a user pinned are
 * EK_PINNED(percent).
 *
 *   original                        rewritten
 *   ------------------------------  ------------------------------------------
 *   malloc(n)                       ek_malloc(ID, n)
 *   calloc(k, n)                    ek_calloc(ID, k, n)
 *   realloc(p, n)                   ek_realloc(ID, p, n)
 *   reallocarray(p, k, n)           ek_reallocarray(ID, p, k, n)
 *   aligned_alloc(a, n)             ek_aligned_alloc(ID, a, n)
 *   posix_memalign(&p, a, n)        ek_posix_memalign(ID, &p, a, n)
 *   memalign(a, n)                  ek_memalign(ID, a, n)
 *   valloc(n)                       ek_valloc(ID, n)
 *   pvalloc(n)                      ek_pvalloc(ID, n)
 *   _mm_malloc(n, a)                ek_mm_malloc(ID, n, a)
 *   _mm_free(p)                     ek_mm_free(p)
 *   __builtin_malloc(n) and so on   ek_builtin_malloc(ID, n) and so on
 *   mmap(p, n, r, f, fd, o)         ek_mmap(ID, p, n, r, f, fd, o)
 *   munmap(p, n)                    ek_munmap(p, n)
 *   MPI_Alloc_mem(n, info, &p)      ek_MPI_Alloc_mem(ID, n, info, &p)
 *   MPI_Free_mem(p)                 ek_MPI_Free_mem(p)
 *   free(p)                         ek_free(p)
 *   new T[n]                        new (ek::site(ID)) T[n]
 *   delete[] p                      unchanged: the runtime takes every pointer
 *   static double a[N];             unchanged, and after it
 *     at file scope                 EK_GLOBAL(ID, a)
 *     in a function                 EK_STATIC(ID, a)
 *   xmalloc(n), which allocates     ek_leave(ID, (ek_enter(ID), xmalloc(n)))
 *     in C++                        ::ek::leave(ID,
 *                                       ((void)::ek::call(ID), xmalloc(n)))
 *   make(&p, n), which returns no     (ek_enter(ID), make(&p, n), ek_exit(ID))
 *     pointer, in C++               ((void)::ek::call(ID), make(&p, n))
 *   Field f(n), whose constructor     Field f(((void)::ek::maker(ID), n))
 *     allocates
 *   after a sync point              ek_sync(ID, EK_SERIAL); or
 *                                   ek_sync(ID, EK_TEAM); or
 *     where one text is both        ek_sync(ID, EK_EITHER);
 *   MPI_Barrier(c)                  ek_after(ID, EK_SERIAL, MPI_Barrier(c))
 *     with # lines within           EK_AFTER(ID, EK_SERIAL) MPI_Barrier(c)))
 *   t.join()                        ek_after_void(ID, EK_SERIAL, t.join())
 *   MPI_Allreduce(in, out, n, t,    ek_relaxed(ID, BOUND, LAST, in, out, n, t,
 *     MPI_SUM, c) that the user       MPI_SUM, c), inside ek_after
 *     relaxes by a pragma
 *   before a parallel region        EK_VALUES(ID, EK_VALUE(0x...ULL, n),
 *                                             EK_VALUE(0x...ULL, s.rows));
 *   before a task is created        ek_announce(ID, needs, count);
 *   a task's body                   ek_acquire_all(ID, needs, count); before it
 *                                   ek_release_all(ID, needs, count); after it
 *     if it may be cancelled        EK_HOLD(ID, needs, count); before it
 *
 * Every function has the semantics of the function it replaces (errno, NULL,
 * alignment, size 0) and is thread-safe. Either side frees any pointer: ek_free
 * takes pointers of the C library, and free takes pointers of the runtime. With
 * -DEVENKEEL_DISABLE every call expands to the original, and no library is
 * needed.
 *===----------------------------------------------------------------------===*/
/* clang-format on */
#ifndef EVENKEEL_EK_H
#define EVENKEEL_EK_H

#if defined(__UINT64_TYPE__) && defined(__SIZE_TYPE__)
typedef __UINT64_TYPE__ ek_id;
typedef __SIZE_TYPE__ ek_size;
#else
#include <stddef.h>
#include <stdint.h>
typedef uint64_t ek_id;
typedef size_t ek_size;
#endif

#ifdef __cplusplus
#if __cplusplus >= 201103L || defined(_MSC_VER)
#define EK_CXX11
#define EK_NOEXCEPT noexcept
#define EK_NULL nullptr
#define EK_NO_COPY(type)                                                       \
  type(const type &) = delete;                                                 \
  type &operator=(const type &) = delete;
#else
#define EK_NOEXCEPT throw()
#define EK_NULL 0
#define EK_NO_COPY(type)                                                       \
private:                                                                       \
  type(const type &);                                                          \
  type &operator=(const type &);
#endif
#endif

#define EK_ABI_VERSION 1

/* The percentage of the object that belongs in the fast tier, counted from its
 * first byte. A plan in EVENKEEL_PLAN is more detailed (address ranges, single
 * instances) and overrides it. */
#define EK_FAST(percent) ((unsigned)(percent))
/* The same, set by the user (#pragma evenkeel pin); overrides the plan. */
#define EK_PINNED(percent) ((unsigned)(percent) + 256u)

/* Which threads reach a hook: one thread, or every thread of a team. */
#define EK_SERIAL 0u
#define EK_TEAM 1u
/* Not all tasks have waited (a message, the end of one thread), so the hook
 * ends no phase. */
#define EK_PARTIAL 2u
/* Source text that is included both inside and outside parallel regions. */
#define EK_EITHER 4u

/* How a task uses a range that it acquires (ek_acquire_all). */
#define EK_READ 1u
/* The task writes all bytes before it reads any: with copies, nothing is copied
 * in. For a task that may leave some as they were, EK_READ_WRITE is right. */
#define EK_WRITE 2u
#define EK_READ_WRITE 3u
/* The task uses the data at its own address, so it cannot work on a copy. */
#define EK_IN_PLACE 4u
/* With EK_IN_PLACE: the object that holds the first byte is needed as a whole;
 * of objects that the runtime does not know, the range. */
#define EK_WHOLE 8u
/* \p at: where the task finds the data, \p p itself unless tasks work on
 * copies. A copy is aligned like the data, up to 64 bytes. \p held: whether the
 * thread holds it; the calls set it. */
typedef struct ek_need {
  void *p;
  ek_size n;
  unsigned mode;
  void *at;
  int held;
} ek_need;
#define EK_NEED(p, n, mode) {(void *)(p), (ek_size)(n), (mode), (void *)(p), 0}
/* As rewritten sources have them, for code that finds its data by its own
 * address: a range, and the whole object that \p p lies in. */
#define EK_RANGE(p, n, mode) EK_NEED(p, n, (mode) | EK_IN_PLACE)
#define EK_OBJECT(p, n, mode) EK_NEED(p, n, (mode) | EK_IN_PLACE | EK_WHOLE)

#ifndef EVENKEEL_DISABLE

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define EK_ATTR_MALLOC(...) __attribute__((malloc, alloc_size(__VA_ARGS__)))
#else
#define EK_ATTR_MALLOC(...)
#endif

void *ek_malloc(ek_id site, ek_size n) EK_ATTR_MALLOC(2);
void *ek_malloc_at(ek_id site, unsigned fast, ek_size n) EK_ATTR_MALLOC(3);
void *ek_calloc(ek_id site, ek_size k, ek_size n) EK_ATTR_MALLOC(2, 3);
void *ek_calloc_at(ek_id site, unsigned fast, ek_size k, ek_size n)
    EK_ATTR_MALLOC(3, 4);
void *ek_realloc(ek_id site, void *p, ek_size n);
void *ek_realloc_at(ek_id site, unsigned fast, void *p, ek_size n);
void *ek_reallocarray(ek_id site, void *p, ek_size k, ek_size n);
void *ek_reallocarray_at(ek_id site, unsigned fast, void *p, ek_size k,
                         ek_size n);
void *ek_aligned_alloc(ek_id site, ek_size align, ek_size n) EK_ATTR_MALLOC(3);
void *ek_aligned_alloc_at(ek_id site, unsigned fast, ek_size align, ek_size n)
    EK_ATTR_MALLOC(4);
int ek_posix_memalign(ek_id site, void **p, ek_size align, ek_size n);
int ek_posix_memalign_at(ek_id site, unsigned fast, void **p, ek_size align,
                         ek_size n);
void *ek_memalign(ek_id site, ek_size align, ek_size n) EK_ATTR_MALLOC(3);
void *ek_memalign_at(ek_id site, unsigned fast, ek_size align, ek_size n)
    EK_ATTR_MALLOC(4);
void *ek_valloc(ek_id site, ek_size n) EK_ATTR_MALLOC(2);
void *ek_valloc_at(ek_id site, unsigned fast, ek_size n) EK_ATTR_MALLOC(3);
void *ek_pvalloc(ek_id site, ek_size n) EK_ATTR_MALLOC(2);
void *ek_pvalloc_at(ek_id site, unsigned fast, ek_size n) EK_ATTR_MALLOC(3);
void *ek_mm_malloc(ek_id site, ek_size n, ek_size align) EK_ATTR_MALLOC(2);
void *ek_mm_malloc_at(ek_id site, unsigned fast, ek_size n, ek_size align)
    EK_ATTR_MALLOC(3);
void ek_mm_free(void *p);
void ek_free(void *p);
ek_size ek_usable_size(void *p);

/* Memory that the functions above did not allocate: static storage
 * (ek_global; a second registration has no effect), mappings, and allocations
 * of other libraries. Only whole pages are placed. A mapping becomes an object
 * if it is anonymous and accessible. Results and errno are those of mmap and
 * munmap. */
void ek_global(ek_id site, void *p, ek_size n);
void ek_global_at(ek_id site, unsigned fast, void *p, ek_size n);
void *ek_mmap(ek_id site, void *p, ek_size n, int protection, int flags, int fd,
              long offset);
void *ek_mmap_at(ek_id site, unsigned fast, void *p, ek_size n, int protection,
                 int flags, int fd, long offset);
int ek_munmap(void *p, ek_size n);

/* ek_given_size and ek_given_pointer remember their argument for the calling
 * thread and return it, so that the macros below evaluate it once. ek_given
 * then registers the memory that the call between them has allocated, if
 * \p error is 0, and returns \p error. */
ek_size ek_given_size(ek_size n);
void *ek_given_pointer(void *p);
int ek_given(ek_id site, unsigned fast, int error);
/* Ends the object that contains \p p; the caller frees \p p next. Returns
 * \p p. */
void *ek_forget(void *p);

/* Registers static storage. Each declaration has a flag \p done of its own,
 * which is set here. */
void ek_static(ek_id site, unsigned fast, unsigned char *done, void *p,
               ek_size n);

/* Bracket an expression whose allocations happen in code that was not
 * rewritten. Until the pop, an allocation of the calling thread that has no id
 * of its own belongs to site \p id (EK_OF_SITE: a container's growth), or was
 * reached through call \p id (EK_OF_CALL: a call of an allocation wrapper; the
 * ids of all such calls around a site form the context).
 * \p frame is the frame address of the pushing function. Entries that longjmp
 * skipped belong to deeper frames, so the next push drops them. A pop finds its
 * entry by \p owner, or by \p id and \p frame, and does nothing if there is no
 * such entry. Callable on any thread, before main and after fork. */
#define EK_OF_SITE 0u
#define EK_OF_CALL 1u
void ek_context_push(ek_id id, unsigned fast, unsigned kind, const void *frame,
                     const void *owner);
void ek_context_pop(ek_id id, const void *frame, const void *owner);
/* Only for compiled code: pushes an EK_OF_CALL if the called function is a
 * wrapper. \p wrapper is that function's mark, which all translation units
 * share (ek_wrapper.h). ek_context_pop pops the entry. */
void ek_context_push_if(void *wrapper, ek_id id, const void *frame);

#if defined(__GNUC__)
#define EK_ALWAYS_INLINE __inline__ __attribute__((always_inline))
#define EK_FRAME __builtin_frame_address(0)
#else
#define EK_ALWAYS_INLINE inline
#define EK_FRAME ((const void *)0)
#endif

/* ek_leave(ID, (ek_enter(ID), call)): the entry covers the wrapper's call and
 * its arguments. ek_leave returns \p p unchanged. */
static EK_ALWAYS_INLINE void ek_enter(ek_id id) {
  ek_context_push(id, ~0u, EK_OF_CALL, EK_FRAME, (const void *)0);
}
static EK_ALWAYS_INLINE void *ek_leave(ek_id id, const volatile void *p) {
  ek_context_pop(id, EK_FRAME, (const void *)0);
  return (void *)p;
}
/* For calls that return a number, or nothing: (ek_enter(ID), call,
 * ek_exit(ID)). A call that returns a structure S becomes
 * *(S *)ek_leave(ID, (S[1]){...}). */
static EK_ALWAYS_INLINE long long ek_leave_number(ek_id id, long long value) {
  ek_context_pop(id, EK_FRAME, (const void *)0);
  return value;
}
static EK_ALWAYS_INLINE void ek_exit(ek_id id) {
  ek_context_pop(id, EK_FRAME, (const void *)0);
}

/* A hook: tasks have just waited for each other. \p context combines the
 * constants EK_SERIAL to EK_EITHER. Must not be a tail call: the return address
 * shows which parallel region the hook follows. */
#if defined(__clang__)
void ek_sync(ek_id id, unsigned context) __attribute__((not_tail_called));
#else
void ek_sync(ek_id id, unsigned context);
#if defined(__GNUC__)
static EK_ALWAYS_INLINE void ek_sync_here(ek_id id, unsigned context) {
  ek_sync(id, context);
  __asm__ __volatile__("");
}
#define ek_sync(id, context) ek_sync_here((id), (context))
#endif
#endif
/* A hook after a call inside an expression: returns \p result and keeps errno.
 * ek_before announces the hook, so that libevenkeel-pmpi, which intercepts the
 * call itself, does not add one. */
void ek_before(void);
int ek_after(ek_id id, unsigned context, int result);
#define ek_after(id, context, ...)                                             \
  (ek_before(), (ek_after)(id, context, (__VA_ARGS__)))
#define ek_after_void(id, context, ...) ((__VA_ARGS__), ek_sync(id, context))
/* EK_AFTER(ID, EK_SERIAL) call)) is ek_after(ID, EK_SERIAL, call) for a call
 * with # lines inside it: a macro's arguments must not contain # lines. */
#define EK_AFTER(id, context) (ek_before(), (ek_after)(id, context,

/* MPI_Allreduce with MPI_SUM where the user allows a sum without the ranks that
 * are late (#pragma evenkeel relaxed), in libevenkeel-relaxed: what it sums is
 * in ek_relaxed.h, \p bound as well. \p last: this is the rank's last call; it
 * waits for all ranks. Returns MPI_SUCCESS; a failure has a line on stderr and
 * is one of \p comm, as MPI_Allreduce's would be. \p type and \p comm are MPI's
 * handles as words. */
int ek_relaxed_call(ek_id id, unsigned bound, int last, const void *in,
                    void *out, int count, ek_size type, ek_size comm);
#define ek_relaxed(id, bound, last, in, out, count, type, op, comm)            \
  ek_relaxed_call(id, bound, (last) ? 1 : 0, in, out, count, (ek_size)(type),  \
                  (ek_size)(comm))

/* Bracket one task's execution of a region, to measure its time. Both are
 * called on the same thread. */
void ek_region_begin(ek_id id);
void ek_region_end(ek_id id);

/* Before region \p region begins: the values that its threads will find in
 * variables, by the ids that facts and plans give to these. The runtime keeps
 * those that the plan names, and plans again with them if they are not what it
 * expected. Thread-safe; allocates nothing, and keeps no pointer. */
typedef struct ek_value {
  ek_id symbol;
  long long value;
} ek_value;
void ek_values(ek_id region, const ek_value *values, unsigned count);
/* Compiled code calls it: the calling thread of a parallel region ran the loop
 * `total`, as the facts call it, `count` times since its last call.
 * Thread-safe; allocates nothing. */
void ek_total(ek_id region, ek_id total, long long count);

/* A required tier: data must be in it while a task uses it, and its capacity is
 * a hard limit at every moment. EVENKEEL_REQUIRED is its size, and
 * EVENKEEL_REQUIRED_BY says how data gets there:
 *   pages   its pages move to the fast tier (a NUMA node, or emulated) and to
 *           the last tier when others need the room. Addresses stay.
 *   copies  the tier is memory apart; tasks work on copies there. Until
 *           ek_bring_home, or the next hook, the program's own memory may be
 *           older than the copy, and a write to it may be lost: between tasks
 *           that acquire data, do not use that data by its own address, nor
 *           free it.
 * Without EVENKEEL_REQUIRED these functions change nothing. They are
 * thread-safe and keep errno, unless stated otherwise. Acquiring is no lock:
 * several threads may hold the same bytes, and then share one copy.
 *
 * A task acquires each address range that it uses, all in one call: a thread
 * gets all ranges of a call or none. The call waits until there is room, if
 * other threads can release some. Ranges of different tasks may be parts of
 * each other, or overlap; then one waits until the other is released. The same
 * thread releases what it acquired, before it waits for other tasks: while it
 * waits, its room is missing to them.
 *
 * Each failure is counted in the summary, the first of its kind is printed, and
 * the data is then at its own address, where the task can work on it. Statuses
 * are values of errno: EFBIG, the task needs more than the tier has; ENOMEM,
 * all room is held by threads that wait, too (or there is no memory); EALREADY,
 * the thread holds some of the bytes; ENOTSUP, the task uses data in place, and
 * the tier has copies; EINVAL, not a range or a mode, or the thread does not
 * hold what it releases. What a thread holds when it ends is
 * released. After fork the child has what the calling thread held.
 *
 * Acquires needs[0..count) for \p task and sets their members \p at. Returns 0
 * or a status; then each \p at is \p p. A range of 0 bytes is ignored. Ranges
 * in place may overlap: the first of them then becomes all that they cover. */
int ek_acquire_all(ek_id task, ek_need *needs, unsigned count);
/* The thread is about to create a task that will call ek_acquire_all with these
 * arguments. The runtime brings the data in before the task starts, on a thread
 * of its own: of two heavy tasks ahead for each thread that runs tasks
 * (EVENKEEL_AHEAD), and of any number of cheap ones, in room that nobody waits
 * for. Tasks are ordered as `depend` orders those that one thread announces. A
 * task may start in any order, and may be acquired without this call. With
 * copies, do not write the data by its own address from this call on, until
 * ek_bring_home or the next hook, which make void what was announced before. */
void ek_announce(ek_id task, const ek_need *needs, unsigned count);
/* Releases those of the ranges that are held. Returns 0 or a status. */
int ek_release_all(ek_id task, ek_need *needs, unsigned count);
/* The same for one range. Returns where the data is, or NULL with the status in
 * errno. A task that acquires one range after the other may have to fail: two
 * tasks may each hold what the other waits for. */
void *ek_acquire(ek_id task, void *p, ek_size n, unsigned mode);
int ek_release(ek_id task, void *p);
/* With copies: all data that nobody holds is at its own address again, and only
 * there. Every hook does so, too. */
void ek_bring_home(void);
/* EK_HOLD(ID, needs, count): acquires as ek_acquire_all does, and releases at
 * the end of the block, also where a task is cancelled. For GNU compilers. */
#if defined(__GNUC__)
typedef struct ek_hold {
  ek_id task;
  ek_need *needs;
  unsigned count;
} ek_hold;
static __inline__ void ek_hold_ends(ek_hold *h) {
  ek_release_all(h->task, h->needs, h->count);
}
#define EK_HOLD(task, needs, count)                                            \
  ek_hold ek_hold_                                                             \
      __attribute__((cleanup(ek_hold_ends))) = {(task), (needs), (count)};     \
  ek_acquire_all((task), (needs), (count))
#endif

#define EK_VALUE(symbol, value) {(symbol), (long long)(value)}
#define EK_VALUES(region, ...)                                                 \
  do {                                                                         \
    const ek_value ek_values_[] = {__VA_ARGS__};                               \
    ek_values(region, ek_values_, sizeof ek_values_ / sizeof *ek_values_);     \
  } while (0)

#define ek_builtin_malloc ek_malloc
#define ek_builtin_malloc_at ek_malloc_at
#define ek_builtin_calloc ek_calloc
#define ek_builtin_calloc_at ek_calloc_at
#define ek_builtin_realloc ek_realloc
#define ek_builtin_realloc_at ek_realloc_at
#define ek_builtin_free ek_free

#define ek_MPI_Alloc_mem(site, n, info, p)                                     \
  ek_MPI_Alloc_mem_at(site, 255u, n, info, p)
#define ek_MPI_Alloc_mem_at(site, fast, n, info, p)                            \
  ek_given(site, fast,                                                         \
           MPI_Alloc_mem((MPI_Aint)ek_given_size((ek_size)(n)), info,          \
                         ek_given_pointer(p)))
#define ek_MPI_Free_mem(p) MPI_Free_mem(ek_forget(p))

/* Makes a mismatch of ABI versions a link error instead of a failure at run
 * time. */
extern const int ek_abi_v1;
#if defined(__GNUC__)
__attribute__((used)) static const int *const ek_abi_check_ = &ek_abi_v1;
#endif

#ifdef __cplusplus
} /* extern "C" */

/* The types that the forms of operator new below use. Declared here rather than
 * included: a unit may already be preprocessed and contain <new> without its
 * include guards. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
namespace std {
struct nothrow_t;
#ifdef __cpp_aligned_new
enum class align_val_t : ek_size;
#endif
} // namespace std
#pragma GCC visibility pop
#else
#include <new>
#endif
namespace ek {
/* Tag of the placement forms of operator new. */
struct site {
  ek_id id;
  unsigned fast; /* percent, or ~0u: not given */
  explicit site(ek_id i, unsigned f = ~0u) : id(i), fast(f) {}
};

/* Temporaries: the constructor pushes, the destructor pops at the end of the
 * full expression, also when an exception is thrown. v.resize(n) becomes
 * ((void)::ek::at(ID), v).resize(n). */
class at {
public:
  EK_ALWAYS_INLINE explicit at(ek_id id, unsigned fast = ~0u) EK_NOEXCEPT {
    ek_context_push(id, fast, EK_OF_SITE, EK_FRAME, this);
  }
  EK_ALWAYS_INLINE ~at() { ek_context_pop(0, EK_NULL, this); }
  EK_NO_COPY(at)
};
class call {
public:
  EK_ALWAYS_INLINE explicit call(ek_id id) EK_NOEXCEPT {
    ek_context_push(id, ~0u, EK_OF_CALL, EK_FRAME, this);
  }
  EK_ALWAYS_INLINE ~call() { ek_context_pop(0, EK_NULL, this); }
  EK_NO_COPY(call)
};
/* ek::call next to an operand: f(a) becomes f(((void)::ek::maker(ID), a)). */
class maker : public call {
public:
  EK_ALWAYS_INLINE explicit maker(ek_id id) EK_NOEXCEPT : call(id) {}
};
/* Returns \p x and pops \p id before the full expression ends. */
#ifdef EK_CXX11
template <class T> EK_ALWAYS_INLINE T &&done(ek_id id, T &&x) EK_NOEXCEPT {
  ek_context_pop(id, EK_FRAME, EK_NULL);
  return static_cast<T &&>(x);
}
#else
template <class T> EK_ALWAYS_INLINE T &done(ek_id id, T &x) EK_NOEXCEPT {
  ek_context_pop(id, EK_FRAME, EK_NULL);
  return x;
}
template <class T>
EK_ALWAYS_INLINE const T &done(ek_id id, const T &x) EK_NOEXCEPT {
  ek_context_pop(id, EK_FRAME, EK_NULL);
  return x;
}
#endif
/* ek_leave with the pointer's type: ::ek::leave(ID, ((void)::ek::call(ID),
 * f(n))). By value, as the call returns it. */
template <class T> EK_ALWAYS_INLINE T *leave(ek_id id, T *p) EK_NOEXCEPT {
  ek_context_pop(id, EK_FRAME, EK_NULL);
  return p;
}
} // namespace ek
void *operator new(ek_size n, ek::site s);
void *operator new[](ek_size n, ek::site s);
void *operator new(ek_size n, ek::site s, const std::nothrow_t &) EK_NOEXCEPT;
void *operator new[](ek_size n, ek::site s, const std::nothrow_t &) EK_NOEXCEPT;
/* Called if the constructor throws. */
void operator delete(void *p, ek::site s) EK_NOEXCEPT;
void operator delete[](void *p, ek::site s) EK_NOEXCEPT;
void operator delete(void *p, ek::site s, const std::nothrow_t &) EK_NOEXCEPT;
void operator delete[](void *p, ek::site s, const std::nothrow_t &) EK_NOEXCEPT;
#ifdef __cpp_aligned_new
void *operator new(ek_size n, ek::site s, std::align_val_t a);
void *operator new[](ek_size n, ek::site s, std::align_val_t a);
void *operator new(ek_size n, ek::site s, std::align_val_t a,
                   const std::nothrow_t &) EK_NOEXCEPT;
void *operator new[](ek_size n, ek::site s, std::align_val_t a,
                     const std::nothrow_t &) EK_NOEXCEPT;
void operator delete(void *p, ek::site s, std::align_val_t a) EK_NOEXCEPT;
void operator delete[](void *p, ek::site s, std::align_val_t a) EK_NOEXCEPT;
void operator delete(void *p, ek::site s, std::align_val_t a,
                     const std::nothrow_t &) EK_NOEXCEPT;
void operator delete[](void *p, ek::site s, std::align_val_t a,
                       const std::nothrow_t &) EK_NOEXCEPT;
/* For types with extended alignment: the compiler passes the alignment
 * first. */
void *operator new(ek_size n, std::align_val_t a, ek::site s);
void *operator new[](ek_size n, std::align_val_t a, ek::site s);
void *operator new(ek_size n, std::align_val_t a, ek::site s,
                   const std::nothrow_t &) EK_NOEXCEPT;
void *operator new[](ek_size n, std::align_val_t a, ek::site s,
                     const std::nothrow_t &) EK_NOEXCEPT;
void operator delete(void *p, std::align_val_t a, ek::site s) EK_NOEXCEPT;
void operator delete[](void *p, std::align_val_t a, ek::site s) EK_NOEXCEPT;
void operator delete(void *p, std::align_val_t a, ek::site s,
                     const std::nothrow_t &) EK_NOEXCEPT;
void operator delete[](void *p, std::align_val_t a, ek::site s,
                       const std::nothrow_t &) EK_NOEXCEPT;
#endif
#endif

#ifdef __ATOMIC_RELAXED
#define EK_LOADED(byte) __atomic_load_n(&byte, __ATOMIC_RELAXED)
#else
#define EK_LOADED(byte) (*(volatile unsigned char *)&byte)
#endif

/* EK_GLOBAL follows a definition at file scope and runs before main. EK_STATIC
 * follows a declaration in a function and runs when control first reaches it.
 * In C it is itself a declaration, because C89 allows no statement before a
 * declaration. */
#define EK_GLOBAL(site, name) EK_GLOBAL_AT(site, 255u, name)
/* A step more, so that SITE may be a macro. */
#define EK_GLOBAL_AT(site, fast, name) EK_GLOBAL_OF(site, fast, name)
#define EK_GLOBAL_OF(site, fast, name)                                         \
  __attribute__((constructor, used)) static void ek_global_##site(void) {      \
    ek_global_at(site, fast, (void *)&name, sizeof name);                      \
  }
#define EK_STATIC(site, name) EK_STATIC_AT(site, 255u, name)
#define EK_STATIC_AT(site, fast, name) EK_STATIC_OF(site, fast, name)
#ifdef __cplusplus
#define EK_STATIC_OF(site, fast, name)                                         \
  {                                                                            \
    static unsigned char ek_done_##site;                                       \
    if (!EK_LOADED(ek_done_##site))                                            \
      ek_static(site, fast, &ek_done_##site, (void *)&name, sizeof name);      \
  }
#else
#define EK_STATIC_OF(site, fast, name)                                         \
  static unsigned char ek_done_##site;                                         \
  __attribute__((unused)) int ek_now_##site =                                  \
      EK_LOADED(ek_done_##site) ? 0                                            \
                                : (ek_static(site, fast, &ek_done_##site,      \
                                             (void *)&name, sizeof name),      \
                                   0);
#endif

#else /* EVENKEEL_DISABLE */

#define ek_malloc(site, n) malloc(n)
#define ek_malloc_at(site, fast, n) malloc(n)
#define ek_calloc(site, k, n) calloc(k, n)
#define ek_calloc_at(site, fast, k, n) calloc(k, n)
#define ek_realloc(site, p, n) realloc(p, n)
#define ek_realloc_at(site, fast, p, n) realloc(p, n)
#define ek_reallocarray(site, p, k, n) reallocarray(p, k, n)
#define ek_reallocarray_at(site, fast, p, k, n) reallocarray(p, k, n)
#define ek_aligned_alloc(site, a, n) aligned_alloc(a, n)
#define ek_aligned_alloc_at(site, fast, a, n) aligned_alloc(a, n)
#define ek_posix_memalign(site, p, a, n) posix_memalign(p, a, n)
#define ek_posix_memalign_at(site, fast, p, a, n) posix_memalign(p, a, n)
#define ek_memalign(site, a, n) memalign(a, n)
#define ek_memalign_at(site, fast, a, n) memalign(a, n)
#define ek_valloc(site, n) valloc(n)
#define ek_valloc_at(site, fast, n) valloc(n)
#define ek_pvalloc(site, n) pvalloc(n)
#define ek_pvalloc_at(site, fast, n) pvalloc(n)
#define ek_mm_malloc(site, n, a) _mm_malloc(n, a)
#define ek_mm_malloc_at(site, fast, n, a) _mm_malloc(n, a)
#define ek_mm_free(p) _mm_free(p)
#define ek_builtin_malloc(site, n) __builtin_malloc(n)
#define ek_builtin_malloc_at(site, fast, n) __builtin_malloc(n)
#define ek_builtin_calloc(site, k, n) __builtin_calloc(k, n)
#define ek_builtin_calloc_at(site, fast, k, n) __builtin_calloc(k, n)
#define ek_builtin_realloc(site, p, n) __builtin_realloc(p, n)
#define ek_builtin_realloc_at(site, fast, p, n) __builtin_realloc(p, n)
#define ek_builtin_free(p) __builtin_free(p)
#define ek_mmap(site, p, n, r, f, fd, o) mmap(p, n, r, f, fd, o)
#define ek_mmap_at(site, fast, p, n, r, f, fd, o) mmap(p, n, r, f, fd, o)
#define ek_munmap(p, n) munmap(p, n)
#define ek_MPI_Alloc_mem(site, n, info, p) MPI_Alloc_mem(n, info, p)
#define ek_MPI_Alloc_mem_at(site, fast, n, info, p) MPI_Alloc_mem(n, info, p)
#define ek_MPI_Free_mem(p) MPI_Free_mem(p)
#define ek_free(p) free(p)
#define ek_usable_size(p) malloc_usable_size(p) /* <malloc.h> */
#define ek_global(site, p, n) ((void)0)
#define ek_global_at(site, fast, p, n) ((void)0)
#define EK_GLOBAL(site, name)
#define EK_GLOBAL_AT(site, fast, name)
#define EK_STATIC(site, name)
#define EK_STATIC_AT(site, fast, name)
#define ek_enter(id) ((void)0)
#define ek_leave(id, call) (call)
#define ek_leave_number(id, call) (call)
#define ek_exit(id) ((void)0)
#define ek_sync(id, context) ((void)0)
#undef ek_after
#define ek_before() ((void)0)
#define ek_after(id, context, ...) (__VA_ARGS__)
#define ek_after_void(id, context, ...) (__VA_ARGS__)
#define EK_AFTER(id, context) ((
#define ek_relaxed(id, bound, last, ...) MPI_Allreduce(__VA_ARGS__)
#define ek_region_begin(id) ((void)0)
#define ek_region_end(id) ((void)0)
#define ek_acquire_all(task, needs, count) ((void)(needs), 0)
#define ek_release_all(task, needs, count) ((void)(needs), 0)
#define ek_announce(task, needs, count) ((void)(needs))
#define EK_HOLD(task, needs, count) ((void)(needs))
#define ek_acquire(task, p, n, mode) ((void *)(p))
#define ek_release(task, p) ((void)(p), 0)
#define ek_bring_home() ((void)0)
#define EK_VALUES(region, ...) ((void)0)
#ifdef __cplusplus
#include <new>
namespace ek {
/* Keeps the size for the delete that follows if a constructor throws, because
 * the program's own new expression would pass it, too. */
struct site {
  mutable ek_size size;
  explicit site(ek_id, unsigned = ~0u) : size(0) {}
};
struct at {
  explicit at(ek_id, unsigned = ~0u) EK_NOEXCEPT {}
};
struct call {
  explicit call(ek_id) EK_NOEXCEPT {}
};
class maker : public call {
public:
  explicit maker(ek_id id) EK_NOEXCEPT : call(id) {}
};
#ifdef EK_CXX11
template <class T> inline T &&done(ek_id, T &&x) EK_NOEXCEPT {
  return static_cast<T &&>(x);
}
#else
template <class T> inline T &done(ek_id, T &x) EK_NOEXCEPT { return x; }
template <class T> inline const T &done(ek_id, const T &x) EK_NOEXCEPT {
  return x;
}
#endif
template <class T> inline T *leave(ek_id, T *p) EK_NOEXCEPT { return p; }
} // namespace ek
#ifdef __cpp_sized_deallocation
#define EK_SIZED(s) , s.size
#else
#define EK_SIZED(s)
#endif
inline void *operator new(ek_size n, const ek::site &s) {
  s.size = n;
  return ::operator new(n);
}
inline void operator delete(void *p, const ek::site &s) EK_NOEXCEPT {
  (void)s;
  ::operator delete(p EK_SIZED(s));
}
inline void *operator new[](ek_size n, const ek::site &s) {
  s.size = n;
  return ::operator new[](n);
}
inline void operator delete[](void *p, const ek::site &s) EK_NOEXCEPT {
  (void)s;
  ::operator delete[](p EK_SIZED(s));
}
inline void *operator new(ek_size n, const ek::site &,
                          const std::nothrow_t &t) EK_NOEXCEPT {
  return ::operator new(n, t);
}
inline void operator delete(void *p, const ek::site &,
                            const std::nothrow_t &t) EK_NOEXCEPT {
  ::operator delete(p, t);
}
inline void *operator new[](ek_size n, const ek::site &,
                            const std::nothrow_t &t) EK_NOEXCEPT {
  return ::operator new[](n, t);
}
inline void operator delete[](void *p, const ek::site &,
                              const std::nothrow_t &t) EK_NOEXCEPT {
  ::operator delete[](p, t);
}
#ifdef __cpp_aligned_new
inline void *operator new(ek_size n, const ek::site &, std::align_val_t a) {
  return ::operator new(n, a);
}
inline void operator delete(void *p, const ek::site &,
                            std::align_val_t a) EK_NOEXCEPT {
  ::operator delete(p, a);
}
inline void *operator new[](ek_size n, const ek::site &, std::align_val_t a) {
  return ::operator new[](n, a);
}
inline void operator delete[](void *p, const ek::site &,
                              std::align_val_t a) EK_NOEXCEPT {
  ::operator delete[](p, a);
}
inline void *operator new(ek_size n, const ek::site &, std::align_val_t a,
                          const std::nothrow_t &t) EK_NOEXCEPT {
  return ::operator new(n, a, t);
}
inline void operator delete(void *p, const ek::site &, std::align_val_t a,
                            const std::nothrow_t &t) EK_NOEXCEPT {
  ::operator delete(p, a, t);
}
inline void *operator new[](ek_size n, const ek::site &, std::align_val_t a,
                            const std::nothrow_t &t) EK_NOEXCEPT {
  return ::operator new[](n, a, t);
}
inline void operator delete[](void *p, const ek::site &, std::align_val_t a,
                              const std::nothrow_t &t) EK_NOEXCEPT {
  ::operator delete[](p, a, t);
}
inline void *operator new(ek_size n, std::align_val_t a, const ek::site &) {
  return ::operator new(n, a);
}
inline void operator delete(void *p, std::align_val_t a,
                            const ek::site &) EK_NOEXCEPT {
  ::operator delete(p, a);
}
inline void *operator new[](ek_size n, std::align_val_t a, const ek::site &) {
  return ::operator new[](n, a);
}
inline void operator delete[](void *p, std::align_val_t a,
                              const ek::site &) EK_NOEXCEPT {
  ::operator delete[](p, a);
}
inline void *operator new(ek_size n, std::align_val_t a, const ek::site &,
                          const std::nothrow_t &t) EK_NOEXCEPT {
  return ::operator new(n, a, t);
}
inline void operator delete(void *p, std::align_val_t a, const ek::site &,
                            const std::nothrow_t &t) EK_NOEXCEPT {
  ::operator delete(p, a, t);
}
inline void *operator new[](ek_size n, std::align_val_t a, const ek::site &,
                            const std::nothrow_t &t) EK_NOEXCEPT {
  return ::operator new[](n, a, t);
}
inline void operator delete[](void *p, std::align_val_t a, const ek::site &,
                              const std::nothrow_t &t) EK_NOEXCEPT {
  ::operator delete[](p, a, t);
}
#endif
#endif
#endif /* EVENKEEL_DISABLE */

#endif
