// SPDX-License-Identifier: GPL-2.0
/*
 * Folded text: "root;...;leaf weight", one line per stack, as the flame graph
 * tools of others read and write it.
 *
 * What is read may come from anywhere, so a line that cannot be told is
 * refused by its number; what is written can always be read back.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kind.h"
#include "tree.h"
#include "utf8.h"

/* The longest line that is written, so that it can be read back. */
#define LINE_MAX_BYTES (64u << 20)

/* Of a weight, with a blank before and a newline behind it. */
#define COUNT_BYTES sizeof(" 18446744073709551615\n")

/* How much of a bad value a message shows. */
#define SHOWN_MAX 40

struct text {
	char *bytes;
	size_t length, room;
};

static int text_reserve(struct text *text, size_t more)
{
	size_t room = text->room ? text->room : 4096;
	char *bytes;

	while (room - text->length < more)
		room *= 2;
	if (room == text->room)
		return 0;
	bytes = realloc(text->bytes, room);
	if (!bytes)
		return -ENOMEM;
	text->bytes = bytes;
	text->room = room;
	return 0;
}

/* "12", "-3", "1.5", "1e9": what was meant as a count, right or wrong. */
static bool is_number(const char *word)
{
	word += *word == '-' || *word == '+';
	return isdigit((unsigned char)*word) &&
	       !word[strspn(word, "0123456789.eE+-")];
}

/*
 * Where the blank is before what would be taken for a first count, as in
 * "Web Content 3"; the levels of this program ("pid 3") never are.
 */
static char *find_count(char *leaf)
{
	struct kind_state state = { .depth = 1 };
	char *space = strrchr(leaf, ' ');

	if (!space || !is_number(space + 1) ||
	    kind_of_frame(&state, leaf) == TREE_TASK)
		return NULL;
	return space;
}

static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/*
 * Writing. The text is the path from the root, a ';' behind each frame. What
 * is no UTF-8 is replaced as well: a terminal may take it for control
 * characters, and readers of text stop at it.
 */
static int text_add_frame(struct text *text, const struct tree_node *node)
{
	const char *name = node->name, *at;
	char *to;
	int err;

	if (!name[strspn(name, " ")])
		name = "[unknown]";
	err = text_reserve(text, strlen(name) + 1);
	if (err)
		return err;

	to = text->bytes + text->length;
	while (*(at = name)) {
		uint32_t c = utf8_next(&name);

		if (c == ';' || utf8_steers(c) || !utf8_length(at))
			*to++ = '_';
		else
			to = mempcpy(to, at, name - at);
	}
	if (node->kind != TREE_LOST && !strncmp(node->name, "[lost: ", 7))
		text->bytes[text->length] = '_';
	*to++ = ';';
	text->length = to - text->bytes;
	return text->length > LINE_MAX_BYTES - COUNT_BYTES ? -EFBIG : 0;
}

static void text_drop_frame(struct text *text)
{
	do
		text->length--;
	while (text->length && text->bytes[text->length - 1] != ';');
}

static int write_line(struct text *text, uint64_t weight, FILE *out)
{
	char *end = text->bytes + text->length - 1, *leaf, *count;
	int err = 0;

	*end = '\0';
	leaf = memrchr(text->bytes, ';', text->length - 1);
	count = find_count(leaf ? leaf + 1 : text->bytes);
	if (count)
		*count = '_';

	errno = 0;
	if (fprintf(out, "%s %" PRIu64 "\n", text->bytes, weight) < 0)
		err = errno ? -errno : -EIO;

	if (count)
		*count = ' ';
	*end = ';';
	return err;
}

int fold_write(const struct tree *tree, FILE *out)
{
	const struct tree_node *nodes = tree->nodes;
	struct text text = { 0 };
	uint32_t at = nodes[0].child;
	int err = 0;

	/* depth first: down, else on, else up until there is an "on" */
	while (at) {
		err = text_add_frame(&text, &nodes[at]);
		if (!err && nodes[at].self)
			err = write_line(&text, nodes[at].self, out);
		if (err)
			break;
		if (nodes[at].child) {
			at = nodes[at].child;
			continue;
		}
		while (at && !nodes[at].sibling) {
			text_drop_frame(&text);
			at = nodes[at].parent;
		}
		if (at) {
			text_drop_frame(&text);
			at = nodes[at].sibling;
		}
	}
	free(text.bytes);
	return err;
}

/* Reading. */
struct reading {
	struct tree *tree;
	struct error *error;
	uintmax_t line;
	uint64_t total;
};

/*
 * Read up to and without a newline, and end it with a NUL.
 * Return: 1, 0 at the end of the file, or -errno.
 */
static int read_line(struct reading *reading, struct text *line, FILE *in)
{
	int c, err;

	line->length = 0;
	reading->line++;
	for (;;) {
		err = text_reserve(line, 2);
		if (err)
			return err;
		c = getc_unlocked(in);
		if (c == EOF || c == '\n')
			break;
		if (!c)
			return error_set(reading->error, -EBADMSG,
					 "line %ju holds a NUL byte: this is not folded text",
					 reading->line);
		if (line->length == LINE_MAX_BYTES)
			return error_set(reading->error, -EBADMSG,
					 "line %ju is longer than %u MiB: this is not folded text",
					 reading->line, LINE_MAX_BYTES >> 20);
		line->bytes[line->length++] = c;
	}
	line->bytes[line->length] = '\0';
	if (c == EOF && ferror(in))
		return error_set(reading->error, errno ? -errno : -EIO,
				 "line %ju cannot be read: %s", reading->line,
				 strerror(errno ? errno : EIO));
	return c != EOF || line->length;
}

