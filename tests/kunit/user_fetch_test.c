// SPDX-License-Identifier: GPL-2.0
/*
 * Files of servers: they are fetched in the background, the worker waits for none, and
 * then their rows are those of the same file on a disk. The server here is a file system of
 * this test's own.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/mount.h>
#include <linux/pagemap.h>
#include <linux/pseudo_fs.h>
#include <kunit/test.h>

#include "../../module/compat/compat.h"
#include "../../module/user/fetch.h"
#include "allocations.h"
#include "redirect.h"
#include "suites.h"
#include "who.h"

/* A program of the guest, which the server serves. */
#define FM_PROGRAM	"/bin/bash"
/* A part of its text. */
#define FM_CHUNK	5
/* Longer than any test needs, so that none hangs. */
#define FM_PATIENCE	(30 * HZ)

static struct fm_objects *fm_objects;
static struct file *fm_local;		/* FM_PROGRAM */
static struct file *fm_remote;		/* the same, as the server has it */
static struct vfsmount *fm_mount;

/* The server. */
static struct completion fm_answers;
static bool fm_is_silent;		/* until fm_answers is completed */
static int fm_refusal;			/* 0, or what it answers */
static atomic_t fm_pages_read;
static bool fm_is_last;			/* the module goes while it reads */

static int fm_server_read(struct folio *folio)
{
	loff_t at = folio_pos(folio);
	ssize_t nr = 0;

	atomic_inc(&fm_pages_read);
	if (fm_is_last)
		WRITE_ONCE(fm_objects->stopping, true);
	if (fm_is_silent)
		wait_for_completion_timeout(&fm_answers, FM_PATIENCE);
	if (!fm_refusal)
		nr = kernel_read(fm_local, folio_address(folio), PAGE_SIZE, &at);
	if (!fm_refusal && nr >= 0) {
		memset(folio_address(folio) + nr, 0, PAGE_SIZE - nr);
		folio_mark_uptodate(folio);
	}
	folio_unlock(folio);
	return fm_refusal;
}

static int fm_server_read_folio(struct file *file, struct folio *folio)
{
	return fm_server_read(folio);
}

static const struct address_space_operations fm_server_pages = {
	.read_folio = fm_server_read_folio,
};

static int fm_server_context(struct fs_context *fc)
{
	return init_pseudo(fc, 0x666d) ? 0 : -ENOMEM;
}

static struct file_system_type fm_server = {
	.name = "fm_server",
	.init_fs_context = fm_server_context,
	.kill_sb = kill_anon_super,
};

static const struct file_operations fm_server_files = { .llseek = generic_file_llseek };

/* A file that the server has, of the program's bytes. */
static struct file *fm_serve(void)
{
	struct inode *inode = alloc_anon_inode(fm_mount->mnt_sb);
	struct file *file;

	if (IS_ERR(inode))
		return ERR_CAST(inode);
	inode->i_mode = S_IFREG | 0555;
	inode->i_mapping->a_ops = &fm_server_pages;
	i_size_write(inode, i_size_read(file_inode(fm_local)));
	file = alloc_file_pseudo(inode, fm_mount, "program", O_RDONLY, &fm_server_files);
	if (IS_ERR(file))
		iput(inode);
	return file;
}

static u8 fm_budget;			/* of who asks */

static int fm_fetch_test_begin(struct kunit *test)
{
	fm_allocations_init(test);
	fm_budget = FM_BUDGET_OF_ROOT;
	init_completion(&fm_answers);
	fm_is_silent = false;
	fm_is_last = false;
	fm_refusal = 0;
	fm_server.name = "fm_server";
	atomic_set(&fm_pages_read, 0);
	fm_remote = NULL;
	fm_mount = kern_mount(&fm_server);
	fm_local = filp_open(FM_PROGRAM, O_RDONLY, 0);
	fm_objects = fm_objects_create(16 << 20, true);
	if (IS_ERR(fm_mount) || IS_ERR(fm_local) || !fm_objects)
		return -ENOENT;
	fm_remote = fm_serve();
	return PTR_ERR_OR_ZERO(fm_remote);
}

