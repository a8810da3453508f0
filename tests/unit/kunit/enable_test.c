// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Notifications: ENABLE by several sessions, pages of programs, PROVIDERS' entries. */
#include <kunit/test.h>
#include <linux/cred.h>
#include "provider/accounts.c"
#include "provider/enable.c"
#include "provider/registrations.c"
#include "provider/event_listeners.c"

static struct etw_provider *logged;
static u32 module_wakes;

/* That of kernel_provider.c has a worker. */
void etw_kernel_provider_publish(struct etw_provider *provider, const struct etw_enabled *enabled)
{
	provider->enabled = !!enabled;
	provider->level = enabled ? enabled->level : 0;
	logged = provider;
}

void etw_kernel_provider_publish_events(struct etw_provider *provider,
					const struct etw_event_state *events)
{
	provider->events = *events;
}

void etw_kernel_provider_wake(struct etw_provider *provider)
{
	module_wakes++;
}

/* That of writable.c needs a session that runs. */
u64 etw_writable_handle(const struct etw_session *session)
{
	return session->sink.id;
}

#define SESSIONS	(ETW_MAX_LISTENERS + 1)

/**
 * struct scene - what the cases play with
 * @sessions: of the ids from 1
 * @file: two open files of programs
 * @info: what PROVIDERS would return
 */
struct scene {
	struct etw_session *sessions[SESSIONS];
	struct etw_provider_file file[2];
	struct etw_provider_info info[16];
};

static const struct etw_guid one = { .data1 = 1 }, two = { .data1 = 2 }, three = { .data1 = 3 };

static struct scene *set_scene(struct kunit *test)
{
	struct scene *scene = kunit_kzalloc(test, sizeof(*scene), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, scene);
	for (i = 0; i < SESSIONS; i++) {
		scene->sessions[i] = kunit_kzalloc(test, sizeof(*scene->sessions[i]), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, scene->sessions[i]);
		mutex_init(&scene->sessions[i]->lock);
		scene->sessions[i]->sink.id = i + 1;
	}
	for (i = 0; i < 2; i++) {
		scene->file[i].caller.user = etw_user_get(current_cred());
		KUNIT_ASSERT_NOT_NULL(test, scene->file[i].caller.user);
	}
	return scene;
}

static void drop(struct scene *scene, u32 session)
{
	mutex_lock(&scene->sessions[session - 1]->lock);
	etw_enabled_drop(scene->sessions[session - 1]);
	mutex_unlock(&scene->sessions[session - 1]->lock);
}

/* Nothing stays of a case. */
static void end_scene(struct kunit *test, struct scene *scene)
{
	u32 i;

	for (i = 0; i < SESSIONS; i++)
		drop(scene, i + 1);
	etw_registrations_release(&scene->file[0]);
	etw_registrations_release(&scene->file[1]);
	KUNIT_EXPECT_EQ(test, scene->file[0].caller.user->registrations, 0U);
	etw_user_put(scene->file[0].caller.user);
	etw_user_put(scene->file[1].caller.user);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&guids));
	KUNIT_EXPECT_TRUE(test, list_empty(&all_enabled));
}

static int want(struct scene *scene, u32 session, const struct etw_guid *guid, u32 level)
{
	const struct etw_enable wanted = {
		.guid = *guid, .enabled = !!level, .level = level, .enable_flags = level << 28,
	};
	struct etw_session *of = scene->sessions[session - 1];
	int err;

	mutex_lock(&of->lock);
	err = etw_provider_enable(of, &wanted, NULL);
	mutex_unlock(&of->lock);
	return err;
}

