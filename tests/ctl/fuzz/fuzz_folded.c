// SPDX-License-Identifier: GPL-2.0
/*
 * Folded text: ctl/tree/folded.c, ctl/tree/kind.c and ctl/tree/tree.c. The sum of the tree is
 * that of the lines, added up here once more.
 */
#include "fuzz.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The sum of what the lines end in, of a text that was accepted. */
static uint64_t sum_lines(const char *text, size_t size)
{
	uint64_t sum = 0;

	for (const char *at = text, *end = text + size; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *last = newline ? newline : end, *digit;

		while (last > at && strchr(" \t\r", last[-1]))
			last--;
		for (digit = last; digit > at && isdigit((unsigned char)digit[-1]);)
			digit--;
		/* a comment may end in a digit and have no count: it is skipped */
		if (*at == '#' && (digit == at || !strchr(" \t", digit[-1])))
			digit = last;
		if (digit < last) {
			char number[32] = "";

			/* zeros may lead */
			while (digit < last - 1 && *digit == '0')
				digit++;
			must(last - digit < 24);
			memcpy(number, digit, (size_t)(last - digit));
			sum += strtoull(number, NULL, 10);
		}
		at = newline ? newline + 1 : end;
	}
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tree *tree = tree_create();
	FILE *in = fuzz_open(data, size);
	struct error error;

	must(tree);
	if (fold_read(tree, in, &error)) {
		must(*error.text);
	} else {
		tree_sum(tree);
		must(fuzz_tree(tree) == sum_lines((const char *)data, size));
		fuzz_folded(tree);
		fuzz_svg(tree, NULL);
	}
	fclose(in);
	tree_destroy(tree);
	return 0;
}
