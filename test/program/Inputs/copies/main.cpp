#include "copies.h"

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 100;
  first(n);
  second(2 * n + 1);
}
