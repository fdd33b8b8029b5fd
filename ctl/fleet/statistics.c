// SPDX-License-Identifier: GPL-2.0
/*
 * Is a difference more than chance? See statistics.h.
 */
#include "fleet/statistics.h"

#include <math.h>

double sample_mean(const struct sample *sample)
{
	return sample->n > 0 ? sample->sum / sample->n : 0;
}

/* The variance, of the whole group that these hosts are drawn from. */
static double variance(const struct sample *sample)
{
	double mean = sample_mean(sample);
	double squares = sample->sum_of_squares - sample->n * mean * mean;

	/* rounding can make it a little negative */
	return squares > 0 ? squares / (sample->n - 1) : 0;
}

/*
 * The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's
 * method.
 */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	/* it converges in O(sqrt(max(a, b))) steps */
	for (int m = 1; m < 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double terms[] = { even, odd }, step = 1;

		for (int i = 0; i < 2; i++) {
			d = 1 + terms[i] * d;
			c = 1 + terms[i] / c;
			d = 1 / (fabs(d) < tiny ? tiny : d);
			c = fabs(c) < tiny ? tiny : c;
			step = c * d;
			f *= step;
		}
		if (fabs(step - 1) < 1e-12)
			break;
	}
	return f;
}

/* The regularized incomplete beta function. */
static double incomplete_beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double welch_p(const struct sample *a, const struct sample *b)
{
	double of_a, of_b, t, freedom;

	if (a->n < 2 || b->n < 2)
		return 1;
	of_a = variance(a) / a->n;
	of_b = variance(b) / b->n;
	if (of_a + of_b <= 0)
		return 1;
	t = (sample_mean(a) - sample_mean(b)) / sqrt(of_a + of_b);
	freedom = (of_a + of_b) * (of_a + of_b) /
		  (of_a * of_a / (a->n - 1) + of_b * of_b / (b->n - 1));
	return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

size_t false_discovery(const double *p, size_t nr, double q)
{
	size_t reported = 0;

	for (size_t i = 0; i < nr; i++)
		if (p[i] <= q * (double)(i + 1) / (double)nr)
			reported = i + 1;
	return reported;
}
