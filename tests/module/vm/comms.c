// SPDX-License-Identifier: GPL-2.0
/*
 * An unprivileged program that changes its comm all the time, to names with the same
 * jhash(comm, 16, tid).
 *
 *   comms
 *
 * If the module looked tasks up by that hash, or by another one that users can compute,
 * each sample would search through all of them. Runs until it is killed.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define COMM_BYTES	16
#define JHASH_INITVAL	0xdeadbeef
/* About as long as a sampling period at 20 kHz. */
#define SPIN_NS		50000

static uint32_t rol32(uint32_t word, int shift)
{
	return word << shift | word >> (32 - shift);
}

/* The inverse of the kernel's __jhash_mix(): its steps in reverse order. */
static void jhash_unmix(uint32_t *a, uint32_t *b, uint32_t *c)
{
	*b -= *a;
	*c = (*c ^ rol32(*b, 4)) + *b;
	*a -= *c;
	*b = (*b ^ rol32(*a, 19)) + *a;
	*c -= *b;
	*a = (*a ^ rol32(*c, 16)) + *c;
	*b -= *a;
	*c = (*c ^ rol32(*b, 8)) + *b;
	*a -= *c;
	*b = (*b ^ rol32(*a, 6)) + *a;
	*c -= *b;
	*a = (*a ^ rol32(*c, 4)) + *c;
}

/*
 * Compute the comm that ends in @last and has the common hash. The hash mixes the first
 * 12 bytes, then adds the last 4 to the first word of the result. If that sum is always
 * the same, so is the hash.
 */
static int comm_make(char *comm, uint32_t tid, uint32_t last)
{
	uint32_t initial = JHASH_INITVAL + COMM_BYTES + tid;
	uint32_t a = 1 - last, b = 2, c = 3;
	uint32_t words[4];

	jhash_unmix(&a, &b, &c);
	words[0] = a - initial;
	words[1] = b - initial;
	words[2] = c - initial;
	words[3] = last;
	memcpy(comm, words, COMM_BYTES);
	/* a NUL would end the comm too early */
	return strlen(comm) == COMM_BYTES - 1;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

int main(void)
{
	uint32_t tid = gettid(), last;
	char comm[COMM_BYTES];
	uint64_t end;

	/* three bytes, none of them NUL, and the final NUL */
	for (last = 0x010101;; last = last == 0xffffff ? 0x010101 : last + 1) {
		if (!comm_make(comm, tid, last) || prctl(PR_SET_NAME, comm))
			continue;
		for (end = now_ns() + SPIN_NS; now_ns() < end; )
			;
	}
}