static u8 fm_state_of(struct file *file)
{
	return fm_find_file(fm_objects, file_inode(file))->state;
}

static void fm_fetch_test_end(struct kunit *test)
{
	complete_all(&fm_answers);
	if (fm_objects)
		fm_objects_destroy(fm_objects);
	if (!IS_ERR_OR_NULL(fm_remote))
		__fput_sync(fm_remote);
	/* Also what was left to other threads. */
	flush_delayed_fput();
	if (!IS_ERR_OR_NULL(fm_local))
		__fput_sync(fm_local);
	if (!IS_ERR_OR_NULL(fm_mount))
		kern_unmount(fm_mount);
	fm_objects = NULL;
	fm_allocations_exit(test);
}

static void fm_answer(struct file *file, u32 chunk)
{
	struct fm_request request = {
		.object = fm_find_file(fm_objects, file_inode(file)),
		.file = get_file(file),
		.chunk = chunk,
		.runner.budget = fm_budget,
	};

	fm_object_answer(fm_objects, &request);
}

static u32 fm_nr_fetches(void)
{
	u32 i, nr = 0;

	for (i = 0; i < FM_FETCHES; i++)
		nr += fm_objects->fetches[i].state != FM_FETCH_FREE;
	return nr;
}

/*
 * Let all fetches end, and those that follow them. While the worker answers a request
 * whose fetch is done, none is counted, and it may begin the next one. So that there is
 * none must be seen more than once.
 */
static void fm_settle(struct kunit *test)
{
	u32 rounds, quiet = 0;

	for (rounds = 0; quiet < 3; rounds++) {
		KUNIT_ASSERT_LT(test, rounds, 1000);
		fm_fetches_wait(fm_objects);
		flush_work(&fm_objects->work);
		quiet = fm_nr_fetches() ? 0 : quiet + 1;
	}
}

/* Let the server answer from now on. */
static void fm_speak(void)
{
	fm_is_silent = false;
	complete_all(&fm_answers);
}

static void rows_are_those_of_a_local_file(struct kunit *test)
{
	struct fm_object *local = fm_find_file(fm_objects, file_inode(fm_local));
	struct fm_object *remote = fm_find_file(fm_objects, file_inode(fm_remote));
	u32 i, nr = 0;

	KUNIT_ASSERT_NOT_NULL(test, local);
	KUNIT_ASSERT_NOT_NULL(test, remote);
	KUNIT_ASSERT_PTR_NE(test, local, remote);
	fm_is_silent = true;
	fm_answer(fm_remote, 0);
	/* It was not waited for. */
	KUNIT_EXPECT_EQ(test, remote->state, FM_OBJECT_NEW);
	fm_speak();
	fm_settle(test);
	KUNIT_ASSERT_EQ(test, remote->state, FM_OBJECT_READY);
	fm_answer(fm_local, 0);
	KUNIT_ASSERT_EQ(test, remote->nr_chunks, local->nr_chunks);
	/* The headers were read; the tables are needed again. */
	invalidate_mapping_pages(fm_remote->f_mapping, 0, -1);
	for (i = 0; i < local->nr_chunks; i++) {
		fm_answer(fm_local, i);
		fm_answer(fm_remote, i);
		fm_settle(test);
		KUNIT_ASSERT_NOT_NULL(test, local->chunks[i]);
		KUNIT_ASSERT_NOT_NULL(test, remote->chunks[i]);
		KUNIT_ASSERT_EQ(test, remote->chunks[i]->nr, local->chunks[i]->nr);
		KUNIT_EXPECT_EQ(test, memcmp(remote->chunks[i]->rows, local->chunks[i]->rows,
					     local->chunks[i]->nr * sizeof(struct fm_row)), 0);
		nr += local->chunks[i]->nr;
	}
	KUNIT_EXPECT_GT(test, nr, 1000);
	KUNIT_EXPECT_EQ(test, remote->entry, local->entry);
	/* Each page is read twice at most, and no more than the file has. */
	KUNIT_EXPECT_LE(test, atomic_read(&fm_pages_read),
			2 * DIV_ROUND_UP_ULL(i_size_read(file_inode(fm_local)), PAGE_SIZE));
	flush_delayed_fput();
	KUNIT_EXPECT_EQ(test, file_count(fm_remote), 1);
}