static u32 registered(struct kunit *test, struct scene *scene, u32 file,
		      const struct etw_guid *guid)
{
	struct etw_registrations *owner = registrations_of(&scene->file[file]);
	struct etw_registration *new = kzalloc(sizeof(*new), GFP_KERNEL);
	struct etw_control_guid *room = etw_control_guid_new();
	u32 index = ~0U;

	KUNIT_ASSERT_TRUE(test, owner && new);
	mutex_lock(&etw_providers_lock);
	KUNIT_EXPECT_EQ(test, 0, add(owner, new, guid, &room, &index));
	mutex_unlock(&etw_providers_lock);
	kfree(room);
	return index;
}

static const struct etw_provider_state *state(struct scene *scene, u32 file, u32 index)
{
	return &scene->file[file].registrations->page->state[index];
}

/* @session: 0: no listener */
static void expect(struct kunit *test, const struct etw_provider_state *state, u32 session,
		   u32 level)
{
	KUNIT_EXPECT_EQ(test, state->registered, 1);
	KUNIT_EXPECT_EQ(test, state->sequence % 2, 0U);
	KUNIT_EXPECT_EQ(test, state->enabled, !!session);
	KUNIT_EXPECT_EQ(test, state->logger_id, session);
	KUNIT_EXPECT_EQ(test, state->level, level);
	KUNIT_EXPECT_EQ(test, state->flags, level << 28);
}

/* "One session at a time, the one that enabled it last; ... an older one" */
static void newest_is_reported(struct kunit *test)
{
	struct scene *scene = set_scene(test);
	u32 index = registered(test, scene, 0, &two);
	const struct etw_provider_state *it = state(scene, 0, index);

	expect(test, it, 0, 0);
	KUNIT_EXPECT_EQ(test, 0, want(scene, 1, &two, 3));
	expect(test, it, 1, 3);
	KUNIT_EXPECT_EQ(test, 0, want(scene, 2, &two, 4));
	KUNIT_EXPECT_EQ(test, 0, want(scene, 3, &two, 5));
	expect(test, it, 3, 5);
	/* not the one that the entry names: nothing changes */
	KUNIT_EXPECT_EQ(test, 0, want(scene, 2, &two, 0));
	expect(test, it, 3, 5);
	KUNIT_EXPECT_EQ(test, 0, want(scene, 3, &two, 0));
	expect(test, it, 1, 3);
	/* once more: it is the newest, with what it said last */
	KUNIT_EXPECT_EQ(test, 0, want(scene, 2, &two, 6));
	KUNIT_EXPECT_EQ(test, 0, want(scene, 1, &two, 7));
	expect(test, it, 1, 7);
	drop(scene, 1);
	expect(test, it, 2, 6);
	drop(scene, 2);
	expect(test, it, 0, 0);
	KUNIT_EXPECT_EQ(test, -ENOENT, want(scene, 1, &two, 0));
	KUNIT_EXPECT_EQ(test, -ENOENT, want(scene, 1, &three, 0));
	end_scene(test, scene);
}

/* All that have it registered are notified, before or after, and no others. */
static void all_are_notified(struct kunit *test)
{
	struct scene *scene = set_scene(test);
	struct etw_provider module = { .guid = one };
	struct etw_control_guid *guid, *room = etw_control_guid_new();
	u32 a = registered(test, scene, 0, &one), b = registered(test, scene, 0, &one);
	u32 c = registered(test, scene, 1, &one), d = registered(test, scene, 1, &two), e;

	mutex_lock(&etw_providers_lock);
	guid = etw_control_guid_get(&one, &room);
	KUNIT_ASSERT_NOT_NULL(test, guid);
	/* it was known */
	KUNIT_EXPECT_NOT_NULL(test, room);
	list_add(&module.node, &guid->modules);
	guid->registrations++;
	mutex_unlock(&etw_providers_lock);
	module_wakes = 0;
	KUNIT_EXPECT_EQ(test, 0, want(scene, 2, &one, 9));
	KUNIT_EXPECT_EQ(test, module_wakes, 1U);
	e = registered(test, scene, 1, &one);
	expect(test, state(scene, 0, a), 2, 9);
	expect(test, state(scene, 0, b), 2, 9);
	expect(test, state(scene, 1, c), 2, 9);
	expect(test, state(scene, 1, d), 0, 0);
	expect(test, state(scene, 1, e), 2, 9);
	KUNIT_EXPECT_PTR_EQ(test, logged, &module);
	KUNIT_EXPECT_EQ(test, module.level, 9);
	KUNIT_EXPECT_EQ(test, module.events.sessions, 1);
	mutex_lock(&etw_providers_lock);
	KUNIT_EXPECT_PTR_EQ(test, guid, etw_control_guid_get(&one, &room));
	KUNIT_EXPECT_EQ(test, guid->registrations, 5U);
	list_del(&module.node);
	guid->registrations--;
	mutex_unlock(&etw_providers_lock);
	kfree(room);
	end_scene(test, scene);
}

