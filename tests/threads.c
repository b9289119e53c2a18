/* SPDX-License-Identifier: MIT
 *
 * Threads: many threads make the first call at once, fill neighbouring memory from shared fields
 * and expressions, and change the choice of kernels meanwhile. The thread sanitizer finds unordered
 * accesses; without it, the test finds changed bits.
 */
#include "calls.h"

#include "perlane_expression.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8 };

/* A thread's work, and the results that it must have, which the reference computes without the
 * dispatcher. */
enum { COLUMNS = 61, ROWS = 7, SAMPLES = COLUMNS * ROWS };
enum job { FILL, FILL_GRADIENT, POINTS, AT, CURRENT, INIT, SELFTEST, JOBS };
struct task {
  perlane_params params;
  perlane_noise field, noise; /* noise is the field, or an expression of it */
  int is_expression;
  perlane_grid grid;
  struct call call[POINTS + 1]; /* without outputs */
  float coordinate[2][SAMPLES];
  float filled[SAMPLES], slope[2][SAMPLES], listed[SAMPLES], low, high;
};

/* Initializes the task's noise, as any thread may. */
static perlane_status init(const struct task *task, perlane_noise *noise) {
  const perlane_noise *const fields[] = {&task->field};
  return task->is_expression
             ? perlane_expression_init(noise, "at(x + 9*a, y, a) - smooth(-1, 2*abs(a), 0.3*a)", 1,
                                       (const char *const[]){"a"}, fields)
             : perlane_init(noise, &task->params);
}

static void make_task(struct random *random, struct task *task) {
  do { /* the grids are within the domain */
    do
      task->params = random_params(random, 2);
    while (!has_gradient(&task->params) || task->params.valleys != 0); /* which take long */
    task->params.hash = PERLANE_HASH_LATTICE; /* tables are shared by all params of these tests */
    task->params.gradients = PERLANE_GRADIENTS_SPHERE;
    make_valid(&task->params, 2);
    task->field = noise_of(&task->params);
  } while (perlane_range(&task->field, 2, &task->low, &task->high) != PERLANE_OK ||
           task->field.highest_frequency > 1e6);
  task->is_expression = random_below(random, 2) == 0;
  assert_ok(init(task, &task->noise));
  assert_ok(perlane_range(&task->noise, 2, &task->low, &task->high));
  task->grid = grid_of(2, (size_t[]){COLUMNS, ROWS});
  for (int a = 0; a < 2; a++) {
    task->grid.step[a] = random_between(random, -0.5, 0.5);
    task->grid.origin[a] = random_between(random, -100, 100);
    for (int i = 0; i < SAMPLES; i++)
      task->coordinate[a][i] = (float)random_between(random, -100, 100);
  }
  for (int job = 0; job <= POINTS; job++) {
    struct call *call = &task->call[job];
    *call = (struct call){.form = job == FILL_GRADIENT ? GRADIENT : VALUES, .grid = task->grid};
    if (job == POINTS) {
      call->grid = grid_of(2, (size_t[]){SAMPLES, 1});
      call->coords[0] = task->coordinate[0];
      call->coords[1] = task->coordinate[1];
    }
    call->value = job == POINTS ? task->listed : task->filled;
    call->gradient[0] = task->slope[0];
    call->gradient[1] = task->slope[1];
    expect(&task->noise, call);
  }
}

/* Threads report instead of failing: what is wrong, or NULL. */
#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition))                                                                              \
      return #condition;                                                                           \
  } while (0)

static const char *do_job(const struct task *task, enum job job) {
  float out[SAMPLES], slope[2][SAMPLES];
  switch (job) {
  case FILL:
  case FILL_GRADIENT:
  case POINTS: {
    struct call call = task->call[job];
    call.value = out;
    call.gradient[0] = slope[0];
    call.gradient[1] = slope[1];
    EXPECT(evaluate(NULL, &task->noise, &call) == PERLANE_OK);
    EXPECT(memcmp(out, task->call[job].value, sizeof out) == 0);
    EXPECT(job != FILL_GRADIENT || memcmp(slope, task->slope, sizeof slope) == 0);
    return NULL;
  }
  case AT:
    for (int i = 0; i < 9; i++) {
      const double position[2] = {(double)task->coordinate[0][i], (double)task->coordinate[1][i]};
      EXPECT(bits_of(perlane_at(&task->noise, 2, position)) == bits_of(task->listed[i]));
    }
    return NULL;
  case CURRENT:
    EXPECT(perlane_isa_supported(perlane_isa_current()));
    return NULL;
  case INIT: {
    perlane_noise noise;
    float low, high;
    EXPECT(init(task, &noise) == PERLANE_OK);
    EXPECT(perlane_range(&noise, 2, &low, &high) == PERLANE_OK);
    EXPECT(bits_of(low) == bits_of(task->low) && bits_of(high) == bits_of(task->high));
    EXPECT(perlane_fill(&noise, &task->grid, out) == PERLANE_OK);
    EXPECT(memcmp(out, task->filled, sizeof out) == 0);
    return NULL;
  }
  case SELFTEST:
    EXPECT(perlane_selftest(PERLANE_ISA_AUTO, NULL) == PERLANE_OK);
    return NULL;
  case JOBS:
    break;
  }
  return "an unknown job";
}

