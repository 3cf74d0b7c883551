# c_programs.py - random C programs that allocate and wait
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: csmith generates programs without undefined behaviour, but without heap.
# Blocks that allocate in one of many forms, compute, and free or keep the memory
# are inserted at random places of its text, and into a second unit with its own
# dialect; both share a header with wrappers, macros and arrays.
# Makes: a Program that prints a checksum of everything it computed. The same seed
# gives the same program. Line numbers and __COUNTER__ are part of the checksum.
# Not here: OpenMP beyond the usual (see fuzz_hooks).
import random
import re
import subprocess
import tempfile

from fuzz_rewriter.program import Program

CSMITH = ["csmith", "--max-funcs", "4", "--max-block-depth", "3", "--max-expr-complexity", "5",
          "--max-array-dim", "2"]
HEADER = r"""
#ifndef FUZZ_H
#define FUZZ_H
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <xmmintrin.h>
#define FUZZ_NEW(T, n) ((T *)malloc(sizeof(T) * (n)))
#define FUZZ_ZERO(T, n) \
  ((T *)calloc((n), sizeof(T)))
#define FUZZ_ALLOC malloc
#define FUZZ_PASS(x) x
#define FUZZ_TWICE(x) (fuzz_sum += sizeof(x), x)
#define FUZZ_TEXT(x) (fuzz_sum += sizeof(#x), x)
#define FUZZ_PASTE(a, b) a##b
#define FUZZ_VARIADIC(f, ...) f(__VA_ARGS__)
#define FUZZ_CHECKED(p) ((p) ? (void)0 : abort())
#define FUZZ_LINE (fuzz_sum = fuzz_sum * 7 + __LINE__)
#define FUZZ_FREE(p) do { free(p); (p) = NULL; } while (0)
struct fuzz_pair { int a; double b; };
struct fuzz_box { void *data; int n; };
struct fuzz_methods { void *(*get)(size_t); void (*put)(void *); };
extern unsigned long fuzz_sum;
extern void *fuzz_kept[64];
extern unsigned fuzz_count;
extern double fuzz_shared[20000];
extern struct fuzz_methods fuzz_methods;
static char fuzz_each_unit[70000];
static void fuzz_keep(void *p) {
  if (fuzz_count < 64) fuzz_kept[fuzz_count++] = p; else free(p);
}
static inline void *fuzz_get(size_t n) {
  void *p = malloc(n);
  if (!p) abort();
  return p;
}
__attribute__((noinline)) static void *fuzz_get_zero(size_t n, size_t size) { return calloc(n, size); }
static void *fuzz_grow(void *p, size_t n, int depth) {
  return depth ? fuzz_grow(p, n, depth - 1) : realloc(p, n);
}
static void *fuzz_map(size_t n) {
  void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}
void fuzz_end(void);
void fuzz_other(void);
void *fuzz_old_style();
#endif
"""
SECOND = r"""
#include "fuzz.h"
unsigned long fuzz_sum;
void *fuzz_kept[64];
unsigned fuzz_count;
double fuzz_shared[20000];
struct fuzz_methods fuzz_methods = {malloc, free};
@ARRAYS@
void *fuzz_old_style(n, size)
  int n;
  size_t size;
{
  return malloc(n * size);
}
static void fuzz_released(void) { free(NULL); }
@FUNCTIONS@
void fuzz_other(void) {
  atexit(fuzz_released);
@CALLS@}
void fuzz_end(void) {
  fuzz_other();
  while (fuzz_count) free(fuzz_kept[--fuzz_count]);
  printf("fuzz %lu %d\n", fuzz_sum, __LINE__);
}
"""
ARRAYS = [
    "static int array_K[N];",
    "int array_K[N];",
    "static unsigned char array_K[3][N];",
    "static struct { int x; char y[3]; } array_K[N];",
    "int array_K[];\nint array_K[N];",
    "static const int array_K[N] = {1, 2, 3};",
    "static double array_K[N] __attribute__((aligned(64)));",
    "static int array_K[] = {[N - 1] = 5};",
    "typedef short array_type_K[N];\nstatic array_type_K array_K;",
    "static int array_K[N], *pointer_K = array_K, other_K[N];",
    "static __thread int array_K[N];",
    "static int *array_K[N];",
    "static\nchar\narray_K\n[N]\n;",
    "static union { int i[N]; char c; } array_K[2];",
]
# Directives with statements that all threads of a team may execute concurrently.
TEAM = [
    "#pragma omp for\n for (j = 0; j < 8; j++) part[j] += j;",
    "#pragma omp for nowait\n for (j = 0; j < 8; j++) { part[j] += j; }\n#pragma omp barrier\n",
    "#pragma omp single\n part[0] += 1;",
    "#pragma omp sections\n {\n#pragma omp section\n part[1]++;\n#pragma omp section\n { part[2]++; }\n }",
    "#pragma omp barrier\n ;",
    "#pragma omp single\n {\n#pragma omp task shared(part)\n part[3] += 2;\n#pragma omp taskwait\n part[4] += part[3]; }",
    "#pragma omp master\n part[5]++;\n#pragma omp barrier\n",
    "#pragma omp single\n#pragma omp taskgroup\n {\n#pragma omp task shared(part)\n part[6]++; }",
    "_Pragma(\"omp barrier\") part[omp_id]++;",
]