/* Entries of a page are used again; each change is counted. */
static void page_of_a_program(struct kunit *test)
{
	struct scene *scene = set_scene(test);
	const struct etw_provider_page *page;
	struct etw_registrations *owner;
	u32 i, before;

	for (i = 0; i < ETW_MAX_REGISTRATIONS; i++)
		KUNIT_ASSERT_EQ(test, i, registered(test, scene, 0, i % 2 ? &one : &two));
	owner = scene->file[0].registrations;
	page = owner->page;
	KUNIT_EXPECT_EQ(test, page->version, 1U);
	KUNIT_EXPECT_EQ(test, page->changes, (u32)ETW_MAX_REGISTRATIONS);
	mutex_lock(&etw_providers_lock);
	KUNIT_EXPECT_EQ(test, -ENOSPC, add(owner, NULL, &three, NULL, &i));
	mutex_unlock(&etw_providers_lock);
	KUNIT_EXPECT_EQ(test, 0, remove_index(owner, 77));
	KUNIT_EXPECT_EQ(test, -EINVAL, remove_index(owner, 77));
	KUNIT_EXPECT_EQ(test, page->state[77].registered, 0);
	KUNIT_EXPECT_EQ(test, page->state[77].sequence, 4U);
	KUNIT_EXPECT_EQ(test, 77U, registered(test, scene, 0, &three));
	KUNIT_EXPECT_EQ(test, page->state[77].sequence, 6U);
	before = page->changes;
	KUNIT_EXPECT_EQ(test, 0, want(scene, 1, &three, 1));
	/* one in each of the two pages */
	KUNIT_EXPECT_EQ(test, page->changes, before + 2);
	expect(test, &page->state[77], 1, 1);
	KUNIT_EXPECT_EQ(test, 0, want(scene, 1, &two, 1));
	KUNIT_EXPECT_EQ(test, page->changes, before + 2 + 2 * 128);
	end_scene(test, scene);
}

/* A task that waits in poll(), as a bystander with a million descriptors for one file would */
struct watcher {
	struct wait_queue_entry entry;
	const struct task_struct *by;
	u32 woken;
};

static int woken(struct wait_queue_entry *entry, unsigned int mode, int flags, void *key)
{
	struct watcher *watcher = container_of(entry, struct watcher, entry);

	watcher->by = current;
	watcher->woken++;
	return 0;
}

/* ENABLE and the end of a session have locks, which all programs and controllers want. */
static void waiters_cost_a_worker_once(struct kunit *test)
{
	struct scene *scene = set_scene(test);
	struct watcher watcher = { };
	struct etw_registrations *owner;
	u32 i;

	init_waitqueue_func_entry(&watcher.entry, woken);
	for (i = 0; i < ETW_MAX_REGISTRATIONS; i++)
		registered(test, scene, 0, &one);
	owner = scene->file[0].registrations;
	flush_work(&owner->wake);
	add_wait_queue(&owner->wait, &watcher.entry);
	KUNIT_EXPECT_EQ(test, 0, want(scene, 1, &one, 3));
	flush_work(&owner->wake);
	KUNIT_EXPECT_EQ(test, watcher.woken, 1U);
	KUNIT_EXPECT_PTR_NE(test, watcher.by, (const struct task_struct *)current);
	watcher.woken = 0;
	watcher.by = NULL;
	drop(scene, 1);
	flush_work(&owner->wake);
	KUNIT_EXPECT_EQ(test, watcher.woken, 1U);
	KUNIT_EXPECT_PTR_NE(test, watcher.by, (const struct task_struct *)current);
	remove_wait_queue(&owner->wait, &watcher.entry);
	end_scene(test, scene);
}

