#ifndef MACROS_H
#define MACROS_H
#include <stdlib.h>
#define XMALLOC(n) malloc(n)
#define NEW(T, n) ((T *)malloc((n) * sizeof(T)))
#define OUTER(T, n) NEW(T, (n) + 1)
#ifdef SPECIAL
#define CHOSEN(n) calloc(n, 4)
#else
#define CHOSEN(n) malloc(n)
#endif
#endif
