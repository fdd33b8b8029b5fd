// SPDX-License-Identifier: GPL-2.0
/*
 * Compares the kernel's answer with the expected outcome: see netlink_verdict.h.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <string.h>

#include "flamemod.h"
#include "netlink_attrs.h"
#include "netlink_protocol.h"
#include "netlink_verdict.h"

/* Return the number of the attribute in @mask whose name starts the text, or 0. */
static uint16_t named(const struct attr_set *set, uint64_t mask, const char *text)
{
	uint16_t i;
	size_t len;

	for (i = 1; i <= set->max; i++) {
		len = strlen(set->rules[i].name);
		if (mask >> i & 1 && !strncmp(text, set->rules[i].name, len) && text[len] == ':')
			return i;
	}
	return 0;
}

static bool is_refusal_of_content(const struct answer *answer)
{
	return answer->error == EINVAL || answer->error == ERANGE || answer->error == E2BIG;
}

static const char *check_out_of_limits(const struct judgement *j, const struct answer *answer)
{
	uint16_t top = named(set_at(TOP_SET), j->top, answer->text), inner = 0, i;
	uint64_t allowed = j->dump ? j->op->dump_request : j->op->do_request;
	const struct attr_set *set = set_at(TOP_SET);

	/* sets have members of the same name, such as pids, with different numbers */
	for (i = 1; i <= set->max && !inner; i++)
		if (allowed >> i & 1 && set->rules[i].kind == KIND_NEST)
			inner = named(set_at(set->rules[i].nested), j->settings, answer->text);
	if (!is_refusal_of_content(answer))
		return "what is out of its limits was not refused for that";
	/* of several sources, each may be refused for what only the YAML's words say */
	if (j->deep)
		return *answer->text ? NULL : "a refusal gives no reason";
	if (!top && !inner)
		return "a refusal does not name what is out of its limits";
	/* dumps are refused in their first message, which cannot name an attribute */
	if (!j->dump && strcmp(answer->text, "settings: missing") &&
	    strcmp(answer->text, "follow: missing") &&
	    strcmp(answer->text, "attach: missing") &&
	    strcmp(answer->text, "events: missing, and there is no source") &&
	    answer->attr != (top ? top : inner))
		return "a refusal points at another attribute than it names";
	return NULL;
}

/* Return: the attribute of this type in a request, or NULL. */
static const struct nlattr *attr_of(const struct nlmsghdr *message, uint16_t wanted)
{
	size_t at = NLMSG_LENGTH(GENL_HDRLEN);

	while (at + NLA_HDRLEN <= message->nlmsg_len) {
		const struct nlattr *attr = (const void *)((const char *)message + at);

		if (attr->nla_len < NLA_HDRLEN)
			break;
		if ((attr->nla_type & NLA_TYPE_MASK) == wanted)
			return attr;
		at += NLA_ALIGN(attr->nla_len);
	}
	return NULL;
}

static const char *check_done(const struct judgement *j, const struct answer *answer)
{
	uint64_t reply = j->dump ? j->op->dump_reply : j->op->do_reply;
	bool with_records = j->dump && !j->op->has_do;
	const struct nlattr *from;

	if (!reply)
		return answer->nr_messages ? "there is an answer where none was to be" : NULL;
	if (!j->dump && answer->nr_messages != 1)
		return "there is not one answer";
	from = with_records ? attr_of(j->message, FLAMEMOD_A_FRAMES_FROM) : NULL;
	if (from)
		return profile_end_frames(&answer->profile, (uint32_t)number(from));
	/* the events, and not what the timer sampled? */
	return profile_end(&answer->profile, j->dump, with_records,
			   attr_of(j->message, FLAMEMOD_A_EVENTS));
}

/* Does a refusal say that a kind of source does not have what the request gives it? */
static bool is_of_another_kind(const char *text)
{
	static const char *const ends[] = {
		": func has none", ": latency has none", ": perf has none", ": wakers have none",
	};
	size_t len = strlen(text), i;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (len > strlen(ends[i]) && !strcmp(text + len - strlen(ends[i]), ends[i]))
			return true;
	return false;
}

/*
 * Existing CPUs, clock rates and followed processes are not in the tables, nor is what
 * events do not go together with.
 */
static bool is_beyond_tables(const char *text)
{
	static const char *const beginnings[] = {
		"cpus:", "hz:", "followed-only:", "followed:", "attach:", "events:", "reset:",
		"source:", "kind:", "name:", "unit:", "function:", "operand:", "condition:",
		"size:", "weight:", "record-bytes:", "keep:", "epoch:", "ended:",
		"frames-from:",
	};
	size_t i;

	for (i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		if (!strncmp(text, beginnings[i], strlen(beginnings[i])))
			return true;
	/* after the name that the request gives a source */
	return strstr(text, ": function: ") || strstr(text, ": cannot attach to ") ||
	       strstr(text, ": perf-period: ") || is_of_another_kind(text);
}

bool reason_is_dropped(const struct answer *answer)
{
	return strstr(answer->text, "the reason was dropped");
}

/* A valid request may only be refused because of the session's state. */
static const char *check_valid(const struct judgement *j, const struct answer *answer)
{
	if (!answer->ended && (j->dump || j->message->nlmsg_flags & NLM_F_ACK))
		return "it was not answered";
	if (!answer->error)
		return check_done(j, answer);
	switch (answer->error) {
	case EBUSY:
		/* a second dump on a socket, as below */
		return j->dump || *answer->text ? NULL : "a refusal gives no reason";
	case EALREADY:
	case ENODATA:
	case ENOENT:
	case ENOMEM:
	case EOPNOTSUPP:
	case ESRCH:
	case EUSERS:
		return *answer->text ? NULL : "a refusal gives no reason";
	case E2BIG:
	case EINVAL:
	case ERANGE:
		/* netlink_fuzz.c counts those without a reason: there must be few */
		return is_beyond_tables(answer->text) || reason_is_dropped(answer) ?
			NULL : "what is valid was refused";
	default:
		return "what is valid was refused";
	}
}

const char *verdict_check(const struct judgement *j, const struct answer *answer)
{
	if (j->verdict == VERDICT_VALID)
		return check_valid(j, answer);
	if (answer->nr_messages)
		return "a request that is none was answered";
	if (j->verdict == VERDICT_PASSED_OVER)
		return answer->error ? "what is no request was refused" : NULL;
	if (!answer->ended || !answer->error)
		return "a bad request was not refused";
	/* netlink refuses a second concurrent dump on a socket without parsing it */
	if (j->dump && answer->error == EBUSY && !*answer->text)
		return NULL;
	switch (j->verdict) {
	case VERDICT_OUT_OF_LIMITS:
		return check_out_of_limits(j, answer);
	case VERDICT_MALFORMED:
		if (!is_refusal_of_content(answer))
			return "what is malformed was not refused for that";
		return *answer->text ? NULL : "a refusal gives no reason";
	default:
		return is_refusal_of_content(answer) || answer->error == EOPNOTSUPP ||
			       answer->error == ENOENT ?
			NULL : "another error than netlink's own";
	}
}