static void a_silent_server_holds_up_nobody_else(struct kunit *test)
{
	struct fm_object *local = fm_find_file(fm_objects, file_inode(fm_local));
	struct fm_object *remote = fm_find_file(fm_objects, file_inode(fm_remote));
	size_t bytes = fm_objects->bytes, kept_bytes = fm_objects->kept_bytes;
	struct file *second = fm_serve();

	KUNIT_ASSERT_FALSE(test, IS_ERR(second));
	fm_budget = 1;
	fm_is_silent = true;
	fm_answer(fm_remote, 0);
	KUNIT_EXPECT_EQ(test, fm_nr_fetches(), 1);
	/* What was tried is undone, and what is fetched is paid for. */
	KUNIT_EXPECT_EQ(test, fm_objects->budgets.of[1].kept_bytes, 0);
	KUNIT_EXPECT_LE(test, fm_objects->budgets.of[1].credit.ns,
			FM_CREDIT_MAX_NS - (s64)FM_FETCH_BYTES *
			(NSEC_PER_SEC / FM_CREDIT_SHARE) / FM_READ_BYTES_S);
	KUNIT_EXPECT_EQ(test, remote->state, FM_OBJECT_NEW);
	KUNIT_EXPECT_EQ(test, fm_objects->bytes, bytes);
	KUNIT_EXPECT_EQ(test, fm_objects->kept_bytes, kept_bytes);
	/* It is not asked again meanwhile, nor for another of its files. */
	fm_answer(fm_remote, 1);
	fm_answer(second, 0);
	KUNIT_EXPECT_EQ(test, fm_nr_fetches(), 1);
	/* Local files are learned. */
	fm_answer(fm_local, 0);
	KUNIT_EXPECT_EQ(test, local->state, FM_OBJECT_READY);
	KUNIT_EXPECT_LE(test, atomic_read(&fm_pages_read), 1);
	fm_speak();
	fm_settle(test);
	KUNIT_EXPECT_EQ(test, remote->state, FM_OBJECT_READY);
	fm_answer(second, 0);
	fm_settle(test);
	KUNIT_EXPECT_EQ(test, fm_state_of(second), FM_OBJECT_READY);
	__fput_sync(second);
}

static void a_server_may_refuse(struct kunit *test)
{
	struct fm_object *remote = fm_find_file(fm_objects, file_inode(fm_remote));

	fm_refusal = -EIO;
	fm_is_silent = true;
	fm_answer(fm_remote, 0);
	KUNIT_EXPECT_EQ(test, remote->state, FM_OBJECT_NEW);
	fm_speak();
	fm_settle(test);
	KUNIT_EXPECT_EQ(test, remote->state, FM_OBJECT_NO_ROWS);
	/* It is not asked again. */
	atomic_set(&fm_pages_read, 0);
	fm_answer(fm_remote, 0);
	fm_settle(test);
	KUNIT_EXPECT_EQ(test, atomic_read(&fm_pages_read), 0);
}

/* Memory may lose pages before the worker reads them. */
static void a_request_is_not_fetched_for_ever(struct kunit *test)
{
	struct fm_request request = {
		.object = fm_find_file(fm_objects, file_inode(fm_remote)),
		.file = fm_remote,
		.fetches = FM_FETCHES_OF_REQUEST,
	};

	fm_object_learn(fm_objects, &request);
	KUNIT_EXPECT_EQ(test, fm_nr_fetches(), 0);
	KUNIT_EXPECT_EQ(test, request.object->state, FM_OBJECT_NEW);
	request.fetches--;
	fm_is_silent = true;
	fm_object_learn(fm_objects, &request);
	KUNIT_EXPECT_EQ(test, fm_nr_fetches(), 1);
	fm_speak();
	fm_settle(test);
	/* One fetch reads the headers. The tables come after the text: they are not read. */
	KUNIT_EXPECT_EQ(test, request.object->state, FM_OBJECT_NEW);
	KUNIT_EXPECT_EQ(test, atomic_read(&fm_pages_read), FM_FETCH_BYTES / PAGE_SIZE);
}

