// SPDX-License-Identifier: GPL-2.0
/*
 * The worker's part of objects (object.h): compiles the text of files.
 *
 * Anyone may have made the files that are read here, so time and memory are limited: see
 * budget.h. The worker uses at most a quarter of a CPU, after an initial credit of
 * FM_CREDIT_MAX_NS.
 *
 * Locking: all of it runs in the one worker, without locks.
 */
#include <linux/bits.h>
#include <linux/dcache.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "../compat/compat.h"
#include "arch.h"
#include "covers.h"
#include "fetch.h"
#include "read.h"

/* Data kept about files cannot be freed again: it gets a quarter of all at most. */
#define FM_KEPT_SHARE		4

/* Store the file's path, as the process has it. */
static void fm_object_name(struct fm_symbols_file *label, struct file *file)
{
	char *buffer = file ? kmalloc(PATH_MAX, GFP_KERNEL) : NULL;
	char *path = ERR_PTR(-ENOMEM);

	if (buffer)
		path = d_path(fm_compat_user_path(file), buffer, PATH_MAX);
	/* A truncated path would name another file. */
	if (!file)
		strscpy(label->path, "[vdso]", sizeof(label->path));
	else if (IS_ERR(path) || strscpy(label->path, path, sizeof(label->path)) < 0)
		strscpy(label->path, "[long path]", sizeof(label->path));
	label->path_bytes = strlen(label->path);
	kfree(buffer);
}

static bool fm_label_is_same(const struct fm_symbols_file *a, const struct fm_symbols_file *b)
{
	return a->path_bytes == b->path_bytes && a->id_bytes == b->id_bytes &&
	       !memcmp(a->path, b->path, a->path_bytes) && !memcmp(a->id, b->id, a->id_bytes);
}

/*
 * Complete an object's label. Return: its own; or that of an earlier object, if they are the
 * same, as of one file in two containers. So no two frames have the same name.
 */
static const struct fm_symbols_file *fm_object_label(const struct fm_objects *objects,
						     struct fm_object_file *kept)
{
	struct fm_symbols_file *label = &kept->label;
	u32 i;

	label->id_bytes = scnprintf(label->id, sizeof(label->id), "%*phN",
				    kept->elf.build_id_bytes, kept->elf.build_id);
	for (i = 0; i < fm_objects_nr(objects); i++) {
		const struct fm_object_file *other = objects->list[i].file;

		if (other && fm_label_is_same(other->shown, label))
			return other->shown;
	}
	return label;
}

/* Let a user's samples have frame pointers in an object, until somebody else has it opened. */
static void fm_object_deny(struct fm_attempt *attempt)
{
	struct fm_object *object = attempt->request->object;

	attempt->is_denied = true;
	/* What is kept stays, and so does a file's path, so that user need not ask again. */
	WRITE_ONCE(object->denied, object->denied | BIT_ULL(attempt->request->runner.budget));
}

/* Charge what is allocated, and cannot be freed again. Return: false if it is too much. */
static bool fm_objects_keep(struct fm_objects *objects, struct fm_attempt *attempt,
			    size_t bytes)
{
	size_t max_bytes = objects->max_bytes / FM_KEPT_SHARE;

	bytes = fm_compat_alloc_bytes(bytes);
	if (objects->kept_bytes + bytes > max_bytes)
		return false;
	if (!fm_budget_keep(&objects->budgets, attempt->request->runner.budget, bytes, max_bytes)) {
		fm_object_deny(attempt);
		return false;
	}
	objects->kept_bytes += bytes;
	objects->bytes += bytes;
	return true;
}

/* Give back what was charged since there were @kept_bytes: it is not kept after all. */
static void fm_objects_unkeep(struct fm_objects *objects, const struct fm_attempt *attempt,
			      size_t kept_bytes)
{
	size_t bytes = objects->kept_bytes - kept_bytes;

	objects->kept_bytes -= bytes;
	objects->bytes -= bytes;
	fm_budget_unkeep(&objects->budgets, attempt->request->runner.budget, bytes);
}

/* Return: the end of the text in the file, as far as it may have rows. */
static u64 fm_elf_text_end(const struct fm_elf *elf)
{
	u64 end = 0;
	u32 i;

	for (i = 0; i < elf->nr_segments; i++) {
		const struct fm_elf_segment *segment = &elf->segments[i];

		if (segment->is_text)
			end = max(end, segment->offset + segment->bytes);
	}
	return end;
}

/* Return: the offset in the file where text starts. */
static u64 fm_elf_text_start(const struct fm_elf *elf)
{
	u64 start = U64_MAX;
	u32 i;

	for (i = 0; i < elf->nr_segments; i++) {
		const struct fm_elf_segment *segment = &elf->segments[i];

		if (segment->is_text)
			start = min(start, segment->offset);
	}
	return start;
}