/* Otherwise one user could make each ENABLE of all others as long as it likes. */
static void limit_of_a_user(struct kunit *test)
{
	struct scene *scene = set_scene(test);
	struct etw_user *user = scene->file[0].caller.user;
	struct etw_control_guid *room = etw_control_guid_new();
	struct etw_registrations *owner;
	u32 i;

	registered(test, scene, 0, &one);
	owner = scene->file[0].registrations;
	KUNIT_EXPECT_EQ(test, user->registrations, 1U);
	/* all files of a user count */
	KUNIT_EXPECT_PTR_EQ(test, user, scene->file[1].caller.user);
	user->registrations = ETW_MAX_USER_REGISTRATIONS - 1;
	registered(test, scene, 1, &one);
	mutex_lock(&etw_providers_lock);
	KUNIT_EXPECT_EQ(test, -EDQUOT, add(owner, NULL, &two, &room, &i));
	mutex_unlock(&etw_providers_lock);
	KUNIT_EXPECT_NOT_NULL(test, room);
	kfree(room);
	/* and none was registered for it */
	KUNIT_EXPECT_EQ(test, fill(NULL, 0), 1U);
	KUNIT_EXPECT_EQ(test, 0, remove_index(owner, 0));
	registered(test, scene, 0, &two);
	user->registrations = 2;
	end_scene(test, scene);
}

/* PROVIDERS allocates between two countings: more may come then, which is never lost. */
static void list_of_all(struct kunit *test)
{
	struct scene *scene = set_scene(test);
	struct etw_provider_info *info;
	u32 limit = 16, count = 0;

	info = make_list(&limit, &count);
	KUNIT_EXPECT_NULL(test, info);
	KUNIT_EXPECT_EQ(test, limit + count, 0U);
	registered(test, scene, 0, &one);
	registered(test, scene, 0, &two);
	limit = 1;
	info = make_list(&limit, &count);
	KUNIT_ASSERT_FALSE(test, IS_ERR_OR_NULL(info));
	KUNIT_EXPECT_EQ(test, limit, 1U);
	KUNIT_EXPECT_EQ(test, count, 2U);
	KUNIT_EXPECT_EQ(test, info[0].guid.data1, 1U);
	kvfree(info);
	limit = U32_MAX;
	info = make_list(&limit, &count);
	KUNIT_ASSERT_FALSE(test, IS_ERR_OR_NULL(info));
	KUNIT_EXPECT_EQ(test, limit, 2U);
	KUNIT_EXPECT_EQ(test, count, 2U);
	KUNIT_EXPECT_EQ(test, info[1].guid.data1, 2U);
	kvfree(info);
	end_scene(test, scene);
}

static void limit(struct kunit *test)
{
	struct scene *scene = set_scene(test);
	struct etw_guid guid = { };
	u32 i;

	for (i = 0; i < ETW_MAX_ENABLED; i++) {
		guid.data4[7] = i;
		KUNIT_EXPECT_EQ(test, 0, want(scene, 1, &guid, 1));
	}
	KUNIT_EXPECT_EQ(test, 0, want(scene, 1, &guid, 2));
	guid.data4[7] = i;
	KUNIT_EXPECT_EQ(test, -ENOSPC, want(scene, 1, &guid, 1));
	/* not a trace of it; and another session has its own */
	KUNIT_EXPECT_EQ(test, fill(NULL, 0), (u32)ETW_MAX_ENABLED);
	KUNIT_EXPECT_EQ(test, 0, want(scene, 2, &guid, 1));
	KUNIT_EXPECT_EQ(test, fill(NULL, 0), (u32)ETW_MAX_ENABLED + 1);
	guid.data4[7] = 0;
	KUNIT_EXPECT_EQ(test, 0, want(scene, 1, &guid, 0));
	KUNIT_EXPECT_EQ(test, 0, want(scene, 1, &three, 1));
	end_scene(test, scene);
}

