#include <stdlib.h>
void *hot(size_t n) { return malloc(n); }
void *cold(size_t n) { return calloc(n, 8); }
void *unplanned(size_t n) { return malloc(n); }