/* ---- Threads that start at once ---- */

struct worker {
  pthread_barrier_t *start;
  const struct task *task;
  const char *(*work)(struct worker *worker);
  struct random random;
  int number;
  const char *error;
  perlane_isa isa;
  float *shared;
};

static void *run_worker(void *argument) {
  struct worker *worker = argument;
  pthread_barrier_wait(worker->start);
  worker->error = worker->work(worker);
  return NULL;
}

/* Runs them all; NULL, or what one of them found. */
static const char *run_workers(struct worker *worker, int count) {
  pthread_barrier_t start;
  pthread_t thread[THREADS];
  const char *error = NULL;
  if (pthread_barrier_init(&start, NULL, (unsigned)count) != 0)
    return "no barrier";
  for (int i = 0; i < count; i++) {
    worker[i].start = &start;
    worker[i].number = i;
    if (pthread_create(&thread[i], NULL, run_worker, &worker[i]) != 0)
      abort();
  }
  for (int i = 0; i < count; i++) {
    pthread_join(thread[i], NULL);
    error = worker[i].error ? worker[i].error : error;
  }
  pthread_barrier_destroy(&start);
  return error;
}

/* ---- The first call ---- */

static const char *first_call(struct worker *worker) {
  const char *error = do_job(worker->task, (enum job)random_below(&worker->random, SELFTEST));
  worker->isa = perlane_isa_current();
  return error;
}

static const char *first_call_or_force(struct worker *worker) {
  if (worker->number == 0) {
    EXPECT(perlane_force_isa(PERLANE_ISA_SCALAR) == PERLANE_OK);
    EXPECT(perlane_isa_current() == PERLANE_ISA_SCALAR); /* which wins over all choices */
  }
  return do_job(worker->task, (enum job)random_below(&worker->random, SELFTEST));
}

/* In a process that has not chosen its kernels yet. */
static const char *race(struct random random, const struct task *task) {
  struct worker worker[THREADS];
  const int forced = random_below(&random, 4) == 0, variable_is_set = (int)random_below(&random, 2);
  perlane_isa wanted;
  do
    wanted = (perlane_isa)(1 + random_below(&random, PERLANE_ISA_COUNT - 1));
  while (!perlane_isa_supported(wanted));
  unsetenv("PERLANE_ISA");
  if (variable_is_set)
    setenv("PERLANE_ISA", perlane_isa_name(wanted), 1);
  for (int i = 0; i < THREADS; i++)
    worker[i] = (struct worker){.task = task,
                                .work = forced ? first_call_or_force : first_call,
                                .random = random_seeded(random_word(&random))};
  const char *error = run_workers(worker, THREADS);
  if (error)
    return error;
  if (forced) {
    EXPECT(perlane_isa_current() == PERLANE_ISA_SCALAR);
    return NULL;
  }
  for (int i = 0; i < THREADS; i++)
    EXPECT(worker[i].isa == (variable_is_set ? wanted : best_isa()));
  return NULL;
}

/* Must run before anything in this process has the kernels chosen. */
static void first_call_is_raced(void **state) {
  (void)state;
  struct random random = random_start("the first call is raced");
  static struct task task;
  const size_t cases = effort(150);
  for (size_t c = 0; c < cases; c++) {
    make_task(&random, &task);
    const struct random own = random_seeded(random_word(&random));
    fflush(stdout);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      const char *error = race(own, &task);
      if (error)
        fprintf(stderr, "not so: %s\n", error);
      _exit(error != NULL);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status != 0)
      print_message("process %zu ended with status %x\n", c, (unsigned)status);
    assert_int_equal(status, 0);
  }
  print_message("processes whose first call was raced: %zu\n", cases);
}

/* ---- Neighbours ---- */

/* Each thread has every THREADSth of the columns, or of the points: what one writes beyond its own,
 * another finds. */
enum { ROUNDS = 6 };
static struct task shared_task;

