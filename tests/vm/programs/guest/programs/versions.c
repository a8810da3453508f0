// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events: what Windows 2000 did otherwise, and what XP has no more. */
#define _GNU_SOURCE
#include <unistd.h>
#include "programs.h"

#define BOTH	(WNODE_FLAG_TRACED_GUID | WNODE_FLAG_LOG_WNODE)

static struct given given;
static int old;	/* a file with the rules of 5.0 */

static int give(struct session *session, int fd, __u32 flags, __u32 first_word)
{
	prepare(&given, flags, "0123456789", 10);
	if (first_word)
		put32(given.header, first_word);
	return trace_event(fd, session->id, &given, 0);
}

/* Which header the one record has that came of a call; 0: none */
static int marker_after(struct session *session, int err)
{
	struct record record = err ? (struct record){ 0 } : take_one(session);

	return record.bytes ? record.bytes[3] : -1;
}

/* A WNODE_HEADER as it was given, but for the stamp and the handle in it */
static void test_wnode(struct session *session)
{
	struct moment before = moment();
	__u64 handle = session->id, stamp;
	__u8 expected[0x40];
	struct record r;
	int err, there;

	err = give(session, old, WNODE_FLAG_LOG_WNODE, 0x3A);
	row("T32", !err && get64(given.header + 8) == handle, "%s, 0x%llx", error_name(err),
	    get64(given.header + 8));
	r = err ? (struct record){ 0 } : take_one(session);
	there = r.bytes && r.size == 0x3A;
	row("T23", there && !r.bytes[3], "%s", error_name(err));
	row("T24", there && get32(r.bytes) == 0x3A, "0x%x", there ? get32(r.bytes) : 0);
	stamp = there ? get64(r.bytes + 0x10) : 0;
	memcpy(expected, &given, sizeof(expected));
	put64(expected + 0x10, stamp);
	row("T57", there && stamp + 2000 >= before.filetime &&
	    stamp <= moment().filetime + 2000 && !memcmp(r.bytes, expected, 0x3A),
	    "stamp %llu", stamp);
}

/* BufferSize, 32 bits of it, and what Size makes of its lower half */
static void test_sizes_of_5_0(struct session *session)
{
	int err[6];

	err[0] = give(session, old, WNODE_FLAG_LOG_WNODE, 0x2F);
	err[1] = give(session, old, WNODE_FLAG_LOG_WNODE, 0x10030);
	err[2] = give(session, old, WNODE_FLAG_LOG_WNODE, 0x10020);
	err[3] = give(session, old, BOTH, 0x10020);
	err[4] = give(session, old, BOTH, 0x10030);
	err[5] = give(session, old, BOTH, 0x2F);
	row("T25", err[0] == EINVAL, "0x2F: %s", error_name(err[0]));
	row("H30", err[1] == EMSGSIZE && err[2] == EMSGSIZE, "0x10030, 0x10020: %s, %s",
	    error_name(err[1]), error_name(err[2]));
	row("T28", err[3] == EINVAL && err[4] == EMSGSIZE && err[5] == EINVAL,
	    "0x10020, 0x10030, 0x2F: %s, %s, %s", error_name(err[3]), error_name(err[4]),
	    error_name(err[5]));
	result(!take(session, NULL, 0), "5.0: what was refused wrote nothing");
}

static void test_flags_of_5_0(struct session *session)
{
	struct expected_event e;
	struct moment before;
	struct record record;
	const char *wrong;
	int err, event, wnode, both;

	err = give(session, old, 0, 0);
	row("T26", err == EBADRQC, "flags 0: %s", error_name(err));
	err = give(session, old, WNODE_FLAG_USE_GUID_PTR, 0);
	before = moment();
	wrong = error_name(give(session, old, WNODE_FLAG_TRACED_GUID, 0));
	e = expect(&given, 10, before);
	record = take_one(session);
	wrong = wrong_event(&record, &e) ?: wrong;
	row("T19", err == EBADRQC && !strcmp(wrong, "success"), "without %s, with %s",
	    error_name(err), wrong);
	event = marker_after(session, give(session, old, WNODE_FLAG_TRACED_GUID, 0));
	wnode = marker_after(session, give(session, old, WNODE_FLAG_LOG_WNODE, 0x3A));
	both = marker_after(session, give(session, old, BOTH, 0x3A));
	row("T17", event == 0xC0 && !wnode, "markers 0x%x and 0x%x", event, wnode);
	row("H28", event == 0xC0 && !wnode, "markers 0x%x and 0x%x", event, wnode);
	row("T27", !both, "marker 0x%x", both);
}

/* The flag was there, but did nothing to this header. */
static void test_stamp_of_5_0(struct session *session)
{
	struct moment before = moment();
	struct expected_event e;
	struct record record;
	const char *wrong;
	int err;

	err = give(session, old, WNODE_FLAG_TRACED_GUID | WNODE_FLAG_USE_TIMESTAMP, 0);
	e = expect(&given, 10, before);
	record = err ? (struct record){ 0 } : take_one(session);
	wrong = wrong_event(&record, &e);
	row("H41", !wrong, "%s, %s", error_name(err), wrong ? wrong : "as expected");
}

/* Sessions must want them, and so must the file's rules. */
static void test_consent(void)
{
	struct session session = start(&(struct wish){ .name = "no nodes" });
	int err = give(&session, old, WNODE_FLAG_LOG_WNODE, 0x3A);

	result(err == EACCES && !take(&session, NULL, 0),
	       "5.0: a WNODE_HEADER, session without ETW_PROVIDER_WNODES: EACCES # %s",
	       error_name(err));
	end(&session);
}

static void test_set_rules(void)
{
	static const struct {
		__u32 size;
		__u32 version;
		int err;
	} cases[] = {
		{ 8, 0x0500, 0 }, { 8, 0x0501, 0 }, { 8, 0, EINVAL }, { 8, 0x0502, EINVAL },
		{ 8, 0x0600, EINVAL }, { 8, ~0U, EINVAL }, { 0, 0x0501, EINVAL },
		{ 7, 0x0501, EINVAL }, { 9, 0x0501, EINVAL }, { ~0U, 0x0501, EINVAL },
	};
	int fd = open_provider(0), err;
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		err = try(fd, ETW_PROVIDER_SET_RULES, &cases[i]);
		result(err == cases[i].err, "SET_RULES, size %u, version 0x%x: %s # %s",
		       cases[i].size, cases[i].version, error_name(cases[i].err),
		       error_name(err));
	}
	err = try(fd, ETW_PROVIDER_SET_RULES, NULL);
	result(err == EFAULT, "SET_RULES at 0: EFAULT # %s", error_name(err));
	close(fd);
}

void test_versions(void)
{
	struct session session = start(&(struct wish){
		.options = ETW_PROVIDER_WNODES | ETW_PROVIDER_TIMESTAMPS });
	int err;

	old = open_provider(ETW_RULES_5_0);
	test_wnode(&session);
	test_sizes_of_5_0(&session);
	test_flags_of_5_0(&session);
	test_stamp_of_5_0(&session);
	err = give(&session, provider, WNODE_FLAG_LOG_WNODE, 0x3A);
	row("T18", err == EOPNOTSUPP && !take(&session, NULL, 0), "LOG_WNODE: %s",
	    error_name(err));
	err = give(&session, provider, BOTH, 0x3A);
	result(err == EOPNOTSUPP && !take(&session, NULL, 0),
	       "5.1: both flags: EOPNOTSUPP # %s", error_name(err));
	end(&session);
	test_consent();
	test_set_rules();
	close(old);
}
