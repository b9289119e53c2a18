/* SPDX-License-Identifier: MIT
 *
 * Trials against chance. A trial is a statistic whose distribution is known for fair random
 * numbers; a check is a tally of many of them.
 *
 * A check fails if its least likely trial is one that fair numbers would show, among that many
 * trials, with a probability below MIN_CHANCE, or if all its trials together are more than
 * MAX_ERRORS standard errors from what is expected, which fair numbers are with a probability of
 * 6e-7. So a check of a fair source gives a false alarm for one choice of seeds in 600,000, and
 * since seeds are fixed, a check that passes always passes.
 */
#ifndef PERLANE_QUALITY_STATISTICS_H
#define PERLANE_QUALITY_STATISTICS_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

static const double MIN_CHANCE = 1e-6, MAX_ERRORS = 5;

/* Returns the probability of a chi-square above x with this many degrees of freedom; 0 if x is not
 * finite. */
double chi_square_tail(double x, double freedom);

/* Return the distance of a chi-square from its mean, or of a t statistic from 0, in standard
 * errors: the normal variable of the same probability. */
double normal_of_chi_square(double x, double freedom);
double normal_of_t(double t, double freedom);

struct tally {
  size_t trials;
  double smallest; /* probability of the least likely trial */
  char where[96];  /* which one that was */
  double square, freedom;
};
struct tally tally_start(void);

/* Counts a trial, described by format for the case that it is the least likely. tally_add_alone
 * leaves it out of the total, for trials that depend on each other. */
void tally_add(struct tally *tally, double chi_square, double freedom, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void tally_add_alone(struct tally *tally, double chi_square, double freedom, const char *format,
                     ...) __attribute__((format(printf, 4, 5)));

double tally_chance(const struct tally *tally); /* of a trial as unlikely as the least likely one */
double tally_errors(const struct tally *tally); /* of the total: standard errors from its mean */
int tally_passes(const struct tally *tally);

/* Output number n, from 0, of SplitMix64. */
uint64_t split_mix(uint64_t seed, uint64_t n);

/* In place; sides are powers of two, at most 4096. x is the faster axis. */
void fourier(double complex *value, size_t nx, size_t ny);

/* In place: the sum over i of value[i] times -1 to the number of bits that i and j share. */
void walsh(double *value, size_t n);

/* Memory that is there, or the program ends. */
void *have(size_t bytes);

#endif
