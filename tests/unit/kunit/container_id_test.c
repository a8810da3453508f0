// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of control groups: which ones are containers, and the GUID of each. */
#include <kunit/test.h>
#include <linux/string.h>
#include "record/container_id.c"

#define ID	"0123456789abcdef0f1e2d3c4b5a6978ffffffffffffffffffffffffffffffff"
#define GUID	"01234567-89ab-cdef-0f1e-2d3c4b5a6978"

static const char *const containers[] = {
	ID, ID ".scope", "docker-" ID ".scope", "docker-" ID, "libpod-" ID ".scope", "libpod-" ID,
	"libpod-payload-" ID, "cri-containerd-" ID ".scope", "crio-" ID ".scope", "crio-" ID,
	"nerdctl-" ID ".scope",
};

static const char *const others[] = {
	"", "/", "system.slice", "docker", "user@1000.service", "lxc.payload.web",
	"machine-web.scope", "session-1.scope",
	/* monitors run outside the container */
	"libpod-conmon-" ID ".scope", "crio-conmon-" ID ".scope",
	/* what is started beside a container, for its health */
	ID "-0123456789abcdef.service", ID ".service", ID ".timer",
	/* a digit too few or too many, another one, capitals */
	"docker-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde.scope",
	"docker-" ID "0.scope", "0" ID, ID "0", "docker-g" ID ".scope",
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdeg",
	"0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef",
	"docker-" ID ".scop", "docker-" ID ".scope2", "docker-" ID ".scope/", "docker-" ID ".",
	"docker" ID, "-" ID, "other-" ID ".scope", " docker-" ID ".scope", "docker-docker-" ID,
	"payload-" ID, "docker-payload-" ID,
};

static void containers_have_a_guid(struct kunit *test)
{
	char id[ETW_CONTAINER_ID + 1];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(containers); i++) {
		memset(id, 'x', sizeof(id));
		KUNIT_EXPECT_TRUE_MSG(test, etw_container_id_of(containers[i], id), "%s",
				      containers[i]);
		KUNIT_EXPECT_EQ_MSG(test, 0, memcmp(id, GUID "x", sizeof(id)), "%s", containers[i]);
		KUNIT_EXPECT_LT(test, strlen(containers[i]) + 1, (size_t)ETW_CONTAINER_NAME);
	}
}

static void other_groups_have_none(struct kunit *test)
{
	char id[ETW_CONTAINER_ID];
	size_t i;

	memset(id, 'x', sizeof(id));
	for (i = 0; i < ARRAY_SIZE(others); i++)
		KUNIT_EXPECT_FALSE_MSG(test, etw_container_id_of(others[i], id), "%s", others[i]);
	KUNIT_EXPECT_NULL(test, memchr_inv(id, 'x', sizeof(id)));
}

/* A copy of a name that was cut is not the name of a container. */
static void cut_names_are_no_containers(struct kunit *test)
{
	char name[ETW_CONTAINER_NAME + 2], id[ETW_CONTAINER_ID];

	memset(name, 'x', sizeof(name));
	memcpy(name, "docker-" ID ".scope", strlen("docker-" ID ".scope"));
	name[ETW_CONTAINER_NAME - 1] = '\0';
	KUNIT_EXPECT_FALSE(test, etw_container_id_of(name, id));
}

/* Nothing is read behind the end of a name. */
static void ends_are_kept(struct kunit *test)
{
	static const char full[] = "docker-" ID ".scope";
	char id[ETW_CONTAINER_ID], *name;
	size_t i;

	for (i = 0; i < sizeof(full); i++) {
		name = kunit_kmalloc(test, i + 1, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, name);
		memcpy(name, full, i);
		name[i] = '\0';
		KUNIT_EXPECT_EQ(test, etw_container_id_of(name, id),
				i == 7 + DIGITS || i == sizeof(full) - 1);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(containers_have_a_guid),
	KUNIT_CASE(other_groups_have_none),
	KUNIT_CASE(cut_names_are_no_containers),
	KUNIT_CASE(ends_are_kept),
	{}
};

static struct kunit_suite suite = {
	.name = "etw_container_id",
	.test_cases = cases,
};

kunit_test_suite(suite);
