/*===- bt-mz.c - block-tridiagonal solver on zones of uneven size ---------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The shape of NPB's multi-zone BT (van der Wijngaart and Jin 2003): a brick is
 * cut into ZX x ZY zones whose widths grow geometrically, so that the largest
 * zone has about twenty times the points of the smallest; each thread has the
 * zones that a greedy bin packing by points gives it. In every step zones swap
 * the values at their faces and then advance on their own by an approximately
 * factored implicit step (Beam and Warming 1978): the right-hand side, then
 * block-tridiagonal solves with 5 x 5 blocks along x, y and z.
 *
 * The equations are five coupled advection-diffusion equations with a quadratic
 * flux, f_d(u) = K_d u + u^2 / 8 with K_d of full rank, and sources made so
 *that a known smooth field is their discrete steady state: error and residual
 *must fall, and the norms do not depend on the number of threads.
 *
 *   bt-mz NX NY NZ ZX ZY STEPS [--out FILE] [--verify]
 *===----------------------------------------------------------------------===*/
#define PROGRAM "bt-mz"
#include "../common/support.h"
#include <math.h>
#include <omp.h>

enum { VARS = 5, MAX_LINE = 512 };
static const double SPREAD = 20, VISCOSITY = 0.1, BEND = 0.25, STEP = 0.4;

typedef double vec[VARS];
typedef double block[VARS][VARS];

/* One zone: interior nx x ny x nz, and a layer around it with the values of the
 * neighbours or of the boundary. */
struct zone {
  int64_t nx, ny, nz;
  int64_t x0, y0; /* of the first interior point, in the brick */
  int owner;
  vec *u, *rhs, *source;
};

struct brick {
  int64_t nx, ny, nz, zx, zy, zones;
  double h; /* distance of points */
  struct zone *zone;
};

static int64_t at(const struct zone *z, int64_t i, int64_t j, int64_t k) {
  return (k * (z->ny + 2) + j) * (z->nx + 2) + i;
}

/* Coupling of the variables along direction d. */
static double coupling(int d, int r, int c) {
  static const double speed[3] = {1.0, 0.7, 0.4};
  if (r == c)
    return speed[d] * (1 + 0.1 * r);
  return speed[d] * 0.3 / (1 + (r > c ? r - c : c - r)) *
         ((r + c + d) % 2 ? 1 : -1);
}

static double flux(int d, const vec u, int r) {
  double f = BEND / 2 * u[r] * u[r];
  for (int c = 0; c < VARS; c++)
    f += coupling(d, r, c) * u[c];
  return f;
}

/* The steady state at point (i, j, k) of the brick, counted from 0. */
static void steady(const struct brick *b, int64_t i, int64_t j, int64_t k,
                   vec u) {
  double x = (double)i * b->h, y = (double)j * b->h, z = (double)k * b->h;
  for (int r = 0; r < VARS; r++)
    u[r] = 1 + 0.2 * r + 0.3 * sin(2 * x + 0.5 * r) * cos(1.5 * y) +
           0.1 * (r + 1) * z * (1 - z) + 0.2 * sin(x * y + z);
}

/* sum_d (-d f_d / dx_d + VISCOSITY d2 u / dx_d2), times h. */
static void operator_at(const struct brick *b, const struct zone *z,
                        const vec *u, int64_t i, int64_t j, int64_t k, vec to) {
  int64_t p = at(z, i, j, k);
  int64_t stride[3] = {1, z->nx + 2, (z->nx + 2) * (z->ny + 2)};
  for (int r = 0; r < VARS; r++)
    to[r] = 0;
  for (int d = 0; d < 3; d++) {
    const double *low = u[p - stride[d]], *high = u[p + stride[d]];
    for (int r = 0; r < VARS; r++)
      to[r] += -0.5 * (flux(d, high, r) - flux(d, low, r)) +
               VISCOSITY / b->h * (high[r] - 2 * u[p][r] + low[r]);
  }
}

/* Widths of `parts` parts of n, in a geometric row from 1 to sqrt(SPREAD). */
static void cut(int64_t n, int64_t parts, int64_t *first) {
  double ratio = parts > 1 ? pow(SPREAD, 0.5 / (double)(parts - 1)) : 1;
  double sum = 0, width = 1;
  for (int64_t p = 0; p < parts; p++, width *= ratio)
    sum += width;
  double end = 0;
  width = 1;
  first[0] = 0;
  for (int64_t p = 0; p < parts; p++, width *= ratio) {
    end += width;
    first[p + 1] = (int64_t)floor((double)n * end / sum + 0.5);
    if (first[p + 1] <= first[p])
      die("more zones than points", "ZX or ZY");
  }
}

