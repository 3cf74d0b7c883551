#include <cstdlib>
static void *inner(size_t N) {
  void *P = std::malloc(N);
  if (N == 77000)
    throw N;
  return P;
}
template <class T> T *outer(size_t N) { return static_cast<T *>(inner(N)); }
static void quick() { std::free(outer<char>(70000)); }
static void slow() { std::free(outer<char>(70000)); }
int main() {
  for (int I = 0; I < 3; ++I) {
    quick();
    slow();
    try {
      outer<char>(77000);
    } catch (size_t) {
    }
    std::free(inner(70000));
  }
}
