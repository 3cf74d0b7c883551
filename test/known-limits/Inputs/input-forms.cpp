// Three ways of reading numbers that the analysis does not follow.
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
void keep(void *x);
static int table[3] = {5, 5, 5};
static const char *const names[3] = {"--x=", "--y=", "--z="};
int main(int argc, char **argv) {
  long chars = 0;
  std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), chars);
  std::vector<std::string> words(argv, argv + argc);
  long word = std::stol(words[2]);
  for (int i = 1; i < argc; i++)
    for (int j = 0; j < 3; j++)
      if (!std::strncmp(argv[i], names[j], 4))
        table[j] = std::atoi(argv[i] + 4);
  keep(std::malloc(8 * chars));
  keep(std::malloc(8 * word));
  keep(std::malloc(8L * table[1]));
}