static int parse_count(struct reading *reading, const char *word,
		       uint64_t *count)
{
	uint64_t sum = 0;
	bool over = false;

	if (!is_number(word))
		return error_set(reading->error, -EBADMSG,
				 "line %ju has no count: it ends in \"%.*s\"; a folded line is \"root;...;leaf COUNT\"",
				 reading->line, SHOWN_MAX, word);
	if (*word == '-')
		return error_set(reading->error, -EBADMSG,
				 "line %ju: the count %.*s is negative",
				 reading->line, SHOWN_MAX, word);
	if (word[strspn(word, "0123456789")])
		return error_set(reading->error, -EBADMSG,
				 "line %ju: the count %.*s is not a whole number; scale all counts until they are",
				 reading->line, SHOWN_MAX, word);

	for (; *word && !over; word++)
		over = __builtin_mul_overflow(sum, 10, &sum) ||
		       __builtin_add_overflow(sum, *word - '0', &sum);
	if (over || __builtin_add_overflow(reading->total, sum, &reading->total))
		return error_set(reading->error, -EBADMSG,
				 "line %ju: the counts sum to more than %" PRIu64 "; scale them down",
				 reading->line, UINT64_MAX);
	*count = sum;
	return 0;
}

/*
 * Cut "stack COUNT" in two; the stack keeps all blanks but the last. Two
 * counts are what a difference of two profiles looks like.
 */
static int cut_line(struct reading *reading, struct text *line, uint64_t *count)
{
	size_t end = line->length, begin;
	char *leaf;
	int err;

	while (is_blank(line->bytes[end - 1]))
		end--;
	line->bytes[end] = '\0';
	for (begin = end; begin && !is_blank(line->bytes[begin - 1]); begin--)
		;
	if (!begin && !is_number(line->bytes))
		return error_set(reading->error, -EBADMSG,
				 "line %ju has no count: a folded line is \"root;...;leaf COUNT\"",
				 reading->line);
	err = parse_count(reading, line->bytes + begin, count);
	if (err)
		return err;
	if (!begin || strspn(line->bytes, " \t\r") >= begin)
		return error_set(reading->error, -EBADMSG,
				 "line %ju has a count but no stack; a folded line is \"root;...;leaf COUNT\"",
				 reading->line);
	line->bytes[begin - 1] = '\0';

	leaf = strrchr(line->bytes, ';');
	if (find_count(leaf ? leaf + 1 : line->bytes))
		return error_set(reading->error, -EBADMSG,
				 "line %ju has two counts: this is a difference of two profiles, which cannot be read; give one of the two it was made from",
				 reading->line);
	return 0;
}

static int add_frames(struct reading *reading, char *stack, uint32_t *at)
{
	char unknown[] = "[unknown]";
	struct kind_state state = { 0 };
	unsigned int depth = 0;
	char *next;
	int err;

	for (; stack; stack = next) {
		if (depth++ == TREE_DEPTH_MAX)
			return error_set(reading->error, -EBADMSG,
					 "line %ju: the stack is deeper than %d frames",
					 reading->line, TREE_DEPTH_MAX);
		next = strchr(stack, ';');
		if (next)
			*next++ = '\0';
		if (!*stack)
			stack = unknown;
		err = tree_add(reading->tree, *at, stack,
			       kind_of_frame(&state, stack), at);
		if (err)
			return error_set(reading->error, err,
					 "line %ju: %s", reading->line,
					 err == -ENOMEM ? "memory is short" :
					 "there are too many frames");
	}
	return 0;
}

static int add_line(struct reading *reading, struct text *line)
{
	uint32_t at = 0;
	uint64_t count = 0;
	int err;

	if (line->bytes[strspn(line->bytes, " \t\r")] == '\0')
		return 0;
	err = cut_line(reading, line, &count);
	if (err || !count)
		return err;
	err = add_frames(reading, line->bytes, &at);
	if (err)
		return err;
	reading->tree->nodes[at].self =
		tree_weight_add(reading->tree->nodes[at].self, count);
	return 0;
}

int fold_read(struct tree *tree, FILE *in, struct error *error)
{
	struct reading reading = { .tree = tree, .error = error };
	struct text line = { 0 };
	int err;

	for (uint32_t i = 0; i < tree->nr_nodes; i++)
		reading.total = tree_weight_add(reading.total,
						tree->nodes[i].self);
	if (error)
		error->text[0] = '\0';
	do {
		err = read_line(&reading, &line, in);
		if (err > 0)
			err = add_line(&reading, &line) ?: 1;
	} while (err > 0);
	if (err == -ENOMEM && error && !error->text[0])
		error_set(error, err, "line %ju: memory is short", reading.line);
	free(line.bytes);
	return err;
}
