// SPDX-License-Identifier: GPL-2.0
/*
 * Measures the error of windows for whose small rows lots are drawn:
 *
 *   lots FILE SEEDS THRESHOLD...
 *
 * For each threshold: how many of the rows are kept, and by how much shares of all time
 * differ from those of FILE, in points of a percent: the own shares of the twenty largest
 * functions, as root of the mean square over them and SEEDS draws, and the largest.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/pprof/pprof.h"
#include "must.h"
#include "profile/coarse.h"
#include "profile/threshold.h"

#define TOP	20

static struct profile *read_window(const char *path)
{
	struct profile *profile, *coarse;
	struct error error = { "" };
	FILE *in = fopen(path, "r");

	if (!in)
		fail(path, strerror(errno));
	if (pprof_read(in, path, &profile, &error))
		fail(path, error.text);
	fclose(in);
	must(profile_coarse(profile, true, &coarse), path);
	profile_destroy(profile);
	return coarse;
}

/* Add up periods by the leaf's function, which has its number in @all. */
static void sum_own(struct profile *all, const struct profile *profile, double *own)
{
	uint32_t frame;

	for (uint32_t i = 0; i < profile->nr_records; i++) {
		const struct profile_record *record = &profile->records[i];

		if (!record->node)
			continue;
		must(profile_add_frame_of(all, profile, profile->nodes[record->node].frame,
					  &frame), "a frame");
		own[frame] += (double)record->periods;
	}
}

/* Find the largest functions. Return: how many there are, at most TOP. */
static size_t find_top(const struct profile *all, const double *own, uint32_t top[TOP])
{
	size_t nr = 0;

	for (; nr < TOP; nr++) {
		uint32_t best = UINT32_MAX;

		for (uint32_t i = 0; i < all->nr_frames; i++) {
			bool is_taken = false;

			for (size_t j = 0; j < nr; j++)
				is_taken |= top[j] == i;
			if (!is_taken && own[i] > 0 && (best == UINT32_MAX || own[i] > own[best]))
				best = i;
		}
		if (best == UINT32_MAX)
			break;
		top[nr] = best;
	}
	return nr;
}

static void measure(struct profile *all, uint64_t threshold, uint64_t seeds)
{
	double *truth = calloc(all->nr_frames, sizeof(*truth));
	double *own = calloc(all->nr_frames, sizeof(*own));
	double squares = 0, most = 0, points, kept = 0;
	uint32_t top[TOP];
	size_t nr;

	must(truth && own ? 0 : -ENOMEM, "memory");
	sum_own(all, all, truth);
	nr = find_top(all, truth, top);
	if (!nr || !all->books.stored)
		fail("the file", "it has no functions");
	for (uint64_t seed = 0; seed < seeds; seed++) {
		struct profile *drawn;

		must(threshold_draw(all, threshold, seed, &drawn), "lots");
		memset(own, 0, all->nr_frames * sizeof(*own));
		sum_own(all, drawn, own);
		for (size_t i = 0; i < nr; i++) {
			points = 100 * fabs(own[top[i]] - truth[top[i]]) /
				 (double)all->books.stored;
			squares += points * points;
			most = fmax(most, points);
		}
		kept += drawn->nr_records;
		profile_destroy(drawn);
	}
	printf("%" PRIu64 ": %.1f %% of %" PRIu32 " rows, error %.3f, at most %.3f points\n",
	       threshold, 100 * kept / (double)seeds / all->nr_records, all->nr_records,
	       sqrt(squares / (double)(seeds * nr)), most);
	free(truth);
	free(own);
}

int main(int argc, char **argv)
{
	uint64_t seeds = argc > 3 ? strtoull(argv[2], NULL, 10) : 0;
	struct profile *all;

	if (!seeds)
		fail("usage", "lots FILE SEEDS THRESHOLD...");
	all = read_window(argv[1]);
	for (int i = 3; i < argc; i++) {
		uint64_t threshold = strtoull(argv[i], NULL, 10);

		if (threshold < 2 || threshold > THRESHOLD_MAX)
			fail(argv[i], "a threshold is from 2 to 1000000");
		measure(all, threshold, seeds);
	}
	profile_destroy(all);
	return 0;
}
