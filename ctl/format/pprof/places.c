// SPDX-License-Identifier: GPL-2.0
/*
 * Name the places in a pprof file that have no name: see places.h.
 *
 * The message is changed, not converted to a profile and back: a file of another
 * program has labels, sample types and line numbers that a profile does not
 * hold.
 */
#include "format/pprof/places.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/gzip.h"
#include "base/intern.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "format/pprof/layout.h"
#include "format/pprof/message.h"
#include "format/pprof/pprof.h"
#include "format/pprof/reader.h"
#include "profile/inlined.h"
#include "profile/settings.h"

struct pprof_file {
	struct pprof_message message;
	Pprof__Profile *profile;	/* the same, to be changed */
	const char *name;
	bool ours;			/* laid out as in pprof.h: its texts are escaped */
	/* more room than there is text or function so far */
	size_t max_strings, max_functions;
	uint64_t latest_id;		/* the highest of the functions' */
	struct intern inlined;		/* names of the functions that are added below */
	Pprof__Function **inlined_functions;
	size_t max_inlined;
	Pprof__Function **sorted;	/* all functions that it was read with, by id */
	size_t nr_sorted;
};

/* A location to be named, and its mapping. */
struct unnamed {
	Pprof__Location *location;
	Pprof__Mapping *mapping;
	uint64_t offset;
};

void pprof_file_destroy(struct pprof_file *file)
{
	if (!file)
		return;
	pprof_message_deinit(&file->message);
	intern_deinit(&file->inlined);
	free(file->inlined_functions);
	free(file->sorted);
	free(file);
}

int64_t pprof_file_end(const struct pprof_file *file)
{
	int64_t end;

	if (file->profile->time_nanos <= 0 ||
	    __builtin_add_overflow(file->profile->time_nanos,
				   file->profile->duration_nanos, &end))
		return 0;
	/* a file's time is in s, and may be the same one */
	return end > 0 ? end / 1000000000 + 1 : 0;
}

static bool is_ours(const Pprof__Profile *profile)
{
	int64_t first = profile->n_comment ? profile->comment[0] : -1;

	return first >= 0 && (uint64_t)first < profile->n_string_table &&
	       pprof_value_of(profile->string_table[first], PPROF_LAYOUT_KEY);
}

/* Return the value of a comment "KEY=VALUE", or NULL. */
static const char *comment_of(const struct pprof_file *file, const char *key)
{
	const Pprof__Profile *profile = file->profile;
	const char *value;

	for (size_t i = 0; i < profile->n_comment; i++) {
		int64_t index = profile->comment[i];

		if (index < 0 || (uint64_t)index >= profile->n_string_table)
			continue;
		value = pprof_value_of(profile->string_table[index], key);
		if (value)
			return value;
	}
	return NULL;
}

bool pprof_file_has_places(const struct pprof_file *file)
{
	/* see profile_is_imported() */
	const char *resolution = file->ours ? comment_of(file, "resolution-ns") : NULL;
	const char *places = comment_of(file, settings_name(FLAMEMOD_A_SETTINGS_USER_PLACES));

	return !resolution || !strcmp(resolution, "0") ||
	       (places && !strcmp(places, "1"));
}

int pprof_file_read(FILE *in, const char *name, struct pprof_file **file,
		    struct error *error)
{
	struct pprof_file *new = calloc(1, sizeof(*new));
	struct error inner = { "" };
	size_t size, i;
	uint8_t *bytes;
	int err;

	if (!new)
		return error_set(error, -ENOMEM, "%.100s: memory is short", name);
	err = gzip_read(in, PPROF_UNPACKED_MAX, &bytes, &size, &inner);
	if (!err) {
		err = pprof_message_init(&new->message, bytes, size, &inner);
		free(bytes);
	}
	if (err) {
		free(new);
		return error_set(error, err, "%.100s: %.400s", name, inner.text);
	}
	new->profile = new->message.profile;
	new->name = name;
	new->ours = is_ours(new->profile);
	for (i = 0; i < new->profile->n_function; i++)
		if (new->profile->function[i]->id > new->latest_id)
			new->latest_id = new->profile->function[i]->id;
	*file = new;
	return 0;
}

static int compare_mappings(const void *left, const void *right)
{
	const Pprof__Mapping *a = *(Pprof__Mapping *const *)left;
	const Pprof__Mapping *b = *(Pprof__Mapping *const *)right;

	return (a->id > b->id) - (a->id < b->id);
}