/* Largest zone first, each to the thread with the fewest points so far. */
static void assign_owners(struct brick *b, int threads) {
  int64_t *load = need(calloc((size_t)threads, sizeof(int64_t)));
  for (int64_t n = 0; n < b->zones; n++)
    b->zone[n].owner = -1;
  for (int64_t n = 0; n < b->zones; n++) {
    int64_t largest = -1;
    int least = 0;
    for (int64_t m = 0; m < b->zones; m++)
      if (b->zone[m].owner < 0 &&
          (largest < 0 || b->zone[m].nx * b->zone[m].ny >
                              b->zone[largest].nx * b->zone[largest].ny))
        largest = m;
    for (int t = 1; t < threads; t++)
      if (load[t] < load[least])
        least = t;
    struct zone *z = &b->zone[largest];
    z->owner = least;
    load[least] += z->nx * z->ny * z->nz;
  }
  free(load);
}

static void make_zones(struct brick *b) {
  int64_t *fx = need(malloc((size_t)(b->zx + 1) * sizeof(int64_t)));
  int64_t *fy = need(malloc((size_t)(b->zy + 1) * sizeof(int64_t)));
  cut(b->nx, b->zx, fx);
  cut(b->ny, b->zy, fy);
  b->zones = b->zx * b->zy;
  b->zone = need(malloc((size_t)b->zones * sizeof(struct zone)));
  for (int64_t n = 0; n < b->zones; n++) {
    struct zone *z = &b->zone[n];
    int64_t i = n % b->zx, j = n / b->zx;
    z->nx = fx[i + 1] - fx[i];
    z->ny = fy[j + 1] - fy[j];
    z->nz = b->nz;
    z->x0 = fx[i];
    z->y0 = fy[j];
    if (z->nx > MAX_LINE || z->ny > MAX_LINE || z->nz > MAX_LINE)
      die("zone is too long", "at most 512 points");
    size_t points = (size_t)((z->nx + 2) * (z->ny + 2) * (z->nz + 2));
    z->u = need(malloc(points * sizeof(vec)));
    z->rhs = need(malloc(points * sizeof(vec)));
    z->source = need(malloc(points * sizeof(vec)));
  }
  free(fy);
  free(fx);
}

/* The steady state's source, then a start that is off in the interior of the
 * brick. Boundary values are those of the steady state and stay. */
static void start_zone(const struct brick *b, struct zone *z) {
  for (int64_t k = 0; k < z->nz + 2; k++)
    for (int64_t j = 0; j < z->ny + 2; j++)
      for (int64_t i = 0; i < z->nx + 2; i++)
        steady(b, z->x0 + i, z->y0 + j, k, z->u[at(z, i, j, k)]);
  memset(z->source, 0,
         (size_t)((z->nx + 2) * (z->ny + 2) * (z->nz + 2)) * sizeof(vec));
  for (int64_t k = 1; k <= z->nz; k++)
    for (int64_t j = 1; j <= z->ny; j++)
      for (int64_t i = 1; i <= z->nx; i++)
        operator_at(b, z, z->u, i, j, k, z->source[at(z, i, j, k)]);
  for (int64_t k = 1; k <= z->nz; k++)
    for (int64_t j = 1; j <= z->ny; j++)
      for (int64_t i = 1; i <= z->nx; i++) {
        double bump = sin(M_PI * (double)(z->x0 + i) / (double)(b->nx + 1)) *
                      sin(M_PI * (double)(z->y0 + j) / (double)(b->ny + 1)) *
                      sin(M_PI * (double)k / (double)(b->nz + 1));
        for (int r = 0; r < VARS; r++)
          z->u[at(z, i, j, k)][r] += 0.2 * (r % 2 ? bump : -bump);
      }
}

/* Copies the face of the zone on each side, where there is one. */
static void swap_faces(const struct brick *b, int64_t n) {
  struct zone *z = &b->zone[n];
  int64_t zi = n % b->zx, zj = n / b->zx;
  for (int side = 0; side < 2; side++) {
    if (side ? zi + 1 < b->zx : zi > 0) {
      const struct zone *o = &b->zone[side ? n + 1 : n - 1];
      for (int64_t k = 1; k <= z->nz; k++)
        for (int64_t j = 1; j <= z->ny; j++)
          memcpy(z->u[at(z, side ? z->nx + 1 : 0, j, k)],
                 o->u[at(o, side ? 1 : o->nx, j, k)], sizeof(vec));
    }
    if (side ? zj + 1 < b->zy : zj > 0) {
      const struct zone *o = &b->zone[side ? n + b->zx : n - b->zx];
      for (int64_t k = 1; k <= z->nz; k++)
        memcpy(z->u[at(z, 1, side ? z->ny + 1 : 0, k)],
               o->u[at(o, 1, side ? 1 : o->ny, k)],
               (size_t)z->nx * sizeof(vec));
    }
  }
}