static void there_is_an_end_of_fetches(struct kunit *test)
{
	u32 i;

	/* As if so many other servers were asked. */
	for (i = 0; i < FM_FETCHES; i++) {
		fm_objects->fetches[i].state = FM_FETCH_READS;
		fm_objects->fetches[i].request.file = fm_local;
	}
	fm_answer(fm_remote, 0);
	fm_fetches_wait(fm_objects);
	KUNIT_EXPECT_EQ(test, atomic_read(&fm_pages_read), 0);
	for (i = 0; i < FM_FETCHES; i++)
		fm_objects->fetches[i].state = FM_FETCH_FREE;
	fm_answer(fm_remote, 0);
	fm_settle(test);
	KUNIT_EXPECT_EQ(test, fm_state_of(fm_remote), FM_OBJECT_READY);
}

/* A file whose pages nobody else can see, as of /proc, has no rows. */
static void a_file_without_pages_has_no_rows(struct kunit *test)
{
	struct file *proc = filp_open("/proc/version", O_RDONLY, 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR(proc));
	fm_answer(proc, 0);
	KUNIT_EXPECT_EQ(test, fm_nr_fetches(), 0);
	KUNIT_EXPECT_EQ(test, fm_state_of(proc), FM_OBJECT_NO_ROWS);
	__fput_sync(proc);
}

/* The module goes: what a server answers then is only let go. */
static void what_is_fetched_at_the_end_is_dropped(struct kunit *test)
{
	fm_is_silent = true;
	fm_answer(fm_remote, 0);
	KUNIT_EXPECT_EQ(test, fm_nr_fetches(), 1);
	KUNIT_EXPECT_EQ(test, file_count(fm_remote), 2);
	WRITE_ONCE(fm_objects->stopping, true);
	fm_speak();
	fm_objects_destroy(fm_objects);
	fm_objects = NULL;
	KUNIT_EXPECT_LE(test, atomic_read(&fm_pages_read), 1);
	flush_delayed_fput();
	KUNIT_EXPECT_EQ(test, file_count(fm_remote), 1);
}

/* From now on the server is a slow disk: to read a page takes 250 ms. */
static u64 fm_slow_ns;

static u64 fm_slow_clock(void)
{
	return fm_slow_ns += 250 * NSEC_PER_MSEC;
}

static void fm_be_slow_disk(void)
{
	/* A file system of this name has no server. */
	fm_server.name = "zfs";
	fm_slow_ns = ktime_get_ns();
}