/* An entry for each session; one where there is none; no more than there is room for */
static void entries(struct kunit *test)
{
	struct scene *scene = set_scene(test);
	struct etw_provider_info *info = scene->info;

	registered(test, scene, 0, &two);
	registered(test, scene, 1, &two);
	want(scene, 1, &three, 4);
	want(scene, 2, &three, 5);
	registered(test, scene, 1, &three);
	KUNIT_EXPECT_EQ(test, 3U, fill(info, 16));
	KUNIT_EXPECT_EQ(test, info[0].guid.data1, 2U);
	KUNIT_EXPECT_EQ(test, info[0].registrations, 2U);
	KUNIT_EXPECT_EQ(test, info[0].logger_id, 0U);
	KUNIT_EXPECT_EQ(test, info[1].guid.data1, 3U);
	KUNIT_EXPECT_EQ(test, info[1].registrations, 1U);
	KUNIT_EXPECT_EQ(test, info[1].logger_id, 2U);
	KUNIT_EXPECT_EQ(test, info[1].level, 5U);
	KUNIT_EXPECT_EQ(test, info[1].enable_flags, 5U << 28);
	KUNIT_EXPECT_EQ(test, info[2].logger_id, 1U);
	KUNIT_EXPECT_NULL(test, memchr_inv(&info[3], 0, sizeof(info[3])));
	memset(info, 0, sizeof(scene->info));
	KUNIT_EXPECT_EQ(test, 3U, fill(info, 2));
	KUNIT_EXPECT_EQ(test, info[1].logger_id, 2U);
	KUNIT_EXPECT_NULL(test, memchr_inv(&info[2], 0, sizeof(info[2])));
	end_scene(test, scene);
}

static int want_keywords(struct scene *scene, u32 session, u64 any, u32 enabled)
{
	const struct etw_enable wanted = {
		.guid = one, .enabled = enabled, .level = session, .match_any = any,
		.match_all = 1,
	};
	struct etw_session *of = scene->sessions[session - 1];
	int err;

	mutex_lock(&of->lock);
	err = etw_provider_enable(of, &wanted, NULL);
	mutex_unlock(&of->lock);
	return err;
}

/* Return: bits of the sessions that want an event, by logger id; or a negative errno */
static int listeners(struct scene *scene, u32 index, u8 level, u64 keyword)
{
	const struct etw_write_event event = {
		.index = index, .provider = one,
		.descriptor = { .level = level, .keyword = keyword },
	};
	struct etw_event_listener to[ETW_MAX_LISTENERS];
	int i, bits = 0, n = etw_registration_listeners(&scene->file[0], &event, NULL, to);

	for (i = 0; i < n; i++)
		bits |= BIT(to[i].handle);
	return n < 0 ? n : bits;
}

