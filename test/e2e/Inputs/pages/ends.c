// Ends before the watcher can say so: by a signal, or by _exit.
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1)
    raise(SIGKILL);
  _exit(0);
}
