// SPDX-License-Identifier: GPL-2.0
/*
 * Make windows of dumps: see chain.h.
 */
#include "agent/chain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/half_full.h"
#include "base/hash.h"
#include "profile/books.h"
#include "profile/coarse.h"
#include "profile/inclusion.h"
#include "profile/join.h"
#include "profile/threshold.h"

/* A reset's new epoch begins when the dump that asked for it was taken, or soon after. */
#define RESET_MAX_NS	1000000000ULL

/* A clock that is only slewed moves by less from one window to the next. */
#define STEP_MIN_NS	1000000000LL

/* The most epochs that one step takes; the next one goes on. */
#define STEP_EPOCHS_MAX	64

/* What one step adds to the spool. */
struct chain_pending {
	bool is_closed;			/* the epoch: others have reset the module */
	struct profile *profile;	/* NULL: nothing was sampled */
	struct profile *last;
	struct window window;
	struct ledger counts;
};

static void destroy(struct chain_pending *pending)
{
	if (!pending)
		return;
	profile_destroy(pending->profile);
	profile_destroy(pending->last);
	free(pending);
}

static int no_memory(int err, struct error *error)
{
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

/* Read what the module held at the end of the last window. */
static int load(struct chain *chain, struct error *error)
{
	int err;

	if (chain->is_loaded)
		return 0;
	err = spool_last(chain->spool, chain->boot, &chain->seen, &chain->other_boot, error);
	if (err && err != -EBADMSG)
		return err;
	chain->is_damaged = err == -EBADMSG;
	chain->is_saved = chain->seen;
	chain->is_loaded = true;
	return 0;
}

/* ---- does the window follow the last one? ---- */

static bool is_same_epoch(const struct profile_meta *seen, const struct profile_meta *now)
{
	return seen->epoch == now->epoch && seen->since_ns == now->since_ns &&
	       seen->instant_ns <= now->instant_ns;
}

/* @seen: since_ns is 0 if its epoch ended at seen->instant_ns, see mark_end() */
static bool is_after_reset(const struct profile_meta *seen, const struct profile_meta *now)
{
	return !seen->since_ns && seen->epoch == now->epoch &&
	       seen->instant_ns <= now->since_ns &&
	       now->since_ns - seen->instant_ns < RESET_MAX_NS;
}

static void add_gap(struct ledger *counts, uint64_t from_ns, uint64_t to_ns)
{
	if (to_ns > from_ns)
		counts->gap_ns += to_ns - from_ns;
}

/*
 * What was sampled is not known where the last profile is damaged, or has more than the
 * module: some of it is in earlier windows. Start from now.
 */
static void start_over(struct chain_pending *p, const struct profile_meta *now,
		       uint64_t from_ns)
{
	p->counts.breaks[LEDGER_BREAK_STATE]++;
	add_gap(&p->counts, from_ns, now->instant_ns);
}

/* The end of the newest window of this boot, or when the epoch began. */
static int newest_end(struct chain *chain, const struct profile_meta *now, uint64_t *end_ns,
		      struct error *error)
{
	struct spool_list list = { .nr = 0 };
	int err = spool_list(chain->spool, &list, error);

	*end_ns = now->since_ns;
	for (size_t i = 0; !err && i < list.nr; i++)
		if (!strcmp(list.entries[i].window.boot, chain->boot) &&
		    list.entries[i].window.end_ns > *end_ns)
			*end_ns = list.entries[i].window.end_ns;
	free(list.entries);
	return err;
}

/* All that the module holds is new. */
static int take_all(const struct profile *all, struct chain_pending *p, struct error *error)
{
	p->profile = profile_create();
	if (!p->profile || profile_join(p->profile, all, NULL))
		return no_memory(-ENOMEM, error);
	p->profile->meta = all->meta;
	return 0;
}

/* Without an earlier profile all that the module holds is new, unless one was lost. */
static int begin(struct chain *chain, const struct profile *all, struct chain_pending *p,
		 struct error *error)
{
	const struct profile_meta *now = &p->last->meta;
	uint64_t end_ns;
	int err;

	p->window.begin_ns = now->since_ns;
	if (!chain->is_damaged) {
		p->counts.breaks[chain->other_boot ? LEDGER_BREAK_BOOT :
						     LEDGER_BREAK_FIRST]++;
		return take_all(all, p, error);
	}
	err = newest_end(chain, now, &end_ns, error);
	if (!err)
		start_over(p, now, end_ns);
	return err;
}

/* Reduce what the module holds to what came since the last window. */
static int subtract(struct chain *chain, struct profile *all, struct chain_pending *p,
		    struct error *error)
{
	const struct profile_meta *now = &p->last->meta, *seen;
	int err;

	if (!chain->seen)
		return begin(chain, all, p, error);
	seen = &chain->seen->meta;
	if (is_after_reset(seen, now)) {
		p->window.begin_ns = seen->instant_ns;
		return take_all(all, p, error);
	}
	if (!is_same_epoch(seen, now)) {
		p->window.begin_ns = now->since_ns;
		p->counts.breaks[LEDGER_BREAK_MODULE]++;
		add_gap(&p->counts, seen->instant_ns, now->since_ns);
		return take_all(all, p, error);
	}
	p->window.begin_ns = seen->instant_ns;
	err = profile_difference(all, chain->seen, &p->profile, error);
	if (err != -ERANGE)
		return err;
	start_over(p, now, seen->instant_ns);
	return 0;
}

/* ---- make a window ---- */

static bool is_empty(const struct profile *profile)
{
	return !profile->nr_records && !profile->books.fires && !profile->books.missed;
}

/* Say when the window starts. */
static void set_time(struct chain *chain, struct chain_pending *p)
{
	struct profile_meta *meta = p->profile ? &p->profile->meta : &p->last->meta;
	struct chain_clocks now;
	int64_t clock_ns;

	chain->source.clocks(chain->source.context, &now);
	meta->begin_ns = p->window.begin_ns;
	meta->time_ns = now.real_ns - (int64_t)(now.monotonic_ns - p->window.begin_ns);
	clock_ns = now.real_ns - (int64_t)now.boot_ns;
	if (chain->clock_ns && llabs(clock_ns - chain->clock_ns) > STEP_MIN_NS)
		p->counts.clock_steps++;
	chain->clock_ns = clock_ns;
}

/* Names are looked for only for what is kept. */
static int draw_lots(const struct chain *chain, struct chain_pending *p, struct error *error)
{
	struct profile *drawn;
	int err = chain->threshold ? threshold_draw(p->profile, chain->threshold,
						    hash_random(), &drawn) : 0;

	if (err || !chain->threshold)
		return no_memory(err, error);
	profile_destroy(p->profile);
	p->profile = drawn;
	return 0;
}

static int finish(struct chain *chain, struct chain_pending *p, struct error *error)
{
	int err;

	if (p->profile && is_empty(p->profile)) {
		profile_destroy(p->profile);
		p->profile = NULL;
	}
	set_time(chain, p);
	if (!p->profile)
		return 0;
	/* it began with that */
	if (chain->seen)
		p->profile->meta.inclusion = chain->seen->meta.inclusion;
	strcpy(p->window.boot, chain->boot);
	p->window.epoch = p->last->meta.epoch;
	p->window.end_ns = p->last->meta.instant_ns;
	err = draw_lots(chain, p, error);
	if (!err && chain->source.name)
		err = chain->source.name(chain->source.context, p->profile, error);
	return err ?: profile_check(p->profile, error);
}

/*
 * Get what the module holds, without ids: in @p->last and @all, which are the same unless
 * @hides_jit. A dump with ids takes much memory, and is not kept.
 */
static int take(struct chain *chain, bool reset, struct chain_pending *p,
		struct profile **all, struct error *error)
{
	struct profile *dump;
	int err = chain->source.dump(chain->source.context, chain_epoch(chain), reset, &dump,
				     error);

	if (err)
		return err;
	p->is_closed = dump->meta.is_closed;
	err = profile_coarse(dump, false, &p->last);
	if (!err)
		p->last->meta.inclusion = chain->inclusion;
	if (!err && chain->is_saved)
		err = profile_coarse(dump, true, all);
	else
		*all = p->last;
	profile_destroy(dump);
	return no_memory(err, error);
}

/* Make what the next window starts from: nothing, in the module's next epoch. */
static int mark_end(struct chain_pending *p)
{
	struct profile *none = profile_create();

	if (!none)
		return -ENOMEM;
	none->meta = p->last->meta;
	none->meta.epoch++;
	none->meta.since_ns = 0;
	none->meta.is_closed = false;
	profile_destroy(p->last);
	p->last = none;
	return 0;
}

/* Make a window of a dump. Return: 0 with @made set, or -errno. */
static int make(struct chain *chain, bool reset, struct chain_pending **made,
		struct error *error)
{
	struct chain_pending *p = calloc(1, sizeof(*p));
	struct profile *all = NULL;
	int err;

	if (!p)
		return no_memory(-ENOMEM, error);
	err = take(chain, reset, p, &all, error) ?: subtract(chain, all, p, error) ?:
	      finish(chain, p, error);
	if (all != p->last)
		profile_destroy(all);
	if (!err && p->is_closed)
		err = no_memory(mark_end(p), error);
	if (err)
		destroy(p);
	else
		*made = p;
	return err;
}

/* ---- add it ---- */

/* @pause: what became of a pause, or NULL. */
static int add_with(struct chain *chain, struct chain_pending *p, const struct pause *pause,
		    struct error *error)
{
	struct spool_addition addition = {
		.profile = p->profile, .window = &p->window, .last = p->last,
		.boot = chain->boot, .pause = pause, .counts = p->counts,
	};
	int err = spool_add(chain->spool, &addition, error);

	if (err)
		return err;
	profile_destroy(chain->seen);
	chain->seen = p->last;
	p->last = NULL;
	chain->is_damaged = chain->other_boot = chain->is_saved = false;
	return 0;
}

static bool adds_nothing(const struct chain_pending *p)
{
	static const struct ledger none;

	return !p->profile && !p->is_closed && !memcmp(&p->counts, &none, sizeof(none));
}

static int add(struct chain *chain, struct chain_pending *p, struct error *error)
{
	return adds_nothing(p) ? 0 : add_with(chain, p, NULL, error);
}

/* ---- reset the module ---- */

/* Add what was sampled up to a reset; the module does not have it any more. */
static int add_pending(struct chain *chain, struct error *error)
{
	int err = chain->pending ? add(chain, chain->pending, error) : 0;

	if (err)
		return err;
	destroy(chain->pending);
	chain->pending = NULL;
	return 0;
}

/* If others have reset it meanwhile, what that ended comes first. */
static int reset(struct chain *chain, struct error *error)
{
	bool closed = true;
	int err = 0;

	for (int i = 0; !err && closed && i < STEP_EPOCHS_MAX; i++) {
		err = make(chain, true, &chain->pending, error);
		if (err)
			return err;
		closed = chain->pending->is_closed;
		if (!closed) {
			err = no_memory(mark_end(chain->pending), error);
			chain->pending->counts.resets += !err;
		}
		err = err ?: add_pending(chain, error);
	}
	return err;
}

/* ---- steps ---- */

/* Make and add a window. @closed, @full: whether its epoch is, and whether the module is. */
static int step(struct chain *chain, bool *closed, bool *full, struct error *error)
{
	struct chain_pending *made;
	int err = make(chain, false, &made, error);

	if (err)
		return err;
	*closed = made->is_closed;
	*full = made->profile &&
		is_half_full(&made->last->meta,
			     made->profile->books.lost[FLAMEMOD_LOST_AGGREGATE_FULL]);
	err = add(chain, made, error);
	destroy(made);
	return err;
}

int chain_step(struct chain *chain, struct error *error)
{
	bool closed = true, full = false;
	int err = load(chain, error) ?: add_pending(chain, error);

	for (int i = 0; !err && closed && i < STEP_EPOCHS_MAX; i++)
		err = step(chain, &closed, &full, error);
	return err || closed || !full ? err : reset(chain, error);
}

/* ---- pauses ---- */

int chain_note(struct chain *chain, const struct pause *pause,
	       const struct ledger *counts, struct error *error)
{
	struct spool_addition addition = {
		.boot = chain->boot, .pause = pause, .counts = *counts,
	};

	return spool_add(chain->spool, &addition, error);
}

static int make_last(struct chain *chain, bool resets, struct error *error)
{
	int err = chain_step(chain, error) ?: (resets ? reset(chain, error) : 0);

	/* a module that is not loaded samples nothing */
	return err == -ENODEV ? 0 : err;
}

int chain_pause(struct chain *chain, bool resets, const struct pause *pause,
		struct error *error)
{
	return make_last(chain, resets, error) ?:
	       chain_note(chain, pause, &(struct ledger){ .pauses = 1 }, error);
}

/*
 * Make what the next window starts from: what the module holds now.
 * @unsampled_ns: set to the time since the last window, where that is known
 */
static int start_from(struct chain *chain, const struct profile *dump,
		      struct chain_pending *p, uint64_t *unsampled_ns, struct error *error)
{
	const struct profile *seen = chain->seen;
	int err = no_memory(profile_coarse(dump, false, &p->last), error);

	if (err)
		return err;
	p->last->meta.inclusion = chain->inclusion;
	p->window.begin_ns = p->last->meta.instant_ns;
	set_time(chain, p);
	if (seen && seen->meta.instant_ns < p->last->meta.instant_ns)
		*unsampled_ns = p->last->meta.instant_ns - seen->meta.instant_ns;
	return 0;
}

/* Begin a window now. @pause: its end, or NULL. @of_duty: it is on duty again. */
static int begin_now(struct chain *chain, const struct pause *pause, bool of_duty,
		     struct error *error)
{
	struct chain_pending *p;
	struct profile *dump;
	int err = load(chain, error) ?: add_pending(chain, error) ?:
		  chain->source.dump(chain->source.context, 0, false, &dump, error);

	if (err)
		return err;
	p = calloc(1, sizeof(*p));
	if (p)
		p->counts.on_duty = of_duty;
	err = p ? start_from(chain, dump, p, of_duty ? &p->counts.off_duty_ns :
				     &p->counts.paused_ns, error) :
		  no_memory(-ENOMEM, error);
	profile_destroy(dump);
	if (!err)
		err = add_with(chain, p, pause, error);
	destroy(p);
	return err;
}

int chain_resume(struct chain *chain, const struct pause *pause, struct error *error)
{
	return begin_now(chain, pause, false, error);
}

/* ---- hours in which this host takes no part ---- */

int chain_began_with(struct chain *chain, uint64_t *inclusion, struct error *error)
{
	int err = load(chain, error);

	*inclusion = 0;
	if (!err && chain->seen)
		*inclusion = inclusion_weight(&chain->seen->meta);
	return err;
}

int chain_go_off_duty(struct chain *chain, bool sampled, bool resets,
		      struct error *error)
{
	int err = sampled ? make_last(chain, resets, error) : 0;

	return err ?: chain_note(chain, NULL, &(struct ledger){ .off_duty = 1 }, error);
}

int chain_go_on_duty(struct chain *chain, struct error *error)
{
	return begin_now(chain, NULL, true, error);
}

uint32_t chain_epoch(const struct chain *chain)
{
	return chain->seen ? chain->seen->meta.epoch : 0;
}

void chain_deinit(struct chain *chain)
{
	profile_destroy(chain->seen);
	destroy(chain->pending);
	chain->seen = NULL;
	chain->pending = NULL;
}
