// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Ids of containers in the names of control groups: see container_id.h. Pure. */
#include <linux/string.h>
#include "container_id.h"

/* Hexadecimal digits of an id, in lower case: docker, podman, containerd and CRI-O use SHA-256. */
#define DIGITS		64
/* Digits that become the GUID */
#define GUID_DIGITS	32

/*
 * What precedes an id. An engine that does not use systemd has no suffix, and docker and
 * containerd have no prefix then. podman has another prefix in the group of a service (Quadlet).
 * Names such as libpod-conmon-ID.scope are left out, because they are groups of a monitor, which
 * runs outside the container.
 */
static const char *const prefixes[] = {
	"", "docker-", "libpod-", "libpod-payload-", "cri-containerd-", "crio-", "nerdctl-", NULL
};

static int is_digit(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* Whether an id and no other character except ".scope" is at @text */
static int is_id(const char *text)
{
	int i;

	for (i = 0; i < DIGITS; i++)
		if (!is_digit(text[i]))
			return 0;
	return !text[DIGITS] || !strcmp(text + DIGITS, ".scope");
}

/* Return: the id; NULL: the name is another one */
static const char *find_id(const char *name)
{
	const char *const *prefix;
	size_t length;

	/* most groups have short names */
	if (strnlen(name, DIGITS) < DIGITS)
		return NULL;
	for (prefix = prefixes; *prefix; prefix++) {
		length = strlen(*prefix);
		if (!strncmp(name, *prefix, length) && is_id(name + length))
			return name + length;
	}
	return NULL;
}

/* see container_id.h */
int etw_container_id_of(const char *name, char *id)
{
	const char *from = find_id(name);
	int i;

	if (!from)
		return 0;
	for (i = 0; i < GUID_DIGITS; i++) {
		if (i == 8 || i == 12 || i == 16 || i == 20)
			*id++ = '-';
		*id++ = from[i];
	}
	return 1;
}
