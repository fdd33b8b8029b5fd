// SPDX-License-Identifier: GPL-2.0
/*
 * Read and write folded text: "root;...;leaf weight", one line per stack, the
 * format of other flame graph tools.
 *
 * Input may come from anywhere, so a line that cannot be parsed is refused and
 * its number reported. Everything that is written can be read back.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/notes.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "tree/kind.h"
#include "tree/tree.h"

/*
 * The longest line: longer ones are not written, as they could not be read
 * back.
 */
#define LINE_MAX_BYTES (64u << 20)

/* Room for a weight, with a blank before it and a newline after it. */
#define COUNT_BYTES sizeof(" 18446744073709551615\n")

/* Stands for a frame without a name. */
#define UNKNOWN "[unknown]"

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

/* Match anything meant as a count, valid or not: "12", "-3", "1.5", "1e9". */
static bool is_number(const char *word)
{
	word += *word == '-' || *word == '+';
	return isdigit((unsigned char)*word) &&
	       !word[strspn(word, "0123456789.eE+-")];
}

/*
 * Find the blank before a number that a reader would take for a count, as in
 * "Web Content 3". This program's levels ("pid 3") are never taken for one.
 */
static char *find_count(char *leaf)
{
	struct kind_state state = { .nr_levels = 1 };
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

/* Return where @text begins after blanks. */
static const char *skip_blanks(const char *text)
{
	while (is_blank(*text))
		text++;
	return text;
}

/* Report whether an ASCII character is written as it is. */
static bool is_plain(char c)
{
	return c >= ' ' && c < '\x7f' && c != ';';
}

/*
 * Writing. The text is the path from the root, with a ';' after each frame.
 * Bytes that are not UTF-8 are replaced too: a terminal may take them for
 * control characters, and programs that read text stop at them.
 */
static int text_add_frame(struct text *text, const struct tree_node *node)
{
	const char *name = node->name, *at;
	char *to;
	int err;

	if (!name[strspn(name, " ")])
		name = UNKNOWN;
	err = text_reserve(text, strlen(name) + 1);
	if (err)
		return err;

	to = text->bytes + text->length;
	while (*(at = name)) {
		uint32_t c;

		if (is_plain(*at)) {
			*to++ = *name++;
			continue;
		}
		c = utf8_next(&name);
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

	/*
	 * depth first: to the child, else the sibling, else up until one exists
	 */
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

/*
 * Reading. Most stacks begin like others that were read, so each frame is first
 * compared with the children of the frame above it, if they are few. Only a frame
 * that is none of these needs a look-up of its name and its kind.
 *
 * import_lines(), by which importers read, is not used: it belongs to format/, which
 * uses this room.
 */
struct reading {
	struct tree *tree;
	struct error *error;
	uintmax_t line;
	uint64_t total;
	struct kind_state *states;	/* below each node of the tree */
	size_t states_room;
	unsigned int *says;	/* kind_says() by number; 0: not known */
	uint32_t nr_says;
	bool strict;
	uintmax_t nr_read, nr_ignored;	/* lines */
	uintmax_t first_ignored;	/* number of the first ignored line */
	struct error first_error;	/* what is wrong with that line */
};

static int fail_line(struct reading *reading, int err)
{
	switch (err) {
	case -EILSEQ:
		return error_set(reading->error, -EBADMSG,
				 "line %ju contains a NUL byte: this is not folded text",
				 reading->line);
	case -E2BIG:
		return error_set(reading->error, -EBADMSG,
				 "line %ju is longer than %u MiB: this is not folded text",
				 reading->line, LINE_MAX_BYTES >> 20);
	case -ENOMEM:
		return error_set(reading->error, err,
				 "line %ju: memory is short", reading->line);
	default:
		return error_set(reading->error, err,
				 "line %ju cannot be read: %s", reading->line,
				 strerror(-err));
	}
}

/* Say why @word, which is not a whole number, is refused as a count. */
static int refuse_count(struct reading *reading, const char *word)
{
	if (!is_number(word))
		return error_set(reading->error, -ENOMSG,
				 "line %ju has no count: it ends in \"%.*s\"; a folded line is \"root;...;leaf COUNT\"",
				 reading->line, SHOWN_MAX, word);
	if (*word == '-')
		return error_set(reading->error, -EBADMSG,
				 "line %ju: the count %.*s is negative",
				 reading->line, SHOWN_MAX, word);
	return error_set(reading->error, -EBADMSG,
			 "line %ju: the count %.*s is not a whole number; scale all counts until they are",
			 reading->line, SHOWN_MAX, word);
}

static int parse_count(struct reading *reading, const char *word,
		       uint64_t *count)
{
	const char *at = word;
	uint64_t sum = 0;
	bool over = false;

	for (; *at >= '0' && *at <= '9'; at++)
		over |= __builtin_mul_overflow(sum, 10, &sum) ||
			__builtin_add_overflow(sum, *at - '0', &sum);
	if (at == word || *at)
		return refuse_count(reading, word);
	if (over || __builtin_add_overflow(reading->total, sum, &reading->total))
		return error_set(reading->error, -EBADMSG,
				 "line %ju: the counts sum to more than %" PRIu64 "; scale them down",
				 reading->line, UINT64_MAX);
	*count = sum;
	return 0;
}

/*
 * Split "stack COUNT" at the last blank; the stack keeps all other blanks. A
 * line with two counts comes from a difference of two profiles.
 * @length: of the line, which is not blank; set to the length of the stack.
 */
static int cut_line(struct reading *reading, char *line, size_t *length,
		    uint64_t *count)
{
	size_t end = *length, begin;
	char *leaf;
	int err;

	while (is_blank(line[end - 1]))
		end--;
	line[end] = '\0';
	for (begin = end; begin && !is_blank(line[begin - 1]); begin--)
		;
	if (!begin && !is_number(line))
		return error_set(reading->error, -ENOMSG,
				 "line %ju has no count: a folded line is \"root;...;leaf COUNT\"",
				 reading->line);
	err = parse_count(reading, line + begin, count);
	if (err)
		return err;
	if (!begin || skip_blanks(line) >= line + begin)
		return error_set(reading->error, -ENOMSG,
				 "line %ju has a count but no stack; a folded line is \"root;...;leaf COUNT\"",
				 reading->line);
	*length = begin - 1;
	line[*length] = '\0';

	leaf = memrchr(line, ';', *length);
	if (find_count(leaf ? leaf + 1 : line))
		return error_set(reading->error, -EBADMSG,
				 "line %ju has two counts: this is a difference of two profiles, which cannot be read; use the two files from which it was made, with flamectl diff",
				 reading->line);
	return 0;
}

/* Set @says to kind_says() of the name with this number. */
static int look_up_says(struct reading *reading, uint32_t name,
			const char *text, unsigned int *says)
{
	uint32_t nr = reading->nr_says;

	if (name >= nr) {
		unsigned int *more;

		nr = name < 512 ? 1024 : name * 2;
		more = reallocarray(reading->says, nr, sizeof(*more));
		if (!more)
			return -ENOMEM;
		memset(more + reading->nr_says, 0,
		       (nr - reading->nr_says) * sizeof(*more));
		reading->says = more;
		reading->nr_says = nr;
	}
	if (!reading->says[name])
		reading->says[name] = kind_says(text);
	*says = reading->says[name];
	return 0;
}

/* Step from *@node down to a frame that tree_find() does not know there. */
static int add_frame(struct reading *reading, const char *text, size_t length,
		     uint32_t *node)
{
	struct kind_state state = reading->states[*node];
	unsigned int says;
	uint32_t name;
	int err;

	err = tree_name(reading->tree, text, length, &name) ?:
	      look_up_says(reading, name, text, &says) ?:
	      tree_add_named(reading->tree, *node, name,
			     kind_of_said(&state, says), node) ?:
	      vec_reserve(reading->states, reading->states_room, *node + 1U);
	if (!err)
		reading->states[*node] = state;
	return err;
}

/* Step from *@node down to the frame @text, which ends with a NUL. */
static int step_down(struct reading *reading, const char *text, size_t length,
		     uint32_t *node)
{
	uint32_t child = reading->tree->nodes[*node].child;

	if (!length) {
		text = UNKNOWN;
		length = strlen(UNKNOWN);
	}
	/* a node that was just added, as many are, has no children */
	if (child)
		child = tree_find(reading->tree, *node, text, length);
	if (!child)
		return add_frame(reading, text, length, node);
	*node = child;
	return 0;
}

/*
 * @stack: modified: its frames are separated.
 * @leaf: set to the node of its last frame.
 */
static int add_frames(struct reading *reading, char *stack, uint32_t *leaf)
{
	unsigned int depth = 0;
	bool is_last;
	int err;

	*leaf = 0;
	do {
		char *end = strchrnul(stack, ';');

		if (depth++ == TREE_DEPTH_MAX)
			return error_set(reading->error, -EBADMSG,
					 "line %ju: the stack is deeper than %d frames",
					 reading->line, TREE_DEPTH_MAX);
		is_last = !*end;
		*end = '\0';
		err = step_down(reading, stack, (size_t)(end - stack), leaf);
		if (err)
			return err == -ENOMEM ? fail_line(reading, err) :
			       error_set(reading->error, err,
					 "line %ju: too many frames",
					 reading->line);
		stack = end + 1;
	} while (!is_last);
	return 0;
}

/* Skip a line without a count; note it unless it is a comment. */
static int ignore_line(struct reading *reading, bool is_comment)
{
	if (!is_comment && !reading->nr_ignored++) {
		reading->first_ignored = reading->line;
		reading->first_error = *reading->error;
	}
	reading->error->text[0] = '\0';
	return 0;
}

/*
 * Refuse the input if more lines were ignored than read; else note the ignored.
 */
static int judge(const struct reading *reading, struct notes *notes)
{
	uintmax_t all = reading->nr_read + reading->nr_ignored;

	if (!reading->nr_ignored)
		return 0;
	if (reading->nr_ignored > reading->nr_read)
		return error_set(reading->error, -EBADMSG, "%.300s%s",
				 reading->first_error.text,
				 reading->nr_ignored > 1 ?
				 "; most lines are like that" : "");
	notes_add(notes, "ignored %ju of %ju lines, which have no count; the first is line %ju",
		  reading->nr_ignored, all, reading->first_ignored);
	return 0;
}

static void add_weight(struct tree *tree, uint32_t node, uint64_t weight)
{
	tree->nodes[node].self = tree_weight_add(tree->nodes[node].self, weight);
}

static int add_line(struct reading *reading, char *line, size_t length)
{
	uint64_t count = 0;
	uint32_t leaf;
	bool is_comment;
	int err;

	if (!*skip_blanks(line))
		return 0;
	is_comment = *line == '#';
	err = cut_line(reading, line, &length, &count);
	if (err == -ENOMSG)
		return reading->strict && !is_comment ? -EBADMSG :
		       ignore_line(reading, is_comment);
	reading->nr_read += !err;
	if (err || !count)
		return err;
	err = add_frames(reading, line, &leaf);
	if (!err)
		add_weight(reading->tree, leaf, count);
	return err;
}

static int read_lines(struct reading *reading, struct lines *lines)
{
	size_t length;
	char *line;
	int err;

	do {
		reading->line++;
		err = lines_next(lines, &line, &length);
		if (err < 0)
			return fail_line(reading, err);
		if (err)
			err = add_line(reading, line, length) ?: 1;
	} while (err > 0);
	return err;
}

/* Learn what the tree held before. */
static int begin_reading(struct reading *reading)
{
	const struct tree *tree = reading->tree;
	struct kind_state *states = calloc(tree->nr_nodes, sizeof(*states));

	if (!states)
		return fail_line(reading, -ENOMEM);
	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];

		reading->total = tree_weight_add(reading->total, node->self);
		if (!i)
			continue;
		states[i] = states[node->parent];
		kind_of_frame(&states[i], node->name);
	}
	reading->states = states;
	reading->states_room = tree->nr_nodes;
	return 0;
}

int fold_read(struct tree *tree, FILE *in, struct error *error)
{
	return fold_read_some(tree, in, true, NULL, error);
}

int fold_read_some(struct tree *tree, FILE *in, bool strict,
		   struct notes *notes, struct error *error)
{
	struct error unasked;
	struct reading reading = {
		.tree = tree, .error = error ?: &unasked, .strict = strict,
	};
	struct lines lines;
	int err;

	lines_init(&lines, in, LINE_MAX_BYTES);
	err = begin_reading(&reading) ?: read_lines(&reading, &lines) ?:
	      judge(&reading, notes);
	lines_deinit(&lines);
	free(reading.states);
	free(reading.says);
	return err;
}