/* All sessions at once, and the program's pages combine them. */
static void keywords_of_all(struct kunit *test)
{
	struct scene *scene = set_scene(test);
	u32 index = registered(test, scene, 0, &one), other = registered(test, scene, 0, &two), i;
	const struct etw_event_state *it = event_state(scene->file[0].registrations, index);

	KUNIT_EXPECT_EQ(test, 0, listeners(scene, index, 0, 0));
	for (i = 1; i <= ETW_MAX_LISTENERS; i++)
		KUNIT_EXPECT_EQ(test, 0, want_keywords(scene, i, 1ULL << (60 - i), 1));
	KUNIT_EXPECT_EQ(test, -ENOSPC, want_keywords(scene, i, 1, 1));
	KUNIT_EXPECT_EQ(test, -ENOENT, want_keywords(scene, i, 1, ETW_ENABLE_CAPTURE_STATE));
	KUNIT_EXPECT_EQ(test, it->match_any, 0xFFULL << 52);
	KUNIT_EXPECT_EQ(test, it->match_all, 1ULL);
	KUNIT_EXPECT_EQ(test, it->level, ETW_MAX_LISTENERS);
	KUNIT_EXPECT_EQ(test, it->sessions, ETW_MAX_LISTENERS);
	KUNIT_EXPECT_EQ(test, it->keyword_0, 1);
	KUNIT_EXPECT_EQ(test, 0x1FE, listeners(scene, index, 0, 0));
	KUNIT_EXPECT_EQ(test, 0x1C0, listeners(scene, index, 6, 0));
	KUNIT_EXPECT_EQ(test, BIT(7), listeners(scene, index, 7, 1 | 3ULL << 53));
	KUNIT_EXPECT_EQ(test, 0, listeners(scene, index, 0, 3ULL << 53));
	/* the entry of another GUID, none, and one that can't be */
	KUNIT_EXPECT_EQ(test, -ENOENT, listeners(scene, other, 0, 0));
	KUNIT_EXPECT_EQ(test, -ENOENT, listeners(scene, 2, 0, 0));
	KUNIT_EXPECT_EQ(test, -ENOENT, listeners(scene, ETW_MAX_REGISTRATIONS, 0, 0));
	/* again, with other settings: the same place */
	KUNIT_EXPECT_EQ(test, 0, want_keywords(scene, 8, 1ULL << 63, 1));
	KUNIT_EXPECT_EQ(test, it->match_any, 0xFEULL << 52 | 1ULL << 63);
	KUNIT_EXPECT_EQ(test, 0, want_keywords(scene, 3, 0, ETW_ENABLE_CAPTURE_STATE));
	KUNIT_EXPECT_EQ(test, it->captures, 1U);
	KUNIT_EXPECT_EQ(test, it->sessions, ETW_MAX_LISTENERS);
	/* sessions leave in any order, and others take their places */
	drop(scene, 8);
	drop(scene, 2);
	drop(scene, 7);
	KUNIT_EXPECT_EQ(test, 0x7A, listeners(scene, index, 0, 0));
	KUNIT_EXPECT_EQ(test, 0, want_keywords(scene, 9, 1ULL << 62, 1));
	KUNIT_EXPECT_EQ(test, 0x27A, listeners(scene, index, 0, 0));
	KUNIT_EXPECT_EQ(test, 0, want_keywords(scene, 8, 1ULL << 63, 1));
	KUNIT_EXPECT_EQ(test, 0x37A, listeners(scene, index, 0, 0));
	for (i = 1; i <= SESSIONS; i++)
		drop(scene, i);
	KUNIT_EXPECT_EQ(test, it->sequence % 2, 0U);
	KUNIT_EXPECT_EQ(test, it->match_any, 0ULL);
	KUNIT_EXPECT_EQ(test, it->level, 0);
	KUNIT_EXPECT_EQ(test, it->keyword_0, 0);
	KUNIT_EXPECT_EQ(test, 0, listeners(scene, index, 0, 0));
	end_scene(test, scene);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(newest_is_reported),
	KUNIT_CASE(all_are_notified),
	KUNIT_CASE(page_of_a_program),
	KUNIT_CASE(waiters_cost_a_worker_once),
	KUNIT_CASE(limit_of_a_user),
	KUNIT_CASE(list_of_all),
	KUNIT_CASE(limit),
	KUNIT_CASE(entries),
	KUNIT_CASE(keywords_of_all),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_enable",
	.test_cases = cases,
};

kunit_test_suite(suite);