/* Return: the offset in the file of the program's first instruction, or 0. */
static u64 fm_elf_entry(const struct fm_elf *elf)
{
	u32 i;

	for (i = 0; i < elf->nr_segments; i++) {
		const struct fm_elf_segment *segment = &elf->segments[i];

		if (segment->is_text && elf->entry >= segment->address &&
		    elf->entry - segment->address < segment->bytes)
			return elf->entry - segment->address + segment->offset;
	}
	return 0;
}

/* Set up an object's tables to be compiled. Return: 0 or -errno. */
static int fm_object_tables(struct fm_objects *objects, struct fm_object_file *kept)
{
	const struct fm_cfi_source source = {
		.read = fm_elf_read,
		.arg = &kept->elf,
		.machine = kept->elf.machine,
	};
	const struct fm_object_index *index = kept->index;

	if (!index)
		return fm_cfi_open(&objects->cfi, &source, kept->elf.hdr,
				   kept->elf.hdr_bytes, objects->buffer);
	fm_cfi_open_index(&objects->cfi, &source, index->frame, index->pairs, index->nr,
			  objects->buffer);
	return 0;
}

/* Make an index of the functions, for a program that has none. Return: 0 or -errno. */
static int fm_object_index(struct fm_objects *objects, struct fm_attempt *attempt,
			   struct fm_object_file *kept)
{
	const struct fm_cfi_source source = {
		.read = fm_elf_read,
		.arg = &kept->elf,
		.machine = kept->elf.machine,
	};
	size_t kept_bytes = objects->kept_bytes;
	struct fm_object_index *index;
	u64 frame, bytes;
	int nr;

	nr = fm_elf_frame(&kept->elf, &frame, &bytes);
	if (!nr)
		nr = fm_cfi_index_count(&objects->cfi, &source, frame, bytes,
					objects->buffer);
	if (nr <= 0)
		return nr ? nr : -ENOENT;
	if (!fm_objects_keep(objects, attempt, struct_size(index, pairs, nr)))
		return -ENOMEM;
	index = kvmalloc(struct_size(index, pairs, nr), GFP_KERNEL);
	nr = index ? fm_cfi_index(&objects->cfi, index->pairs, nr) : -ENOMEM;
	if (nr <= 0) {
		kvfree(index);
		fm_objects_unkeep(objects, attempt, kept_bytes);
		return nr ? nr : -ENOENT;
	}
	index->frame = frame;
	index->nr = nr;
	kept->index = index;
	return 0;
}

/* Find an object's unwind tables. Return: false if it has none that can be compiled. */
static bool fm_object_has_tables(struct fm_objects *objects, struct fm_attempt *attempt,
				 struct fm_object_file *kept)
{
	/* An error of reading may pass. */
	if (kept->elf.hdr && fm_object_tables(objects, kept) != -EOPNOTSUPP)
		return true;
	return !fm_object_index(objects, attempt, kept);
}

/*
 * Note where the PLT is, if its rows are to be added: see covers.h.
 */
static void fm_object_find_plt(struct fm_object_file *kept)
{
	u64 address, bytes;

	if (fm_elf_plt(&kept->elf, &address, &bytes) || bytes > FM_OBJECT_TEXT_MAX ||
	    address + bytes < address)
		return;
	kept->plt = address;
	kept->plt_bytes = bytes;
}

/* Return: whether an object has rows without any table: see fm_cover_vdso(). */
static bool fm_object_is_covered(const struct fm_object *object)
{
	return FM_ARCH_HAS_LINK && object->id.vdso;
}

/* Allocate the pointers to chunks. Return: false if the object gets no rows. */
static bool fm_object_alloc(struct fm_objects *objects, struct fm_attempt *attempt,
			    const struct fm_elf *elf)
{
	struct fm_object *object = attempt->request->object;
	u64 end = min_t(u64, fm_elf_text_end(elf), FM_OBJECT_TEXT_MAX);
	u32 nr = DIV_ROUND_UP_ULL(end, FM_CHUNK_BYTES);
	size_t kept_bytes = objects->kept_bytes;

	if (!nr || !fm_objects_keep(objects, attempt, nr * sizeof(*object->chunks)))
		return false;
	object->chunks = kvcalloc(nr, sizeof(*object->chunks), GFP_KERNEL);
	if (!object->chunks) {
		fm_objects_unkeep(objects, attempt, kept_bytes);
		return false;
	}
	object->nr_chunks = nr;
	return true;
}

/* Undo what fm_object_open() did: a later attempt does it again. */
static void fm_object_close(struct fm_objects *objects, const struct fm_attempt *attempt,
			    struct fm_object_file *kept, size_t kept_bytes)
{
	struct fm_object *object = attempt->request->object;

