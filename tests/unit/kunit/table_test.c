// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * The table of sessions: a session that is found stays; a session that is retired gives up its node
 * before its id.
 */
#include <kunit/test.h>
#include <linux/mutex.h>

struct etw_session;

static void node_goes(struct etw_session *session);
static u32 next_number(void);
static void unlocked(struct mutex *lock);

#define etw_node_remove		node_goes
#define etw_node_number		next_number
#define mutex_unlock		unlocked
#include "session/table.c"
#undef mutex_unlock
#undef etw_node_number
#undef etw_node_remove

/* What table.c asks for when a session is freed: none is here. */
void etw_wake_free(struct etw_session *session)
{
}

void etw_stop_ring_free(struct etw_session *session)
{
}

void etw_profile_stop(struct etw_profile *profile)
{
}

void etw_profile_free(struct etw_profile *profile)
{
}

void etw_linux_events_stop(struct etw_linux_events *events)
{
}

void etw_linux_events_free(struct etw_linux_events *events)
{
}

void etw_event_context_stop(struct etw_event_context *context)
{
}

void etw_event_context_free(struct etw_event_context *context)
{
}

/**
 * struct node_seen - what a session's node saw when it went
 * @removed: how often it was
 * @id: of the session
 * @listed: it was still found by its id
 * @taken: no other session could get that id meanwhile
 * @locked: all others had to wait for it
 */
static struct node_seen {
	u32 removed;
	u32 id;
	bool listed;
	bool taken;
	bool locked;
} node;

/* Minor numbers, as of the only node's counter */
static u32 number;

static u32 next_number(void)
{
	return number++;
}

static void node_goes(struct etw_session *session)
{
	node.removed++;
	node.id = session->sink.id;
	node.listed = table[session->sink.id - 1];
	node.taken = taken_ids & 1ULL << (session->sink.id - 1);
	node.locked = mutex_is_locked(&etw_sessions_lock);
	etw_table_free_id(session->sink.id);
}

/* How many references a session had when the table's lock was given up */
static struct etw_session *looked_at;
static u32 references;

static void unlocked(struct mutex *lock)
{
	if (looked_at)
		references = kref_read(&looked_at->ref);
	mutex_unlock(lock);
}

static struct etw_session *made(struct kunit *test, u16 name)
{
	struct etw_session *session = kunit_kzalloc(test, sizeof(*session), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, session);
	kref_init(&session->ref);
	kref_get(&session->ref);
	session->settings.logger_name[0] = name;
	return session;
}

/* As after a STOP: the table has a reference, and its caller has one */
static struct etw_session *stopped(struct kunit *test, u16 name)
{
	struct etw_session *session = made(test, name);

	KUNIT_ASSERT_EQ(test, etw_table_add(session), 0);
	return session;
}

static int begin(struct kunit *test)
{
	memset(table, 0, sizeof(table));
	taken_ids = 0;
	number = 7;
	node = (struct node_seen){ };
	looked_at = NULL;
	return 0;
}

/* Else a START could get the id in between, and find a node of that name. */
static void node_goes_before_the_id_is_free(struct kunit *test)
{
	struct etw_session *other = stopped(test, 'A'), *session = stopped(test, 'B');
	u32 id = session->sink.id;

	KUNIT_ASSERT_NE(test, id, other->sink.id);
	etw_session_retire(session);
	KUNIT_EXPECT_EQ(test, node.removed, 1U);
	KUNIT_EXPECT_EQ(test, node.id, id);
	KUNIT_EXPECT_FALSE(test, node.listed);
	KUNIT_EXPECT_TRUE(test, node.taken);
	/* its folder may be locked forever */
	KUNIT_EXPECT_FALSE(test, node.locked);
	KUNIT_EXPECT_FALSE(test, mutex_is_locked(&etw_sessions_lock));
	KUNIT_EXPECT_NULL(test, etw_session_get(id));
	KUNIT_EXPECT_EQ(test, kref_read(&session->ref), 1U);
	KUNIT_EXPECT_EQ(test, etw_sessions_list(), 1ULL << (other->sink.id - 1));
}

/* Of the last reader and STOP|DISCARD one comes too late; the id may be another's by then. */
static void retired_once(struct kunit *test)
{
	struct etw_session *session = stopped(test, 'A'), *next;

	etw_session_retire(session);
	next = stopped(test, 'A');
	KUNIT_ASSERT_EQ(test, next->sink.id, session->sink.id);
	etw_session_retire(session);
	KUNIT_EXPECT_EQ(test, node.removed, 1U);
	KUNIT_EXPECT_EQ(test, kref_read(&session->ref), 1U);
	KUNIT_EXPECT_PTR_EQ(test, etw_session_get(next->sink.id), next);
}

/* A copy of a node, with the number of an earlier session, leads to no later one. */
static void number_is_one_sessions(struct kunit *test)
{
	struct etw_session *session = stopped(test, 'A'), *next;
	u32 minor = session->minor;

	KUNIT_EXPECT_PTR_EQ(test, etw_session_of_node(minor), session);
	etw_session_retire(session);
	KUNIT_EXPECT_NULL(test, etw_session_of_node(minor));
	next = stopped(test, 'A');
	KUNIT_EXPECT_EQ(test, next->sink.id, session->sink.id);
	KUNIT_EXPECT_NULL(test, etw_session_of_node(minor));
	KUNIT_EXPECT_PTR_EQ(test, etw_session_of_node(next->minor), next);
	/* once all numbers were used */
	number = next->minor;
	KUNIT_EXPECT_NE(test, stopped(test, 'B')->minor, next->minor);
}

/* The task that ends the session next, and waits for the lock, may hold the last reference. */
static void found_with_a_reference_under_the_lock(struct kunit *test)
{
	struct etw_session *session = stopped(test, 'A');

	looked_at = session;
	KUNIT_EXPECT_PTR_EQ(test, etw_session_get(session->sink.id), session);
	KUNIT_EXPECT_EQ(test, references, 3U);
}

/* The case of ASCII letters does not count. Other characters are what they are. */
static void name_is_unique_whatever_its_case(struct kunit *test)
{
	static const u16 taken[][2] = { { 'a', 'A' }, { 'Z', 'z' }, { 'M', 'M' } };
	static const u16 apart[][2] = {
		{ '@', '`' }, { '[', '{' }, { 'b', 'B' + 0x100 }, { 0xC4, 0xE4 },
	};
	u64 list;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(taken); i++) {
		stopped(test, taken[i][0]);
		list = etw_sessions_list();
		KUNIT_EXPECT_EQ(test, etw_table_add(made(test, taken[i][1])), -EEXIST);
		KUNIT_EXPECT_EQ(test, etw_sessions_list(), list);
	}
	for (i = 0; i < ARRAY_SIZE(apart); i++) {
		stopped(test, apart[i][0]);
		stopped(test, apart[i][1]);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(name_is_unique_whatever_its_case),
	KUNIT_CASE(found_with_a_reference_under_the_lock),
	KUNIT_CASE(node_goes_before_the_id_is_free),
	KUNIT_CASE(number_is_one_sessions),
	KUNIT_CASE(retired_once),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_table",
	.init = begin,
	.test_cases = cases,
};

kunit_test_suite(suite);