def allocation(r, k):
    """(element type, count, text that declares `h`, text that frees it)."""
    t = r.choice(["char", "int", "double", "unsigned long", "struct fuzz_pair"])
    n = r.choice([1, 3, 17, 130, 1000, 3000, 20000])
    size = r.choice([f"{n} * sizeof({t})", f"sizeof({t}) * {n}", f"{n} * sizeof *h",
                     f"sizeof(*h) * (size_t){n}", f"/* , ( */ sizeof(*h) * {n} // )\n    "])
    forms = [
        f"{t} *h = malloc({size});",
        f"{t} *h = ({t} *)malloc({size});",
        f"{t} *h = (malloc)({size});",
        f"{t} *h; h = calloc({n}, sizeof *h);",
        f"{t} *h = NULL; h = ({t} *)realloc(h, {size});",
        f"{t} *h = malloc(1); h = realloc(h, /* grows */ {size});",
        f"{t} *h = reallocarray(NULL, {n}, sizeof({t}));",
        f"{t} *h = aligned_alloc(64, ({size} + 63) / 64 * 64);",
        f"void *v; if (posix_memalign(&v, 128, {n} * sizeof({t}))) abort(); {t} *h = v;",
        f"{t} *h = memalign(256, {size}); if ((uintptr_t)h % 256) abort();",
        f"{t} *h = valloc({size}); if ((uintptr_t)h % 4096) abort();",
        f"{t} *h = __builtin_malloc({size});",
        f"{t} *h = FUZZ_NEW({t}, {n});",
        f"{t} *h = FUZZ_ZERO({t}, {n});",
        f"{t} *h = FUZZ_ALLOC({size});",
        f"{t} *h = FUZZ_PASS(malloc({size}));",
        f"{t} *h = FUZZ_PASS(FUZZ_PASS(malloc)({size}));",
        f"{t} *h = FUZZ_TWICE(malloc({n} * sizeof({t})));",
        f"{t} *h = FUZZ_TEXT(malloc({n} * sizeof({t})));",
        f"{t} *h = FUZZ_PASTE(mal, loc)({size});",
        f"{t} *h = FUZZ_VARIADIC(calloc, {n}, sizeof *h);",
        f"{t} *h = (fuzz_sum & 1) ? malloc({size}) : calloc({size}, 1);",
        f"{t} *h = ((fuzz_sum & 1) ? malloc : fuzz_get)({size});",
        f"{t} *h = malloc(\n      {size} // why not\n    );",
        f"{t} *h = memset(malloc({size}), 0, {size});",
        f"{t} *h = (fuzz_sum++, malloc({size}));",
        f"{t} *h = ({{ void *q = malloc({size}); memset(q, 1, 1); q; }});",
        f"{t} *h = _Generic((int)1, int: malloc({size}), char: (void *)0);",
        f"{t} *h = _Generic((char)1, int: calloc, default: fuzz_get_zero)({n}, sizeof({t}));",
        f"{t} *h = malloc(sizeof(malloc(3)) ? {size} : 0);",
        f"{t} *h = malloc(sizeof({t}[{n}]));",
        f"__typeof__(malloc(3)) v = malloc({n} * sizeof({t})); {t} *h = v;",
        f"struct fuzz_box x = {{malloc({n} * sizeof({t})), {n}}}; {t} *h = x.data;",
        f"struct fuzz_box x = {{.n = {n}, .data = malloc({n} * sizeof({t}))}}; {t} *h = x.data;",
        f"{t} *h = ((struct fuzz_box){{calloc({n}, sizeof({t})), 0}}).data;",
        f"{t} *hs[2] = {{malloc({n} * sizeof({t})), calloc({n}, sizeof({t}))}}, *h = hs[1]; free(hs[0]);",
        f"{t} *h; if (!(h = malloc({size}))) abort(); else FUZZ_LINE;",
        f"{t} *h = 0; while (!h) h = malloc({size});",
        f"{t} *h = 0; do h = malloc({size}); while (!h);",
        f"{t} *h = 0; switch ({k % 3}) {{ case 0: h = malloc({size}); break; default: h = calloc({n}, sizeof({t})); }}",
        f"{t} *h = 0; goto there{k}; there{k}: h = malloc({size});",
        f"{t} *h;\n#if defined(FUZZ_H) && 1\n    h = malloc({size});\n#else\n    h = nothing(;\n#endif\n",
        f"{t} *h = \n#ifdef FUZZ_NOT\n    calloc({n},\n#else\n    malloc(\n#endif\n      sizeof({t}) * {n});",
        f"{t} *h = mal\\\nloc({size});",
        f"{t} *h = malloc\\\n({size});",
        f"{t} *h = fuzz_get({size});",
        f"{t} *h = fuzz_get_zero({n}, sizeof *h);",
        f"{t} *h = fuzz_grow(NULL, {size}, 3);",
        f"{t} *h = fuzz_methods.get({size});",
        f"void *(*f)(size_t) = malloc; {t} *h = f({size});",
        f"void *(*f)(size_t, size_t) = &calloc; {t} *h = (*f)({n}, sizeof *h);",
        f"{t} *h = fuzz_old_style({n}, sizeof({t}));",
        f"{t} *h = malloc({n} * sizeof({t})); assert(h != malloc(0) || 1);",
        f"{t} *h = malloc({size}); size_t volatile much = (size_t)-1; void *volatile none = calloc(much, 3); if (none || errno != ENOMEM) abort();",
        f"{t} *h = malloc({size}); if (malloc_usable_size(h) < {n} * sizeof({t})) abort();",
        f"{t} *h = malloc({size}); {{ char *s = strdup(\"text\"); fuzz_sum += strlen(s); free(s); }}",
        f"{t} (*m)[{n}] = malloc(sizeof *m); {t} *h = *m;",
        f"int w = {n}; {t} (*m)[w] = calloc(1, sizeof *m); {t} *h = *m;",
        f"{t} **rows = malloc(2 * sizeof *rows); rows[0] = malloc({n} * sizeof **rows); {t} *h = rows[0]; free(rows);",
        f"uintptr_t u = (uintptr_t)malloc({n} * sizeof({t})); {t} *h = ({t} *)u;",
        f"jmp_buf j; {t} *volatile kept = malloc({n} * sizeof({t})); if (!setjmp(j)) longjmp(j, 1); {t} *h = kept;",
        f"{t} *h; for (h = malloc({size}); !h; ) abort();",
        f"{t} *h = malloc({size}), *second = calloc(1, sizeof({t})); free(second);",
        f"{t} *h = malloc({n} <% 1 ? 1 : 1 %>);".replace(f"{n} <% 1 ? 1 : 1 %>", size),
    ]
    mapped = [
        f"{t} *h = mmap(0, {n} * sizeof({t}), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
        "    if (h == MAP_FAILED) abort();",
        f"{t} *h = fuzz_map({n} * sizeof({t}));",
    ]
    static = [f"static {t} h[{n}];", f"static {t} h[{n}] = {{0}};",
              f"{t} h[{n}]; memset(h, 0, sizeof h);", f"int w = {n}; {t} h[w]; memset(h, 0, sizeof h);",
              f"static {t} own[2][{n}]; {t} *h = own[1];", f"{t} *h = {n} <= 1000 ? __builtin_alloca({n} * sizeof({t})) : (void *)fuzz_shared;"
              f" if (h == (void *)fuzz_shared && {n} * sizeof({t}) > sizeof fuzz_shared) h = memset(malloc({n} * sizeof({t})), 0, 1);",
              f"{t} *h = ({t} *)fuzz_each_unit; if ({n} * sizeof({t}) > sizeof fuzz_each_unit) h = ({t} *)fuzz_shared;"
              f" if ({n} * sizeof({t}) > sizeof fuzz_shared) h = memset(malloc({n} * sizeof({t})), 0, 1);"]
    kind = r.random()
    if kind < 0.06:
        return t, n, r.choice(mapped), f"munmap(h, {n} * sizeof({t}));"
    if kind < 0.10:
        return t, n, f"{t} *h = _mm_malloc({size}, 64);", "_mm_free(h);"
    if kind < 0.28:
        return t, n, r.choice(static), ";"
    give_back = r.choice([
        "free(h);", "if (h) free(h);", "fuzz_keep(h);", "free((void *)h), h = 0;",
        "{ void (*f)(void *) = free; f(h); }", "h = realloc(h, 7); free(h);", "FUZZ_FREE(h);",
        "(free)(h);", "fuzz_methods.put(h);", "FUZZ_PASS(free(h));", "free(realloc(h, 20));",
        "if (fuzz_sum) free(h); else (void)free(h);", "for (; h; free(h), h = NULL) ;",
        "free(  h  )  ;", "{ void *old = h; h = malloc(3); free(old); free(h); }"])
    return t, n, r.choice(forms), give_back


