#include <vector>
template <typename T> class Field {
  T *Data;
  long N;

public:
  explicit Field(long N) : Data(new T[N]), N(N) {}
  ~Field() { delete[] Data; }
  T &operator()(long I) { return Data[I]; }
  long size() const { return N; }
};
struct Mesh {
  Field<double> Node;
  Field<float> Weight;
  std::vector<int> Corner;
  Mesh(long Nodes, long Elements);
  void gather(std::vector<double> &Out);
};
struct Solver {
  virtual ~Solver() {}
  virtual double solve(Mesh &M) = 0;
};
Solver *makeSolver(bool Fast);