/* An attempt waits for 200 ms, here for a page; the next one finds what that has read. */
static void a_slow_disk_is_not_waited_for_long(struct kunit *test)
{
	struct fm_object *slow = fm_find_file(fm_objects, file_inode(fm_remote));
	struct fm_credit *credit = &fm_objects->budgets.of[1].credit;
	size_t bytes = fm_objects->bytes;
	u32 attempts, before;

	fm_budget = 1;
	fm_be_slow_disk();
	fm_clock = fm_slow_clock;
	for (attempts = 0; attempts < 100; attempts++) {
		if (slow->chunks && slow->chunks[FM_CHUNK])
			break;
		*credit = (struct fm_credit){ FM_CREDIT_MAX_NS, fm_slow_ns };
		/* Others ask, too. */
		fm_objects->budgets.credit = (struct fm_credit){ 0, fm_slow_ns };
		before = atomic_read(&fm_pages_read);
		fm_answer(fm_remote, FM_CHUNK);
		KUNIT_EXPECT_LE(test, atomic_read(&fm_pages_read) - before, 1);
		if (!attempts) {
			KUNIT_EXPECT_EQ(test, slow->state, FM_OBJECT_NEW);
			KUNIT_EXPECT_EQ(test, fm_objects->bytes, bytes);
			/* Its user pays for all of that. */
			KUNIT_EXPECT_LE(test, credit->ns, -200 * (s64)NSEC_PER_MSEC);
			before = atomic_read(&fm_pages_read);
			fm_answer(fm_remote, FM_CHUNK);
			KUNIT_EXPECT_EQ(test, atomic_read(&fm_pages_read), before);
		}
	}
	fm_clock = fm_real_clock;
	KUNIT_EXPECT_EQ(test, slow->state, FM_OBJECT_READY);
	KUNIT_EXPECT_GT(test, attempts, 2);
	KUNIT_EXPECT_LT(test, attempts, 100);
	fm_answer(fm_local, FM_CHUNK);
	KUNIT_ASSERT_NOT_NULL(test, slow->chunks[FM_CHUNK]);
	KUNIT_EXPECT_EQ(test, slow->chunks[FM_CHUNK]->nr,
			fm_find_file(fm_objects, file_inode(fm_local))->chunks[FM_CHUNK]->nr);
}

#ifdef FM_HAVE_INVALIDATE_LOCK
/* A page that is read meanwhile would be of blocks that are another file's soon. */
static void blocks_that_are_given_back_are_not_read(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_remote));

	fm_be_slow_disk();
	filemap_invalidate_lock(fm_remote->f_mapping);
	fm_answer(fm_remote, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&fm_pages_read), 0);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NEW);
	filemap_invalidate_unlock(fm_remote->f_mapping);
	fm_answer(fm_remote, 1);
	KUNIT_EXPECT_GT(test, atomic_read(&fm_pages_read), 0);
	KUNIT_EXPECT_FALSE(test, rwsem_is_locked(&fm_remote->f_mapping->invalidate_lock));
}
#endif

/* The module goes: of a request that has begun, no more than one page is read. */
static void a_request_ends_when_the_module_goes(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_remote));
	size_t bytes = fm_objects->bytes;

	fm_be_slow_disk();
	fm_is_last = true;
	fm_answer(fm_remote, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&fm_pages_read), 1);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NEW);
	KUNIT_EXPECT_EQ(test, fm_objects->bytes, bytes);
	/* None begins any more, so the worker need not rest after it. */
	invalidate_mapping_pages(fm_remote->f_mapping, 0, -1);
	fm_objects->budgets.credit = (struct fm_credit){ -NSEC_PER_SEC, fm_clock() };
	fm_nr_waits = 0;
	fm_answer(fm_remote, 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&fm_pages_read), 1);
	KUNIT_EXPECT_EQ(test, fm_nr_waits, 0);
}

static struct kunit_case fm_user_fetch_cases[] = {
	KUNIT_CASE(rows_are_those_of_a_local_file),
	KUNIT_CASE(a_silent_server_holds_up_nobody_else),
	KUNIT_CASE(a_server_may_refuse),
	KUNIT_CASE(a_request_is_not_fetched_for_ever),
	KUNIT_CASE(there_is_an_end_of_fetches),
	KUNIT_CASE(a_file_without_pages_has_no_rows),
	KUNIT_CASE(what_is_fetched_at_the_end_is_dropped),
	KUNIT_CASE(a_slow_disk_is_not_waited_for_long),
#ifdef FM_HAVE_INVALIDATE_LOCK
	KUNIT_CASE(blocks_that_are_given_back_are_not_read),
#endif
	KUNIT_CASE(a_request_ends_when_the_module_goes),
	{}
};

struct kunit_suite fm_user_fetch_suite = {
	.name = "flamemod_user_fetch",
	.init = fm_fetch_test_begin,
	.exit = fm_fetch_test_end,
	.test_cases = fm_user_fetch_cases,
};
