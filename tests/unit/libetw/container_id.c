// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Ids of containers in names, as a regular expression finds them. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "record/container_id.h"
#include "tests/lib/guest/check.h"

#define NAMES		200000
#define PATTERN \
	"^(docker-|libpod-(payload-)?|cri-containerd-|crio-|nerdctl-)?([0-9a-f]{64})(\\.scope)?$"

static const char *const parts[] = {
	"", "docker-", "libpod-", "libpod-payload-", "cri-containerd-", "crio-", "nerdctl-",
	"libpod-conmon-", ".scope", ".service", "-", "0123456789abcdef0123456789abcdef",
	"ffffffffffffffffffffffffffffffff",
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "F", "g", "7",
};

static regex_t pattern;

static const char *any_part(void)
{
	return parts[rand() % (sizeof(parts) / sizeof(parts[0]))];
}

/* Four parts by chance, often in a good order, and sometimes with another character in them */
static void compose(char *name)
{
	const int good = rand() % 2;

	strcpy(name, good ? parts[rand() % 8] : any_part());
	strcat(name, good ? parts[11 + rand() % 2] : any_part());
	strcat(name, good ? parts[11 + rand() % 2] : any_part());
	strcat(name, good && rand() % 2 ? ".scope" : any_part());
	if (*name && rand() % 4 == 0)
		name[rand() % strlen(name)] = 1 + rand() % 255;
}

/* Return: whether a name has the id that the pattern finds, or none if there is no match */
static int agrees(const char *name, int *found)
{
	char id[ETW_CONTAINER_ID + 1] = "", wanted[ETW_CONTAINER_ID + 1] = "";
	const char *from;
	regmatch_t at[5];

	if (!regexec(&pattern, name, 5, at, 0)) {
		from = name + at[3].rm_so;
		snprintf(wanted, sizeof(wanted), "%.8s-%.4s-%.4s-%.4s-%.12s", from, from + 8,
			 from + 12, from + 16, from + 20);
		++*found;
	}
	return etw_container_id_of(name, id) == !!*wanted && !strcmp(id, wanted);
}

int main(void)
{
	int i, found = 0, bad = 0;
	char name[512], *exact;

	if (regcomp(&pattern, PATTERN, REG_EXTENDED))
		return 2;
	for (i = 0; i < NAMES; i++) {
		compose(name);
		/* so that AddressSanitizer sees a byte that is read behind the end */
		exact = strdup(name);
		bad += !agrees(exact, &found);
		free(exact);
	}
	regfree(&pattern);
	check_that(!bad, "ids of containers are those that a regular expression finds # %d", bad);
	check_that(found > NAMES / 20 && found < NAMES / 2,
		   "many names have an id and many have none # %d", found);
	return 0;
}