/* Sort by file, then by offset. */
static int compare_unnamed(const void *left, const void *right)
{
	const struct unnamed *a = left, *b = right;

	if (a->mapping->filename != b->mapping->filename)
		return a->mapping->filename > b->mapping->filename ? 1 : -1;
	if (a->mapping->build_id != b->mapping->build_id)
		return a->mapping->build_id > b->mapping->build_id ? 1 : -1;
	if (a->mapping->id != b->mapping->id)
		return a->mapping->id > b->mapping->id ? 1 : -1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

/*
 * Find the mapping of a location, and the offset in its file. Return: false if
 * it is in no file. Programs that do not know where a file was mapped write a
 * mapping of all addresses, or of none.
 */
static bool place_of(Pprof__Mapping **sorted, size_t nr,
		     struct unnamed *unnamed)
{
	Pprof__Mapping key = { .id = unnamed->location->mapping_id };
	Pprof__Mapping *sought = &key, **found, *mapping;
	uint64_t address = unnamed->location->address;

	if (!key.id || !nr)
		return false;
	found = bsearch(&sought, sorted, nr, sizeof(*sorted), compare_mappings);
	if (!found)
		return false;
	mapping = *found;
	if (!mapping->filename || address < mapping->memory_start ||
	    address >= mapping->memory_limit ||
	    mapping->memory_limit == UINT64_MAX ||
	    __builtin_add_overflow(address - mapping->memory_start,
				   mapping->file_offset, &unnamed->offset))
		return false;
	unnamed->mapping = mapping;
	return true;
}

/*
 * List the locations in files that have no name, and with @inlines also those that have
 * one, but show no inlined function.
 */
static struct unnamed *list_unnamed(const Pprof__Profile *profile, bool inlines,
				    Pprof__Mapping **sorted,
				    struct pprof_naming *naming, size_t *nr)
{
	struct unnamed *list = calloc(profile->n_location + 1, sizeof(*list));

	*nr = 0;
	naming->nr_locations = profile->n_location;
	for (size_t i = 0; list && i < profile->n_location; i++) {
		struct unnamed *unnamed = &list[*nr];
		size_t nr_lines = profile->location[i]->n_line;

		if (nr_lines > inlines)
			continue;
		naming->nr_unnamed += !nr_lines;
		unnamed->location = profile->location[i];
		if (place_of(sorted, profile->n_mapping, unnamed))
			(*nr)++;
		else
			naming->nr_unplaced += !nr_lines;
	}
	if (*nr)
		qsort(list, *nr, sizeof(*list), compare_unnamed);
	return list;
}

static Pprof__Mapping **sort_mappings(const Pprof__Profile *profile)
{
	Pprof__Mapping **sorted = calloc(profile->n_mapping + 1,
					 sizeof(*sorted));

	if (!sorted || !profile->n_mapping)
		return sorted;
	memcpy(sorted, profile->mapping, profile->n_mapping * sizeof(*sorted));
	qsort(sorted, profile->n_mapping, sizeof(*sorted), compare_mappings);
	return sorted;
}

static void *take(struct pprof_file *file, size_t size)
{
	return arena_take(&file->message.arena, size);
}

/* Make room for one more in an array of pointers. */
static int reserve(struct pprof_file *file, void *array, size_t nr, size_t *max)
{
	void ***elements = array, **more;

	if (nr < *max)
		return 0;
	*max = 2 * nr + 64;
	more = take(file, *max * sizeof(*more));
	if (!more)
		return -ENOMEM;
	if (nr)
		memcpy(more, *elements, nr * sizeof(*more));
	*elements = more;
	return 0;
}

/* Add @text to the string table. Return: its index, or -ENOMEM. */
static int64_t add_string(struct pprof_file *file, const char *text)
{
	Pprof__Profile *profile = file->profile;
	char *escaped = utf8_escape(text), *copy = NULL;

	if (escaped) {
		utf8_cut(escaped, PROFILE_NAME_MAX);
		copy = take(file, strlen(escaped) + 1);
	}
	if (copy)
		strcpy(copy, escaped);
	free(escaped);
	if (!copy || reserve(file, &profile->string_table,
			     profile->n_string_table, &file->max_strings))
		return -ENOMEM;
	profile->string_table[profile->n_string_table] = copy;
	return (int64_t)profile->n_string_table++;
}

/* Add a function. Return: it, or NULL when memory is short. */
static Pprof__Function *add_function(struct pprof_file *file,
				     const struct pprof_function *names)
{
	Pprof__Profile *profile = file->profile;
	Pprof__Function *function = take(file, sizeof(*function));
	bool same = !strcmp(names->name, names->system_name);

	if (!function || reserve(file, &profile->function, profile->n_function,
				 &file->max_functions))
		return NULL;
	pprof__function__init(function);
	function->id = ++file->latest_id;
	function->name = add_string(file, names->name);
	function->system_name = same ? function->name :
				add_string(file, names->system_name);
	if (function->name < 0 || function->system_name < 0)
		return NULL;
	profile->function[profile->n_function++] = function;
	return function;
}

/* Make a line without a number. Return: NULL when memory is short. */
static Pprof__Line *new_line(struct pprof_file *file, const Pprof__Function *function)
{
	Pprof__Line *line = function ? take(file, sizeof(*line)) : NULL;

	if (!line)
		return NULL;
	pprof__line__init(line);
	line->function_id = function->id;
	return line;
}

/* Add a function that is inlined, once. Return: it, or NULL when memory is short. */
static const Pprof__Function *inlined_function(struct pprof_file *file,
					       const char *function)
{
	struct pprof_function names;
	uint32_t number, nr = file->inlined.nr;
	char *name;

	if (asprintf(&name, "%.4000s%s", function, file->ours ? INLINED_MARK : "") < 0)
		return NULL;
	names = (struct pprof_function){ .name = name, .system_name = name };
	if (intern_add(&file->inlined, name, strlen(name), &number) ||
	    vec_reserve(file->inlined_functions, file->max_inlined, file->inlined.nr)) {
		free(name);
		return NULL;
	}
	if (number == nr)
		file->inlined_functions[nr] = add_function(file, &names);
	free(name);
	return file->inlined_functions[number];
}

/*
 * Add lines to a location. A location without a line gets one for its function. Each
 * inlined function gets a line before that, the innermost first, as pprof expects it.
 */
static int add_lines(struct pprof_file *file, Pprof__Location *location,
		     const Pprof__Function *function, const struct pprof_function *names)
{
	size_t nr = names->nr_inlined, i;
	Pprof__Line **lines = take(file, (nr + 1) * sizeof(*lines));

	if (!lines)
		return -ENOMEM;
	lines[nr] = location->n_line ? location->line[0] : new_line(file, function);
	for (i = 0; i < nr; i++)
		lines[i] = new_line(file, inlined_function(file, names->inlined[nr - 1 - i]));
	for (i = 0; i <= nr; i++)
		if (!lines[i])
			return -ENOMEM;
	location->line = lines;
	location->n_line = nr + 1;
	return 0;
}

static int compare_functions(const void *left, const void *right)
{
	const Pprof__Function *a = *(Pprof__Function *const *)left;
	const Pprof__Function *b = *(Pprof__Function *const *)right;

	return (a->id > b->id) - (a->id < b->id);
}

static int sort_functions(struct pprof_file *file)
{
	const Pprof__Profile *profile = file->profile;
	size_t size = profile->n_function * sizeof(*file->sorted);

	free(file->sorted);
	file->sorted = malloc(size + 1);
	if (!file->sorted)
		return -ENOMEM;
	file->nr_sorted = profile->n_function;
	if (size) {
		memcpy(file->sorted, profile->function, size);
		qsort(file->sorted, file->nr_sorted, sizeof(*file->sorted),
		      compare_functions);
	}
	return 0;
}

/* Report whether a location of our own files is an inlined function. */
static bool is_inlined(const struct pprof_file *file, const Pprof__Location *location)
{
	Pprof__Function key, *sought = &key, **found;
	const size_t mark = strlen(INLINED_MARK);
	const char *name;
	size_t length;

	if (!file->ours || !location->n_line || !file->nr_sorted)
		return false;
	key.id = location->line[0]->function_id;
	found = bsearch(&sought, file->sorted, file->nr_sorted, sizeof(*file->sorted),
			compare_functions);
	if (!found || (*found)->name < 0 ||
	    (uint64_t)(*found)->name >= file->profile->n_string_table)
		return false;
	name = file->profile->string_table[(*found)->name];
	length = strlen(name);
	return length > mark && !strcmp(name + length - mark, INLINED_MARK);
}

/* Leave out places whose inlined functions are known: they are locations of their own. */
static size_t without_inlined(const struct pprof_file *file, struct unnamed *list,
			      size_t nr)
{
	size_t first, end, kept = 0;

	for (first = 0; first < nr; first = end) {
		bool known = false;

		for (end = first; end < nr && !compare_unnamed(&list[first], &list[end]); end++)
			known |= is_inlined(file, list[end].location);
		for (; first < end && !known; first++)
			list[kept++] = list[first];
	}
	return kept;
}

/* Copy an entry of the string table as it was before it was escaped. */
static int text_of(const struct pprof_file *file, int64_t index, char **text,
		   struct error *error)
{
	const char *entry = pprof_text(file->profile->string_table,
				       file->profile->n_string_table, index,
				       error);

	if (!entry)
		return -EBADMSG;
	*text = strdup(entry);
	if (*text && file->ours)
		utf8_unescape(*text);
	return *text ? 0 : -ENOMEM;
}

/*
 * Name all locations of one mapping. In the order of their offsets, those of one
 * function follow each other.
 */
static int name_mapping(struct pprof_file *file, const struct unnamed *list,
			size_t nr, struct pprof_place *place,
			pprof_name_fn find, void *context,
			struct pprof_naming *naming)
{
	const Pprof__Function *function = NULL;
	struct pprof_function names;
	char *latest = NULL;		/* the latest function's, for linkers */
	size_t nr_named = 0, i;
	bool all_named = true;
	int found = 0;

	for (i = 0; i < nr && found >= 0; i++) {
		place->address = list[i].location->address;
		place->offset = list[i].offset;
		names = (struct pprof_function){ .name = NULL };
		naming->nr_asked++;
		found = find(context, place, &names);
		if (found <= 0) {
			all_named &= list[i].location->n_line > 0;
			continue;
		}
		if (!list[i].location->n_line &&
		    (!latest || strcmp(latest, names.system_name))) {
			free(latest);
			latest = strdup(names.system_name);
			function = latest ? add_function(file, &names) : NULL;
		}
		nr_named += !list[i].location->n_line;
		naming->nr_inlined += names.nr_inlined > 0;
		if (add_lines(file, list[i].location, function, &names))
			found = -ENOMEM;
	}
	free(latest);
	naming->nr_named += nr_named;
	/* pprof then names no more of it */
	if (found >= 0 && all_named)
		list->mapping->has_functions = true;
	return found < 0 ? found : 0;
}

static int name_all(struct pprof_file *file, const struct unnamed *list,
		    size_t nr, pprof_name_fn find, void *context,
		    struct pprof_naming *naming, struct error *error)
{
	size_t first, end;
	int err = 0;

	for (first = 0; first < nr && !err; first = end) {
		const Pprof__Mapping *mapping = list[first].mapping;
		char *path = NULL, *build_id = NULL;

		for (end = first; end < nr && list[end].mapping == mapping;)
			end++;
		err = text_of(file, mapping->filename, &path, error) ?:
		      text_of(file, mapping->build_id, &build_id, error);
		if (!err && *path) {
			struct pprof_place place = {
				.file = path, .build_id = build_id,
			};

			err = name_mapping(file, list + first, end - first,
					   &place, find, context, naming);
		}
		free(path);
		free(build_id);
	}
	return err;
}

int pprof_file_name(struct pprof_file *file, bool inlines, pprof_name_fn find,
		    void *context, struct pprof_naming *naming, struct error *error)
{
	Pprof__Mapping **sorted = sort_mappings(file->profile);
	struct error inner = { "memory is short" };
	struct unnamed *list = NULL;
	size_t nr = 0;
	int err = -ENOMEM;

	memset(naming, 0, sizeof(*naming));
	if (sorted)
		list = list_unnamed(file->profile, inlines, sorted, naming, &nr);
	if (list && inlines && !sort_functions(file))
		nr = without_inlined(file, list, nr);
	if (list)
		err = name_all(file, list, nr, find, context, naming, &inner);
	free(list);
	free(sorted);
	return err ? error_set(error, err, "%.100s: %.400s", file->name,
			       inner.text) : 0;
}

/* Where protobuf packs to. */
struct packed {
	ProtobufCBuffer base;
	struct gzip *gzip;
	int err;
};

static void pack(ProtobufCBuffer *buffer, size_t size, const uint8_t *bytes)
{
	struct packed *packed = (struct packed *)buffer;

	if (!packed->err)
		packed->err = gzip_write(packed->gzip, bytes, size);
}

int pprof_file_write(const struct pprof_file *file, FILE *out,
		     struct error *error)
{
	struct packed packed = {
		.base.append = pack, .gzip = gzip_create(out),
	};
	int err;

	if (!packed.gzip)
		return error_set(error, -ENOMEM, "memory is short");
	pprof__profile__pack_to_buffer(file->profile, &packed.base);
	err = packed.err ?: gzip_finish(packed.gzip);
	gzip_destroy(packed.gzip);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}