def block(r, k, openmp):
    """A block of statements, as source text."""
    t, n, make, end = allocation(r, k)
    field = ".a" if t == "struct fuzz_pair" else ""

    def loop(clauses):
        return f"\n#pragma omp parallel for {clauses}\n" if openmp and r.random() < 0.5 else "\n"
    fill = (loop(r.choice(["", "schedule(static, 8)"])) +
            f"    for (i = 0; i < {n}; i++) h[i]{field} = (i * 3 + {k}) & 63;")
    use = ("    unsigned long s = 0;" + loop("reduction(+ : s)") +
           f"    for (i = 0; i < {n}; i++) s += (unsigned long)h[i]{field} * (i + 1);\n"
           "    fuzz_sum = fuzz_sum * 31 + s;")
    extra = r.choice(["", "", "FUZZ_LINE;", "fuzz_sum += __COUNTER__;", "fuzz_sum += sizeof(__func__);",
                      "fuzz_sum += sizeof(__FILE__);", "fuzz_sum += __LINE__; // end\n",
                      "\n#line 7\n    FUZZ_LINE;\n"])
    team = ""
    if openmp and r.random() < 0.3:
        inner = "\n".join(r.choice(TEAM) for _ in range(r.randint(1, 3)))
        where = r.choice(["#pragma omp parallel private(j) shared(part)\n    {\n@\n    }",
                          "if (fuzz_sum | 1)\n#pragma omp parallel private(j) shared(part)\n    {\n@\n    }",
                          "for (i = 0; i < 2; i++)\n#pragma omp parallel num_threads(2) private(j)\n    {\n@\n    }"])
        # The order in which threads reach a `_Pragma` barrier does not matter.
        team = ("    { int part[8] = {0}, omp_id = 7, j;\n" +
                where.replace("@", inner.replace("part[omp_id]++;", ";")) +
                "\n    for (i = 0; i < 7; i++) fuzz_sum = fuzz_sum * 3 + part[i]; }\n")
    return f"  {{ int i; {make}{fill}\n{use}\n{team}    {extra} {end} }}\n"


