#include <stdlib.h>
void *good(void) { return malloc(1); }
