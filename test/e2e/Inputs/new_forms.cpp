// Every form of new with its delete, small and large, and constructors that
// throw halfway: for AddressSanitizer, which tells the forms apart.
#include <cstdio>
#include <cstring>
#include <new>

static int Count;

template <size_t N> struct Plain {
  char Bytes[N];
  Plain() {
    if (++Count == 3)
      throw Count;
  }
  ~Plain() { Bytes[0] = 0; }
};
template <size_t N> struct alignas(128) Wide : Plain<N> {};

static size_t many(size_t N) {
  volatile size_t Hidden = N;
  return Hidden;
}

template <class T> static int forms(size_t N) {
  int Thrown = 0;
  Count = 3; // none throws
  T *One = new T, *Many = new T[many(N)];
  delete One;
  delete[] Many;
  T *OneOrNot = new (std::nothrow) T;
  T *ManyOrNot = new (std::nothrow) T[many(N)];
  delete OneOrNot;
  delete[] ManyOrNot;
  for (int Form = 0; Form < 4; ++Form) {
    Count = Form % 2 ? 0 : 2; // a single one throws, or the third of many
    try {
      switch (Form) {
      case 0:
        (void)new T;
        break;
      case 1:
        (void)new T[many(N)];
        break;
      case 2:
        (void)new (std::nothrow) T;
        break;
      case 3:
        (void)new (std::nothrow) T[many(N)];
        break;
      }
    } catch (int) {
      ++Thrown;
    }
  }
  return Thrown;
}

int main() {
  int *Trivial = new int[many(100000)];
  memset(Trivial, 1, 100000 * sizeof(int));
  delete[] Trivial;
  auto Align = std::align_val_t(4096);
  auto *Page = new (Align) int[many(10)];
  operator delete[](Page, Align);
  printf("thrown %d\n", forms<Plain<16>>(5) + forms<Plain<100000>>(5) +
                            forms<Wide<16>>(5) + forms<Wide<100000>>(5));
}
