/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Segments of a program: which part of its file is mapped at which address. A profile has
 * offsets in the program's file, symbols have addresses.
 */
#ifndef FLAMECTL_SYMBOLS_SEGMENTS_H
#define FLAMECTL_SYMBOLS_SEGMENTS_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct segment {
	uint64_t offset, size;		/* in the file, in bytes */
	uint64_t address;		/* where it is mapped, without a bias */
};

/* It begins as all zeros. */
struct segments {
	struct segment *list;
	size_t nr, room;
};

/**
 * segments_read() - read the segments of a program.
 * @segments: filled; to be freed by segments_deinit(), after an error as well.
 * @elf: the program, which stays the caller's.
 *
 * Return: 0 or -ENOMEM.
 */
int segments_read(struct segments *segments, Elf *elf);

/**
 * segments_restore() - find out from a debug file where the program has its text.
 * @segments: filled with the segments that hold text; as above.
 * @elf: the debug file, which stays the caller's.
 *
 * Return: 0, -ENOMEM, or -ENOTSUP if it does not say for certain, or has no symbols.
 */
int segments_restore(struct segments *segments, Elf *elf);

/** segments_deinit() - free what @segments holds. */
void segments_deinit(struct segments *segments);

/**
 * segments_address() - find the address of a place in the program's file.
 * @address: set to it if there is one.
 *
 * Return: false if no segment has the place.
 */
bool segments_address(const struct segments *segments, uint64_t offset,
		      uint64_t *address);

#endif /* FLAMECTL_SYMBOLS_SEGMENTS_H */
