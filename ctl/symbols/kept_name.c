// SPDX-License-Identifier: GPL-2.0
/*
 * Keep names of functions: see kept_name.h.
 */
#include "symbols/kept_name.h"

#include "base/utf8.h"
#include "symbols/symbols.h"

int kept_name_add(struct intern *texts, const char *name, uint32_t *number)
{
	size_t length = strnlen(name, SYMBOLS_NAME_MAX + 1);
	char cut[SYMBOLS_NAME_MAX + 2];

	if (length <= SYMBOLS_NAME_MAX)
		return intern_add(texts, name, length, number);
	memcpy(cut, name, length);
	cut[length] = '\0';
	utf8_cut(cut, SYMBOLS_NAME_MAX);
	return intern_add(texts, cut, strlen(cut), number);
}