	kvfree(object->chunks);
	object->chunks = NULL;
	object->nr_chunks = 0;
	kvfree(kept->index);
	kfree(kept);
	fm_objects_unkeep(objects, attempt, kept_bytes);
}

/* Return: whether a request's file has the path that its object may show: see runner.h. */
static bool fm_request_has_path(const struct fm_request *request)
{
	return !request->file || request->object->id.realm != FM_REALM_MACHINE ||
	       fm_machine_has(request->file);
}

/* Read a new object's headers, unless the attempt has to be made again. */
static void fm_object_open(struct fm_objects *objects, struct fm_attempt *attempt)
{
	struct fm_object *object = attempt->request->object;
	size_t kept_bytes = objects->kept_bytes;
	struct fm_object_file *kept = NULL;
	u8 state = FM_OBJECT_NO_ROWS;

	if (!fm_request_has_path(attempt->request)) {
		fm_object_deny(attempt);
		return;
	}
	if (fm_objects_keep(objects, attempt, sizeof(*kept)))
		kept = kzalloc(sizeof(*kept), GFP_KERNEL);
	if (kept) {
		fm_object_name(&kept->label, attempt->request->file);
		kept->elf.read = fm_object_read;
		kept->elf.arg = attempt;
		kept->elf.machine = &FM_ARCH_MACHINE;
		if (!fm_elf_open(&kept->elf) &&
		    (fm_object_has_tables(objects, attempt, kept) ||
		     fm_object_is_covered(object)) &&
		    fm_object_alloc(objects, attempt, &kept->elf))
			state = FM_OBJECT_READY;
		if (FM_ARCH_HAS_LINK && state == FM_OBJECT_READY)
			fm_object_find_plt(kept);
		if (!fm_attempt_counts(attempt)) {
			fm_object_close(objects, attempt, kept, kept_bytes);
			return;
		}
		object->entry = fm_elf_entry(&kept->elf);
		object->text_start = fm_elf_text_start(&kept->elf);
		object->text_end = fm_elf_text_end(&kept->elf);
		kept->elf.arg = NULL;
		kept->shown = fm_object_label(objects, kept);
	} else {
		fm_objects_unkeep(objects, attempt, kept_bytes);
		/* Another user who asks may pay for it. */
		if (!fm_attempt_counts(attempt))
			return;
	}
	object->file = kept;
	/* Pairs with fm_object_chunk() and fm_user_name(). */
	smp_store_release(&object->state, state);
}

/* Add the rows of the vdso to a chunk's, if there are any. Return: rows, or -errno. */
static int fm_object_cover_vdso(struct fm_objects *objects, struct fm_object_file *kept,
				u64 address, u32 bytes, int nr)
{
	int err = fm_elf_read(&kept->elf, address, objects->buffer->entry, bytes);

	if (err)
		return err;
	if (nr <= 0) {
		objects->rows[0] = (struct fm_row){ .kind = FM_CFA_NONE };
		nr = 1;
	}
	return fm_cover_vdso(objects->rows, nr, FM_CHUNK_ROWS, objects->buffer->entry,
			     bytes);
}

/*
 * Add the rows of what no table covers (covers.h) to those of a chunk at an address, as
 * linked. Return: rows, or -errno.
 */
static int fm_object_cover(struct fm_objects *objects, const struct fm_object *object,
			   u64 address, u32 bytes, int nr)
{
	struct fm_object_file *kept = object->file;
	struct fm_plt plt;

	if (fm_object_is_covered(object))
		return fm_object_cover_vdso(objects, kept, address, bytes, nr);
	if (nr <= 0 || kept->plt >= address + bytes || kept->plt + kept->plt_bytes <= address)
		return nr;
	plt.start = kept->plt - address;
	plt.end = plt.start + kept->plt_bytes;
	if (fm_elf_read(&kept->elf, kept->plt, plt.head, sizeof(plt.head)))
		return nr;
	return fm_cover_plt(objects->rows, nr, FM_CHUNK_ROWS, &plt);
}

/*
 * Compile the part of a chunk that is in one segment of text. Return: rows, or -errno.
 */
static int fm_object_rows(struct fm_objects *objects, const struct fm_object *object,
			  u32 chunk, struct fm_part *part)
{
	struct fm_object_file *kept = object->file;
	const struct fm_elf *elf = &kept->elf;
	u64 from = (u64)chunk * FM_CHUNK_BYTES, to = from + FM_CHUNK_BYTES;
	u32 i;
	int nr;

	for (i = 0; i < elf->nr_segments; i++) {
		const struct fm_elf_segment *segment = &elf->segments[i];
		u64 first = max(from, segment->offset);
		u64 last = min(to, segment->offset + segment->bytes);
		u64 delta = segment->address - segment->offset;

		if (!segment->is_text || first >= last)
			continue;
		nr = fm_object_tables(objects, kept);
		if (!nr)
			nr = fm_cfi_compile(&objects->cfi, first + delta, last - first,
					    objects->rows, FM_CHUNK_ROWS, &part->function);
		if (FM_ARCH_HAS_LINK)
			nr = fm_object_cover(objects, object, first + delta, last - first, nr);
		part->base = first;
		part->bytes = last - first;
		if (part->function)
			part->function -= delta;
		return nr;
	}
	return -ENOENT;
}

