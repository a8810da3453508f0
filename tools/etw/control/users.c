// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Users and groups by name or number. */
#define _DEFAULT_SOURCE
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include "etw.h"
#include "users.h"

/*
 * The files themselves: a static program, as in a rescue system, has no name
 * service. Users that only a directory service knows are given by number.
 */
static bool find_user(const char *name, uint32_t *uid, char *to, size_t room)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd *entry;
	bool found = false;

	while (file && !found && (entry = fgetpwent(file))) {
		found = name ? !strcmp(entry->pw_name, name) : entry->pw_uid == *uid;
		if (!found)
			continue;
		*uid = entry->pw_uid;
		if (to)
			snprintf(to, room, "%s (%u)", entry->pw_name, *uid);
	}
	if (file)
		fclose(file);
	return found;
}

static bool find_group(const char *name, uint32_t *gid, char *to, size_t room)
{
	FILE *file = fopen("/etc/group", "re");
	struct group *entry;
	bool found = false;

	while (file && !found && (entry = fgetgrent(file))) {
		found = name ? !strcmp(entry->gr_name, name) : entry->gr_gid == *gid;
		if (!found)
			continue;
		*gid = entry->gr_gid;
		if (to)
			snprintf(to, room, "%s (%u)", entry->gr_name, *gid);
	}
	if (file)
		fclose(file);
	return found;
}

/* The last number stands for no one, and the kernel takes it for that. */
bool user_parse(const char *text, uint32_t *uid)
{
	return parse_number(text, 0, UINT32_MAX - 1, uid) || find_user(text, uid, NULL, 0);
}

bool group_parse(const char *text, uint32_t *gid)
{
	return parse_number(text, 0, UINT32_MAX - 1, gid) || find_group(text, gid, NULL, 0);
}

void user_text(uint32_t uid, char *to, size_t room)
{
	if (!find_user(NULL, &uid, to, room))
		snprintf(to, room, "%u", uid);
}

void group_text(uint32_t gid, char *to, size_t room)
{
	if (!find_group(NULL, &gid, to, room))
		snprintf(to, room, "%u", gid);
}
