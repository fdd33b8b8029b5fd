// SPDX-License-Identifier: GPL-2.0
/*
 * Read stacks from the store: see read_stacks.h.
 */
#include "fleet/clickhouse/read_stacks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/clickhouse/clickhouse.h"
#include "fleet/clickhouse/query.h"
#include "fleet/clickhouse/rowbinary.h"

/* A boundary that no id can have: it is longer. */
#define BOUNDARY "flamectl-ids-of-stacks-0123456789abcdef"

/* The ids as a table for the query, in a form as browsers send files. */
static char *make_form(const struct id_set *ids, size_t *size)
{
	char *form = NULL;
	FILE *out = open_memstream(&form, size);

	if (!out)
		return NULL;
	fputs("--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"ids\"; filename=\"ids\"\r\n"
	      "Content-Type: application/octet-stream\r\n\r\n", out);
	fwrite(ids->ids, STACK_ID_BYTES, ids->nr, out);
	fputs("\r\n--" BOUNDARY "--\r\n", out);
	if (!fclose(out))
		return form;
	free(form);
	return NULL;
}

int stacks_ask(struct sender *sender, const struct target *target, const char *query,
	       const struct id_set *ids, struct send_answer *answer, struct error *error)
{
	static const char settings[] =
		QUERY_WHOLE "&ids_format=RowBinary&ids_structure=id%20FixedString%2816%29";
	size_t size;
	char *form = make_form(ids, &size);

	memset(answer, 0, sizeof(*answer));
	if (!form)
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	return clickhouse_run_form(sender, target, query, settings, BOUNDARY, form, size,
				   answer, error);
}

/* The columns of one stack. Texts belong to it. */
struct stack {
	size_t nr, nr_placed;
	char **names, **paths, **build_ids;
	uint8_t *kinds;
	uint64_t *offsets;
};

static char **take_texts(struct rowbinary_reader *in, size_t *nr)
{
	char **texts;

	*nr = rowbinary_take_length(in);
	texts = calloc(*nr + 1, sizeof(*texts));
	for (size_t i = 0; texts && i < *nr; i++)
		texts[i] = rowbinary_take_text(in);
	return texts;
}

static void free_texts(char **texts, size_t nr)
{
	for (size_t i = 0; texts && i < nr; i++)
		free(texts[i]);
	free(texts);
}

static void stack_deinit(struct stack *stack)
{
	free_texts(stack->names, stack->nr);
	free_texts(stack->paths, stack->nr_placed);
	free_texts(stack->build_ids, stack->nr_placed);
	free(stack->kinds);
	free(stack->offsets);
}

/* Read the columns. Return: 0, -ENOMEM, or -EPROTO if they do not fit each other. */
static int take_stack(struct rowbinary_reader *in, struct stack *stack)
{
	size_t nr_kinds, nr_ids, nr_offsets, i;

	memset(stack, 0, sizeof(*stack));
	stack->names = take_texts(in, &stack->nr);
	nr_kinds = rowbinary_take_length(in);
	stack->kinds = calloc(nr_kinds + 1, 1);
	for (i = 0; stack->kinds && i < nr_kinds; i++)
		stack->kinds[i] = (uint8_t)rowbinary_take_number(in, 1);
	stack->paths = take_texts(in, &stack->nr_placed);
	stack->build_ids = take_texts(in, &nr_ids);
	nr_offsets = rowbinary_take_length(in);
	stack->offsets = calloc(nr_offsets + 1, sizeof(*stack->offsets));
	for (i = 0; stack->offsets && i < nr_offsets; i++)
		stack->offsets[i] = rowbinary_take_number(in, 8);
	if (!stack->names || !stack->kinds || !stack->paths || !stack->build_ids ||
	    !stack->offsets)
		return -ENOMEM;
	if (in->failed || nr_kinds != stack->nr || nr_ids != stack->nr_placed ||
	    nr_offsets != stack->nr_placed ||
	    (stack->nr_placed && stack->nr_placed != stack->nr))
		return -EPROTO;
	return 0;
}

static int add_frame(struct profile *profile, const struct stack *stack, size_t at,
		     uint32_t *frame)
{
	uint32_t object;
	int err;

	if (stack->kinds[at] >= __FLAMEMOD_FRAME_MAX)
		return -EPROTO;
	if (!stack->nr_placed || !*stack->paths[at])
		return profile_add_frame(profile, stack->names[at], stack->kinds[at], frame);
	if (stack->offsets[at] >= PROFILE_OFFSET_MAX)
		return -EPROTO;
	err = profile_add_object(profile, stack->paths[at], stack->build_ids[at], &object);
	return err ?: profile_add_frame_at(profile, stack->names[at], object,
					   stack->offsets[at], frame);
}

/* @nodes: where the stack's node goes, by place in @ids */
static int add_stack(struct profile *profile, const struct id_set *ids, uint32_t *nodes,
		     struct rowbinary_reader *in)
{
	const char *id = rowbinary_take(in, STACK_ID_BYTES);
	uint32_t at = id ? id_set_find(ids, id) : MAP_NONE, node = 0, frame;
	struct stack stack;
	int err = take_stack(in, &stack);

	for (size_t i = 0; i < stack.nr && !err; i++)
		err = add_frame(profile, &stack, i, &frame) ?:
		      profile_add_node(profile, node, frame, &node);
	if (!err && profile->nr_nodes > PROFILE_NODES_MAX)
		err = -EFBIG;
	if (!err && at != MAP_NONE)
		nodes[at] = node;
	stack_deinit(&stack);
	return err;
}

/* A stack that is not in the store, because someone removed it. */
static int add_missing(struct profile *profile, uint32_t *node)
{
	uint32_t frame;

	return profile_add_frame(profile, "[stack not in the store]", FLAMEMOD_FRAME_MARK,
				 &frame) ?: profile_add_node(profile, 0, frame, node);
}

static int add_stacks(struct profile *profile, const struct id_set *ids, uint32_t *nodes,
		      const struct send_answer *answer)
{
	struct rowbinary_reader in = query_reader(answer);
	int err = 0;

	for (size_t i = 0; i < ids->nr; i++)
		nodes[i] = UINT32_MAX;
	while (in.next < in.end && !err)
		err = add_stack(profile, ids, nodes, &in);
	for (size_t i = 0; i < ids->nr && !err; i++)
		if (nodes[i] == UINT32_MAX)
			err = add_missing(profile, &nodes[i]);
	return err;
}

int stacks_read(struct sender *sender, const struct target *target,
		const struct id_set *ids, struct profile *profile, uint32_t **nodes,
		struct error *error)
{
	static const char query[] =
		"SELECT sid, names, kinds, paths, build_ids, offsets FROM stacks"
		" WHERE sid IN (SELECT id FROM ids) LIMIT 1 BY sid FORMAT RowBinary";
	struct send_answer answer;
	int err = stacks_ask(sender, target, query, ids, &answer, error);

	if (!err) {
		*nodes = calloc(ids->nr + 1, sizeof(**nodes));
		err = *nodes ? add_stacks(profile, ids, *nodes, &answer) : -ENOMEM;
		if (err == -EPROTO)
			query_malformed(target, error);
		else if (err)
			error_set(error, err, "%s", err == -EFBIG ?
				  "all stacks together have more than 2^24 calls: select less" :
				  strerror(-err));
	}
	send_answer_deinit(&answer);
	return err;
}