/*
 * Compile one chunk, unless the attempt has to be made again. If that fails, it gets no
 * rule and is not tried again.
 */
static void fm_object_compile(struct fm_objects *objects, struct fm_attempt *attempt)
{
	const struct fm_request *request = attempt->request;
	struct fm_part part = {
		.base = (u64)request->chunk * FM_CHUNK_BYTES,
		.bytes = FM_CHUNK_BYTES,
	};
	struct fm_object *object = request->object;
	int nr;

	if (object->state != FM_OBJECT_READY || request->chunk >= object->nr_chunks ||
	    object->chunks[request->chunk])
		return;
	object->file->elf.arg = attempt;
	nr = fm_object_rows(objects, object, request->chunk, &part);
	object->file->elf.arg = NULL;
	if (!fm_attempt_counts(attempt))
		return;
	if (nr <= 0) {
		objects->rows[0] = (struct fm_row){ .kind = FM_CFA_NONE };
		nr = 1;
	}
	fm_chunk_publish(objects, &object->chunks[request->chunk], nr, &part);
}

/**
 * fm_objects_rest() - let the worker rest.
 * @ns: for so long, in nanoseconds; it may be 0
 *
 * Context: Process context, may sleep, in the worker.
 */
void fm_objects_rest(u64 ns)
{
	if (ns)
		msleep(1 + div_u64(ns, NSEC_PER_MSEC));
	else
		cond_resched();
}

/**
 * fm_object_learn() - compile the rows that a request asks for.
 * @objects: the objects
 * @request: the request; it keeps its reference to the file
 *
 * If a part of the file must be fetched from a server, or its disk took too long, they are
 * not there yet. Nothing is done while the user who asks has had his share of the worker.
 *
 * Context: Process context, may sleep, in the worker.
 * Return: how long the worker must rest then, in nanoseconds.
 */
u64 fm_object_learn(struct fm_objects *objects, const struct fm_request *request)
{
	struct fm_attempt attempt = {
		.objects = objects,
		.request = request,
		.is_local = !request->file || fm_inode_is_local(file_inode(request->file)),
	};
	u64 began_ns = request->began_ns ?: ktime_get_ns();

	if (READ_ONCE(objects->stopping) ||
	    fm_object_is_denied(objects, request->object, request->runner.budget) ||
	    fm_budget_is_spent(&objects->budgets, request->runner.budget, began_ns) ||
	    (!attempt.is_local && fm_fetch_is_busy(objects, request->file)))
		return 0;
	if (request->object->state == FM_OBJECT_NEW)
		fm_object_open(objects, &attempt);
	if (fm_attempt_counts(&attempt))
		fm_object_compile(objects, &attempt);
	if (attempt.lacks) {
		fm_fetch_begin(objects, request, attempt.lacking);
		attempt.bytes += FM_FETCH_BYTES;
	}
	return fm_budget_pay(&objects->budgets, request->runner.budget, began_ns, ktime_get_ns(),
			     attempt.bytes);
}

/**
 * fm_object_answer() - answer a request for rows.
 * @objects: the objects
 * @request: the request; its reference to the file is dropped, before the worker rests
 *
 * Context: Process context, may sleep, in the worker.
 */
void fm_object_answer(struct fm_objects *objects, const struct fm_request *request)
{
	u64 rest_ns = fm_object_learn(objects, request);

	fm_object_drop(request);
	fm_objects_rest(rest_ns);
}

/**
 * fm_object_drop() - drop the reference of a request to its file.
 * @request: the request
 *
 * Context: Process context, may sleep, in the worker.
 */
void fm_object_drop(const struct fm_request *request)
{
	const struct inode *inode = request->file ? file_inode(request->file) : NULL;

	if (!inode)
		return;
	/*
	 * Close it now, so that nobody finds its file system in use: in a kernel thread,
	 * fput() leaves that to another thread. But to close the file of a server may need
	 * an answer, and to close a file that was deleted frees its blocks, which may be so
	 * many that it takes seconds.
	 */
	if (fm_inode_is_local(inode) && READ_ONCE(inode->i_nlink))
		__fput_sync(request->file);
	else
		fput(request->file);
}