/* rhs = STEP (operator(u) - source). Returns the sum of squares. */
static double compute_rhs(const struct brick *b, struct zone *z) {
  double sum = 0;
  for (int64_t k = 1; k <= z->nz; k++)
    for (int64_t j = 1; j <= z->ny; j++)
      for (int64_t i = 1; i <= z->nx; i++) {
        int64_t p = at(z, i, j, k);
        vec now;
        operator_at(b, z, z->u, i, j, k, now);
        for (int r = 0; r < VARS; r++) {
          z->rhs[p][r] = STEP * (now[r] - z->source[p][r]);
          sum += z->rhs[p][r] * z->rhs[p][r];
        }
      }
  return sum;
}

/* Side block of the implicit operator that belongs to neighbour value u. */
static void side_block(const struct brick *b, int d, const vec u, double sign,
                       block to) {
  for (int r = 0; r < VARS; r++) {
    for (int c = 0; c < VARS; c++)
      to[r][c] = STEP * sign * 0.5 * coupling(d, r, c);
    to[r][r] += STEP * (sign * 0.5 * BEND * u[r] - VISCOSITY / b->h);
  }
}

/* m x = y for the columns of `right` and for v, by elimination without pivots
 * (diagonal blocks dominate). */
static void solve_block(block m, block right, vec v) {
  for (int p = 0; p < VARS; p++) {
    double inverse = 1 / m[p][p];
    for (int c = p + 1; c < VARS; c++)
      m[p][c] *= inverse;
    for (int c = 0; c < VARS; c++)
      right[p][c] *= inverse;
    v[p] *= inverse;
    for (int r = 0; r < VARS; r++) {
      if (r == p)
        continue;
      double factor = m[r][p];
      for (int c = p + 1; c < VARS; c++)
        m[r][c] -= factor * m[p][c];
      for (int c = 0; c < VARS; c++)
        right[r][c] -= factor * right[p][c];
      v[r] -= factor * v[p];
    }
  }
}

/* One line of n points from p on, `stride` apart: block Thomas algorithm. */
static void solve_line(const struct brick *b, struct zone *z, int d, int64_t p,
                       int64_t stride, int64_t n) {
  block upper[MAX_LINE];
  for (int64_t i = 0; i < n; i++, p += stride) {
    block diagonal = {{0}};
    for (int r = 0; r < VARS; r++)
      diagonal[r][r] = 1 + 2 * STEP * VISCOSITY / b->h;
    if (i) {
      block low;
      side_block(b, d, z->u[p - stride], -1, low);
      for (int r = 0; r < VARS; r++)
        for (int m = 0; m < VARS; m++) {
          for (int c = 0; c < VARS; c++)
            diagonal[r][c] -= low[r][m] * upper[i - 1][m][c];
          z->rhs[p][r] -= low[r][m] * z->rhs[p - stride][m];
        }
    }
    side_block(b, d, z->u[p + stride], 1, upper[i]);
    solve_block(diagonal, upper[i], z->rhs[p]);
  }
  p -= stride;
  for (int64_t i = n - 2; i >= 0; i--) {
    p -= stride;
    for (int r = 0; r < VARS; r++)
      for (int c = 0; c < VARS; c++)
        z->rhs[p][r] -= upper[i][r][c] * z->rhs[p + stride][c];
  }
}

static void x_solve(const struct brick *b, struct zone *z) {
  for (int64_t k = 1; k <= z->nz; k++)
    for (int64_t j = 1; j <= z->ny; j++)
      solve_line(b, z, 0, at(z, 1, j, k), 1, z->nx);
}

static void y_solve(const struct brick *b, struct zone *z) {
  for (int64_t k = 1; k <= z->nz; k++)
    for (int64_t i = 1; i <= z->nx; i++)
      solve_line(b, z, 1, at(z, i, 1, k), z->nx + 2, z->ny);
}

static void z_solve(const struct brick *b, struct zone *z) {
  for (int64_t j = 1; j <= z->ny; j++)
    for (int64_t i = 1; i <= z->nx; i++)
      solve_line(b, z, 2, at(z, i, j, 1), (z->nx + 2) * (z->ny + 2), z->nz);
}

static void add(struct zone *z) {
  for (int64_t k = 1; k <= z->nz; k++)
    for (int64_t j = 1; j <= z->ny; j++)
      for (int64_t i = 1; i <= z->nx; i++)
        for (int r = 0; r < VARS; r++)
          z->u[at(z, i, j, k)][r] += z->rhs[at(z, i, j, k)][r];
}

