// SPDX-License-Identifier: GPL-2.0
/*
 * Read and write a pause: see pause.h.
 */
#include "agent/pause.h"

#include <errno.h>
#include <string.h>

#include "agent/disk.h"
#include "agent/pairs.h"

#define NR_PAIRS	9

static void list_pairs(struct pause *pause, struct pair pairs[NR_PAIRS])
{
	const struct pair list[NR_PAIRS] = {
		{ "boot", NULL, pause->boot, sizeof(pause->boot) },
		{ "number", &pause->number },
		{ "asked-ns", &pause->asked_ns },
		{ "until-ns", &pause->until_ns },
		{ "begun", &pause->begun },
		{ "over", &pause->over },
		{ "shared", &pause->shared },
		{ "hz", &pause->hz },
		{ NULL }
	};

	memcpy(pairs, list, sizeof(list));
}

/* Can it be one that was written here? */
static bool is_valid(const struct pause *pause)
{
	char boot[WINDOW_BOOT];

	return pause->number && window_boot(pause->boot, boot) &&
	       pause->until_ns >= pause->asked_ns &&
	       pause->until_ns - pause->asked_ns <= PAUSE_MAX_NS &&
	       pause->begun <= 1 && pause->over <= 1 && pause->shared <= 1 &&
	       pause->hz <= UINT32_MAX;
}

int pause_read(int directory, struct pause *pause, struct error *error)
{
	struct pair pairs[NR_PAIRS];
	int err;

	memset(pause, 0, sizeof(*pause));
	list_pairs(pause, pairs);
	err = pairs_read(pairs, directory, PAUSE_FILE, error);
	if (err == -ENOENT)
		return 0;
	if (!err && !is_valid(pause))
		err = error_set(error, -EBADMSG, PAUSE_FILE ": damaged: it is no pause of at most %d hours",
				(int)(PAUSE_MAX_NS / 3600 / 1000000000));
	if (err)
		memset(pause, 0, sizeof(*pause));
	return err;
}

int pause_print(const void *what, FILE *out, struct error *error)
{
	struct pause pause = *(const struct pause *)what;
	struct pair pairs[NR_PAIRS];

	(void)error;
	list_pairs(&pause, pairs);
	pairs_write(pairs, out);
	return 0;
}

int pause_write(int directory, const struct pause *pause, struct error *error)
{
	return disk_replace(directory, PAUSE_FILE, pause_print, pause, error);
}

/* Another run of the kernel ended it: nothing was sampled when that started. */
static bool is_of(const struct pause *pause, const struct pause_now *now)
{
	return pause->number && !pause->over && !strcmp(pause->boot, now->boot);
}

uint64_t pause_left_ns(const struct pause *pause, const struct pause_now *now)
{
	/* asked for later than now: the file is not of this clock */
	if (!is_of(pause, now) || now->boot_ns < pause->asked_ns ||
	    now->boot_ns >= pause->until_ns)
		return 0;
	return pause->until_ns - now->boot_ns;
}

bool pause_is_held(const struct pause *pause, const struct pause_now *now)
{
	return is_of(pause, now) && pause->begun;
}