static const char *fill_own_columns(struct worker *worker) {
  perlane_grid mine = shared_task.grid;
  /* The widths differ, so that columns begin and end anywhere within a vector. */
  const size_t begin = (size_t)(worker->number * COLUMNS / THREADS);
  const size_t end = (size_t)((worker->number + 1) * COLUMNS / THREADS);
  mine.first[0] = (int64_t)begin;
  mine.count[0] = end - begin;
  mine.stride[1] = COLUMNS;
  for (int round = 0; round < ROUNDS; round++) {
    for (size_t y = 0; y < ROWS; y++)
      memset(worker->shared + y * COLUMNS + begin, round, (end - begin) * sizeof(float));
    EXPECT(perlane_fill(&shared_task.noise, &mine, worker->shared + begin) == PERLANE_OK);
    for (size_t y = 0; y < ROWS; y++)
      EXPECT(memcmp(worker->shared + y * COLUMNS + begin, shared_task.filled + y * COLUMNS + begin,
                    (end - begin) * sizeof(float)) == 0);
  }
  return NULL;
}

static const char *list_own_points(struct worker *worker) {
  const size_t begin = (size_t)(worker->number * SAMPLES / THREADS);
  const size_t end = (size_t)((worker->number + 1) * SAMPLES / THREADS);
  const float *const coords[2] = {shared_task.coordinate[0] + begin,
                                  shared_task.coordinate[1] + begin};
  for (int round = 0; round < ROUNDS; round++) {
    memset(worker->shared + begin, round, (end - begin) * sizeof(float));
    EXPECT(points_of(&shared_task.noise, 2, end - begin, NULL, coords, worker->shared + begin,
                     NULL) == PERLANE_OK);
    EXPECT(memcmp(worker->shared + begin, shared_task.listed + begin,
                  (end - begin) * sizeof(float)) == 0);
  }
  return NULL;
}

static void neighbours(void **state) {
  (void)state;
  struct random random = random_start("neighbours");
  static const char *(*const work[])(struct worker *) = {fill_own_columns, list_own_points};
  static float shared[SAMPLES];
  const size_t cases = effort(240);
  for (size_t c = 0; c < cases; c++) {
    struct worker worker[THREADS];
    make_task(&random, &shared_task);
    force_any(&random);
    for (int i = 0; i < THREADS; i++)
      worker[i] = (struct worker){.work = work[c % 2], .shared = shared};
    const char *error = run_workers(worker, THREADS);
    if (error) {
      print_message("%s: not so: %s\n", perlane_isa_name(perlane_isa_current()), error);
      print_params(&shared_task.params);
    }
    assert_null(error);
    assert_memory_equal(shared, c % 2 ? shared_task.listed : shared_task.filled, sizeof shared);
  }
  force(PERLANE_ISA_AUTO);
  print_message("maps filled by %d threads at once: %zu\n", THREADS, cases);
}

/* ---- The choice changes ---- */

enum { CALLS = 40 };

static const char *change_the_choice(struct worker *worker) {
  for (int i = 0; i < 5 * CALLS; i++) {
    const perlane_isa isa = (perlane_isa)random_below(&worker->random, PERLANE_ISA_COUNT);
    const perlane_status status = perlane_force_isa(isa);
    EXPECT((status == PERLANE_OK) == perlane_isa_supported(isa));
    EXPECT(perlane_isa_supported(perlane_isa_current()));
  }
  return NULL;
}

static const char *any_jobs(struct worker *worker) {
  for (int i = 0; i < CALLS; i++) {
    const char *error = do_job(worker->task, (enum job)random_below(&worker->random, SELFTEST));
    if (error)
      return error;
  }
  return worker->number == THREADS - 1 ? do_job(worker->task, SELFTEST) : NULL;
}

/* A process that is forked while other threads compute, and change the choice. */
static const char *fork_and_compute(struct worker *worker) {
  for (int i = 0; i < 10; i++) {
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
      const char *error = NULL;
      for (int job = 0; job < SELFTEST && !error; job++)
        error = do_job(worker->task, (enum job)job);
      _exit(error != NULL);
    }
    int status = 1;
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(status == 0);
  }
  return NULL;
}

static void choice_changes(void **state) {
  (void)state;
  struct random random = random_start("the choice changes");
  static struct task task[3];
  const size_t cases = effort(60);
  for (size_t c = 0; c < cases; c++) {
    struct worker worker[THREADS];
    for (int i = 0; i < 3; i++)
      make_task(&random, &task[i]);
    for (int i = 0; i < THREADS; i++)
      worker[i] = (struct worker){.task = &task[i % 3],
                                  .work = i < 2              ? change_the_choice
                                          : i == 2 && c == 0 ? fork_and_compute
                                                             : any_jobs,
                                  .random = random_seeded(random_word(&random))};
    const char *error = run_workers(worker, THREADS);
    if (error)
      print_message("not so: %s\n", error);
    assert_null(error);
  }
  force(PERLANE_ISA_AUTO);
  print_message("calls while the choice changes: %zu\n", cases * CALLS * (THREADS - 2));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_call_is_raced), /* first: it needs a fresh process to fork */
      cmocka_unit_test(neighbours),
      cmocka_unit_test(choice_changes),
  };
  return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