/* One step of all zones; residual[n] is the sum of squares of zone n. */
static void step(const struct brick *b, double *residual) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    for (int64_t n = 0; n < b->zones; n++)
      if (b->zone[n].owner == me)
        swap_faces(b, n);
#pragma omp barrier
    for (int64_t n = 0; n < b->zones; n++) {
      struct zone *z = &b->zone[n];
      if (z->owner != me)
        continue;
      residual[n] = compute_rhs(b, z);
      x_solve(b, z);
      y_solve(b, z);
      z_solve(b, z);
      add(z);
    }
  }
}

static double error_of(const struct brick *b, const struct zone *z) {
  double sum = 0;
  for (int64_t k = 1; k <= z->nz; k++)
    for (int64_t j = 1; j <= z->ny; j++)
      for (int64_t i = 1; i <= z->nx; i++) {
        vec u;
        steady(b, z->x0 + i, z->y0 + j, k, u);
        for (int r = 0; r < VARS; r++) {
          double e = z->u[at(z, i, j, k)][r] - u[r];
          sum += e * e;
        }
      }
  return sum;
}

static double norm(const struct brick *b, const double *squares) {
  double sum = 0;
  for (int64_t n = 0; n < b->zones; n++)
    sum += squares[n];
  return sqrt(sum / (double)(b->nx * b->ny * b->nz * VARS));
}

/* Root of the mean square of the difference from the steady state. */
static double error_norm(const struct brick *b, double *squares) {
#pragma omp parallel
  for (int64_t n = 0; n < b->zones; n++)
    if (b->zone[n].owner == omp_get_thread_num())
      squares[n] = error_of(b, &b->zone[n]);
  return norm(b, squares);
}

static void write_zones(const struct brick *b, const char *path) {
  FILE *f = fopen(path, "wb");
  for (int64_t n = 0; f && n < b->zones; n++) {
    const struct zone *z = &b->zone[n];
    size_t points = (size_t)((z->nx + 2) * (z->ny + 2) * (z->nz + 2));
    if (fwrite(z->u, sizeof(vec), points, f) != points)
      die(strerror(errno), path);
  }
  if (!f || fclose(f))
    die(strerror(errno), path);
}

int main(int argc, char **argv) {
  struct options o = take_options(&argc, argv);
  const char *usage = "NX NY NZ ZX ZY STEPS [--out FILE] [--verify]";
  struct brick b = {0, 0, 0, 0, 0, 0, 0, NULL};
  b.nx = number(argc == 7 ? argv[1] : "", 1, 100000, usage);
  b.ny = number(argv[2], 1, 100000, usage);
  b.nz = number(argv[3], 1, MAX_LINE, usage);
  b.zx = number(argv[4], 1, b.nx, usage);
  b.zy = number(argv[5], 1, b.ny, usage);
  int64_t steps = number(argv[6], 1, 1000000, usage);
  int64_t longest = b.nx > b.ny ? b.nx : b.ny;
  b.h = 1.0 / (double)(longest > b.nz ? longest + 1 : b.nz + 1);
  make_zones(&b);
  assign_owners(&b, omp_get_max_threads());
  double *squares = need(malloc((size_t)b.zones * sizeof(double)));
#pragma omp parallel
  for (int64_t n = 0; n < b.zones; n++)
    if (b.zone[n].owner == omp_get_thread_num())
      start_zone(&b, &b.zone[n]);

  double before = o.verify ? error_norm(&b, squares) : 0, first = 0, last = 0;
  for (int64_t s = 0; s < steps; s++) {
    step(&b, squares);
    last = norm(&b, squares);
    if (s == 0)
      first = last;
  }
  printf("%lld x %lld x %lld points, %lld zones, %lld steps: residual %.12e to "
         "%.12e\n",
         (long long)b.nx, (long long)b.ny, (long long)b.nz, (long long)b.zones,
         (long long)steps, first, last);
  int status = 0;
  if (o.verify) {
    /* Once all is steady, only the rounding of the numbers is left. */
    double floor = 1e-14, after = error_norm(&b, squares);
    status =
        judge("error against the one before", after / (before + floor), 0.99);
    if (steps > 1)
      status |= judge("last residual against the first", last / (first + floor),
                      0.99);
  }
  if (o.out)
    write_zones(&b, o.out);
  free(squares);
  for (int64_t n = 0; n < b.zones; n++) {
    free(b.zone[n].source);
    free(b.zone[n].rhs);
    free(b.zone[n].u);
  }
  free(b.zone);
  return status;
}
