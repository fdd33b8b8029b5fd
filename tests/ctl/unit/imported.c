// SPDX-License-Identifier: GPL-2.0
/*
 * Texts of other tools and the records that they become: see imported.h. Each
 * text is also cut at every byte: what is left is read or refused, and balances.
 */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "imported.h"

static const struct import_options as_it_is;

int import(import_fn parse, const struct import_options *options,
		  const char *text, size_t length, struct profile **profile,
		  struct error *error)
{
	FILE *in = fmemopen((void *)text, length, "r");
	int err;

	*profile = profile_create();
	assert_non_null(in);
	assert_non_null(*profile);
	error->text[0] = '\0';
	err = parse(in, options, *profile, error);
	fclose(in);
	assert_true(err <= 0);
	assert_int_equal(!err, !error->text[0]);
	return err;
}

/* "root.k;...;leaf.m", each with the first letter of its kind; "-" for none */
static void print_stack(const struct profile *profile, uint32_t leaf, FILE *out)
{
	const struct profile_node *node;
	const struct profile_frame *frame;

	if (!leaf) {
		fputs("-", out);
		return;
	}
	node = &profile->nodes[leaf];
	frame = &profile->frames[node->frame];
	if (node->parent) {
		print_stack(profile, node->parent, out);
		fputc(';', out);
	}
	fprintf(out, "%s.%c", frame->name, "kmux"[frame->kind]);
}

/* "comm pid/tid [cpu] context stack count periods", a line each record */
char *print_records(const struct profile *profile)
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(out);
	for (uint32_t i = 0; i < profile->nr_records; i++) {
		const struct profile_record *record = &profile->records[i];
		const struct profile_task *task = &profile->tasks[record->task];

		fprintf(out, "%s %u/%u [%u] %s ", task->comm, task->pid,
			task->tid, record->cpu,
			profile_context_name(record->context));
		print_stack(profile, record->node, out);
		fprintf(out, " %" PRIu64 " %" PRIu64 "\n", record->count,
			record->periods);
	}
	fclose(out);
	return text;
}

static void expect_any_part_is_safe(import_fn parse,
				    const struct import_options *options,
				    const char *text)
{
	for (size_t length = 1; length < strlen(text); length++) {
		struct profile *profile;
		struct error error;
		int err = import(parse, options, text, length, &profile, &error);

		assert_true(!err || err == -EBADMSG);
		if (profile_check(profile, &error))
			fail_msg("%.*s: %s", (int)length, text, error.text);
		profile_destroy(profile);
	}
}

void expect_shapes(import_fn parse, const struct shape *shapes, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct profile *profile;
		struct error error;
		char *records;

		if (import(parse, &as_it_is, shapes[i].text,
			   strlen(shapes[i].text), &profile, &error))
			fail_msg("%s: %s", shapes[i].text, error.text);
		if (profile_check(profile, &error))
			fail_msg("%s: %s", shapes[i].text, error.text);
		records = print_records(profile);
		if (strcmp(records, shapes[i].records))
			fail_msg("%s\nis\n%snot\n%s", shapes[i].text, records,
				 shapes[i].records);
		free(records);
		profile_destroy(profile);
		expect_any_part_is_safe(parse, &as_it_is, shapes[i].text);
	}
}

void expect_refusals(import_fn parse, const struct refusal *refusals,
			    size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct profile *profile;
		struct error error;
		int err = import(parse, &refusals[i].options, refusals[i].text,
				 strlen(refusals[i].text), &profile, &error);

		profile_destroy(profile);
		if (strcmp(error.text, refusals[i].why))
			fail_msg("%s: \"%s\", not \"%s\"", refusals[i].text,
				 error.text, refusals[i].why);
		assert_int_equal(err, -EBADMSG);
		expect_any_part_is_safe(parse, &refusals[i].options,
					refusals[i].text);
	}
}

void expect_notes(import_fn parse, const struct remark *remarks, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct notes notes = { .nr = 0 };
		const struct import_options options = { .notes = &notes };
		const char *text = remarks[i].text;
		struct profile *profile;
		struct error error;

		if (import(parse, &options, text, strlen(text), &profile, &error))
			fail_msg("%s: %s", text, error.text);
		profile_destroy(profile);
		if (strcmp(notes.text[0], remarks[i].note))
			fail_msg("%s: \"%s\", not \"%s\"", text, notes.text[0],
				 remarks[i].note);
		assert_int_equal(notes.nr, remarks[i].nr);
	}
}
