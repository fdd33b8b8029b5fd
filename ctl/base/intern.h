/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interned texts: each different text is stored once and has a number, counted
 * from 0 in the order in which texts were added.
 */
#ifndef FLAMECTL_INTERN_H
#define FLAMECTL_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"

struct intern_text {
	const char *text;		/* ends with a NUL; never moves */
	size_t length;
};

/* Empty if all is 0. */
struct intern {
	struct intern_text *texts;
	uint32_t nr;
	size_t room;
	struct map map;
	struct arena arena;
};

/**
 * intern_add() - get the number of a text; add the text if it is new.
 * @text: @length bytes, none of them NUL; copied.
 *
 * Return: 0 with @number set, -ENOMEM, or -EOVERFLOW for more than 2^32 texts.
 */
int intern_add(struct intern *intern, const char *text, size_t length,
	       uint32_t *number);

/** intern_text() - return the text with this number. */
static inline const char *intern_text(const struct intern *intern,
				      uint32_t number)
{
	return intern->texts[number].text;
}

/** intern_is() - report whether the text with this number is @text. */
static inline bool intern_is(const struct intern *intern, uint32_t number,
			     const char *text, size_t length)
{
	const struct intern_text *held = &intern->texts[number];

	return held->length == length && !memcmp(held->text, text, length);
}

/** intern_deinit() - free all texts; @intern is then empty. */
void intern_deinit(struct intern *intern);

#endif /* FLAMECTL_INTERN_H */
