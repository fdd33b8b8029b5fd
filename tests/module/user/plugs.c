// SPDX-License-Identifier: GPL-2.0
/*
 * plugs DIRECTORY SPINS ROUNDS WAY - call two plugins in turn, at one address.
 *
 * WAY is close (dlclose() the one, dlopen() the other) or over (map the text of the one
 * over that of the other, in one call). Prints how often a plugin was at the address of
 * the one before, and how often not.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define APART	__attribute__((noinline, noclone, used))
#define STAY()	__asm__ volatile("" ::: "memory")

typedef void (*work)(unsigned int spins, void (*back)(unsigned int));

/* Where a plugin's text is. */
struct text {
	char path[4096];
	off_t offset;
	size_t bytes;
	size_t work;		/* from there to the function */
};

static APART void back_a(unsigned int spins)
{
	for (volatile unsigned int i = 0; i < spins; i = i + 1)
		;
}

static APART void back_b(unsigned int spins)
{
	for (volatile unsigned int i = 0; i < spins; i = i + 1)
		;
}

static APART void call_a(work work, unsigned int spins)
{
	work(spins, back_a);
	STAY();
}

static APART void call_b(work work, unsigned int spins)
{
	work(spins, back_b);
	STAY();
}

static void fail(const char *what)
{
	fprintf(stderr, "plugs: %s\n", what);
	exit(1);
}

static void *open_plug(const char *directory, int which, work *work)
{
	char path[4096], name[] = "plug_a_work";
	void *handle;

	name[5] = 'a' + which;
	snprintf(path, sizeof(path), "%s/plug-%c.so", directory, name[5]);
	handle = dlopen(path, RTLD_NOW);
	*work = handle ? dlsym(handle, name) : NULL;
	if (!*work)
		fail("no plugin");
	return handle;
}

static void count(work work, unsigned int *same, unsigned int *other)
{
	static void *last;

	if (last == (void *)work)
		++*same;
	else if (last)
		++*other;
	last = (void *)work;
}

static int find_text(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct text *text = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + header->p_vaddr;

		if (header->p_type != PT_LOAD || text->work < start ||
		    text->work - start >= header->p_memsz)
			continue;
		text->offset = header->p_offset;
		text->bytes = header->p_memsz;
		text->work -= start;
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int spins, rounds, same = 0, other = 0;
	struct text texts[2];
	bool is_over;
	void *place;
	int files[2];

	if (argc != 5)
		fail("usage: plugs DIRECTORY SPINS ROUNDS close|over");
	spins = atoi(argv[2]);
	rounds = atoi(argv[3]);
	is_over = !strcmp(argv[4], "over");
	for (int i = 0; i < 2; i++) {
		work work;
		void *handle = open_plug(argv[1], i, &work);

		texts[i].work = (size_t)work;
		if (!dl_iterate_phdr(find_text, &texts[i]))
			fail("no text");
		snprintf(texts[i].path, sizeof(texts[i].path), "%s/plug-%c.so", argv[1], 'a' + i);
		files[i] = open(texts[i].path, O_RDONLY);
		dlclose(handle);
	}
	place = mmap(NULL, texts[0].bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (texts[0].bytes != texts[1].bytes || texts[0].work != texts[1].work)
		fail("the plugins are not alike");
	for (unsigned int i = 0; i < rounds; i++) {
		void *handle = NULL;
		work work;

		if (is_over) {
			const struct text *text = &texts[i % 2];

			if (mmap(place, text->bytes, PROT_READ | PROT_EXEC,
				 MAP_PRIVATE | MAP_FIXED, files[i % 2], text->offset) != place)
				fail("not mapped");
			work = (void *)((char *)place + text->work);
		} else {
			handle = open_plug(argv[1], i % 2, &work);
		}
		count(work, &same, &other);
		if (i % 2)
			call_b(work, spins);
		else
			call_a(work, spins);
		if (handle)
			dlclose(handle);
	}
	printf("%u %u\n", same, other);
	return 0;
}