def second_unit(r, openmp):
    arrays, names = [], []
    for k in range(r.randint(1, 4)):
        count = r.choice([10, 9000, 20000, 70000])
        text = r.choice(ARRAYS)
        arrays.append(text.replace("K", str(k)).replace("N", str(count)))
        names.append((k, "const" in text))
    functions, calls = [], []
    for k in range(r.randint(1, 4)):
        head = r.choice([f"static void function_{k}(void)", f"void function_{k}()",
                         f"static inline void function_{k}(void)",
                         f"__attribute__((noinline))\nstatic void\nfunction_{k} (void)"])
        body = block(r, 100 + k, openmp)
        for a, const in names:
            if not const and r.random() < 0.7:
                body += (f"  memset((void *)array_{a}, {k + 1}, sizeof array_{a});\n"
                         f"  fuzz_sum = fuzz_sum * 5 + ((unsigned char *)array_{a})[sizeof array_{a} - 1];\n")
            else:
                body += f"  fuzz_sum += sizeof array_{a} + *(const unsigned char *)array_{a};\n"
        functions.append(f"{head} {{\n{body}}}")
        calls.append(f"  function_{k}();\n")
    return (SECOND.replace("@ARRAYS@", "\n".join(arrays))
            .replace("@FUNCTIONS@", "\n".join(functions)).replace("@CALLS@", "".join(calls)))


def c_program(seed):
    """The C program of \a seed."""
    r = random.Random(f"c {seed}")
    options = [o for o in ("--no-bitfields", "--no-packed-struct", "--no-volatiles", "--no-unions")
               if r.random() < 0.5]
    with tempfile.TemporaryDirectory() as scratch:  # csmith leaves a file behind
        text = subprocess.run([*CSMITH, *options, "--seed", str(seed)], check=True, cwd=scratch,
                              capture_output=True, text=True, timeout=60).stdout
    openmp = r.random() < 0.5
    base = ["-w", "-D_GNU_SOURCE", "-I/usr/include/csmith"] + (["-fopenmp"] if openmp else [])
    p = Program(cxx=False)
    out, spaces = [], r.random()
    for line in text.splitlines(True):
        out.append(line)
        if '#include "csmith.h"' in line:
            out.append('#include "fuzz.h"\n')
        elif re.search(r"\{ /\* block id: \d+ \*/", line) and r.random() < 0.2 + 0.6 * spaces:
            p.blocks += 1
            out.append(block(r, p.blocks, openmp))
        elif "platform_main_end(" in line:
            out.append("    fuzz_end();\n")
    p.add("p.c", "".join(out), base + ["-std=" + r.choice(["gnu11", "gnu17", "gnu99"])])
    p.add("q.c", second_unit(r, openmp), base + ["-std=" + r.choice(["gnu89", "gnu99", "gnu11", "gnu17"])])
    p.add("fuzz.h", HEADER)
    p.link = ["-fopenmp"] if openmp else []
    if r.random() < 0.15: # as if written on another system
        p.files = {name: text.replace("\n", "\r\n") for name, text in p.files.items()}
    return p
