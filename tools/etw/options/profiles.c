// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Profiles: sets of options in plain files. */
#define _GNU_SOURCE
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/suggestion.h"
#include "session_options.h"

#define SUFFIX		".profile"
#define DIRECTORIES	32

struct search {
	char *path[DIRECTORIES];
	size_t count;
};

static void add(struct search *search, const char *directory, const char *below)
{
	if (search->count < DIRECTORIES && directory && directory[0] &&
	    asprintf(&search->path[search->count], "%s%s", directory, below) > 0)
		search->count++;
}

static void add_list(struct search *search, const char *list)
{
	char *copy = list ? strdup(list) : NULL, *rest = copy, *one;

	while (copy && (one = strsep(&rest, ":")))
		add(search, one, "");
	free(copy);
}

/* The first one that has a profile wins: one's own, then those of the tool. */
static const struct search *directories(void)
{
	static struct search search;
	char binary[PATH_MAX];
	ssize_t n;

	if (search.count)
		return &search;
	add_list(&search, getenv("ETW_PROFILES"));
	if (getenv("XDG_CONFIG_HOME"))
		add(&search, getenv("XDG_CONFIG_HOME"), "/etw/profiles");
	else
		add(&search, getenv("HOME"), "/.config/etw/profiles");
	n = readlink("/proc/self/exe", binary, sizeof(binary) - 1);
	binary[n > 0 ? n : 0] = 0;
	if (strrchr(binary, '/')) {
		*strrchr(binary, '/') = 0;
		add(&search, binary, "/profiles");
		/* out of build/TARGET/tools of the source tree */
		add(&search, binary, "/../../../tools/profiles");
		add(&search, binary, "/../share/etw/profiles");
	}
	add(&search, ETW_PROFILES_DIR, "");
	return &search;
}

static FILE *open_profile(const char *name)
{
	const struct search *search = directories();
	FILE *file = NULL;
	char *path;
	size_t i;

	if (strchr(name, '/'))
		return fopen(name, "re");
	for (i = 0; i < search->count && !file; i++) {
		if (asprintf(&path, "%s/%s" SUFFIX, search->path[i], name) < 0)
			break;
		file = fopen(path, "re");
		free(path);
	}
	return file;
}

/* Options point at their values as long as the tool runs. */
static const char *keep(const char *value)
{
	static struct kept {
		struct kept *next;
		char text[];
	} *all;
	struct kept *one = malloc(sizeof(*one) + strlen(value) + 1);

	if (!one)
		return NULL;
	strcpy(one->text, value);
	one->next = all;
	all = one;
	return one->text;
}

/* "option value": the rest of the line is the value. */
static int apply_line(struct session_options *options, char *line, const char *profile,
		      unsigned int number)
{
	char *value;
	int code;

	line[strcspn(line, "#\n")] = 0;
	line += strspn(line, " \t");
	while (*line && strchr(" \t\r", line[strlen(line) - 1]))
		line[strlen(line) - 1] = 0;
	if (!*line)
		return 0;
	value = line + strcspn(line, " \t");
	if (*value) {
		*value++ = 0;
		value += strspn(value, " \t");
	}
	if (!strcmp(line, "profile"))
		code = option_error(options, "a profile can't name another");
	else
		code = session_option_set(options, line, *value ? keep(value) : NULL);
	if (code)
		failed("%s: profile %s, line %u", options->verb->name, profile, number);
	return code;
}

static bool is_profile(const char *name)
{
	size_t length = strlen(name), suffix = strlen(SUFFIX);

	return length > suffix && !strcmp(name + length - suffix, SUFFIX);
}

static int select_profile(const struct dirent *entry)
{
	return is_profile(entry->d_name);
}

/* An earlier directory has one of that name */
static bool is_hidden(const struct search *search, size_t before, const char *name)
{
	bool found = false;
	char *path;
	size_t i;

	for (i = 0; i < before && !found; i++) {
		if (asprintf(&path, "%s/%s", search->path[i], name) < 0)
			break;
		found = !access(path, R_OK);
		free(path);
	}
	return found;
}

/* Its first comment says what it is for. */
static void list_one(void *context, const char *directory, const char *name)
{
	char line[256], *path, *text = "";
	FILE *file;

	(void)context;
	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return;
	file = fopen(path, "re");
	free(path);
	while (file && !*text && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		if (line[0] == '#' && !strstr(line, "SPDX"))
			text = line + 1 + strspn(line + 1, " ");
	}
	if (file)
		fclose(file);
	printf("%-12.*s %s\n", (int)(strlen(name) - strlen(SUFFIX)), name, text);
}

/* Return: how many there are */
static size_t profiles_each(void (*visit)(void *context, const char *directory, const char *name),
			    void *context)
{
	const struct search *search = directories();
	struct dirent **entries;
	size_t i, count = 0;
	int k, n;

	for (i = 0; i < search->count; i++) {
		n = scandir(search->path[i], &entries, select_profile, alphasort);
		for (k = 0; k < n; k++) {
			if (!is_hidden(search, i, entries[k]->d_name)) {
				visit(context, search->path[i], entries[k]->d_name);
				count++;
			}
			free(entries[k]);
		}
		if (n >= 0)
			free(entries);
	}
	return count;
}

/* The tool may be copied alone to another machine. */
#define NO_PROFILES	"none is in " ETW_PROFILES_DIR " ('make install' puts them there; " \
			"ETW_PROFILES=DIR names another folder)"

void profiles_list(void)
{
	if (!profiles_each(list_one, NULL))
		warn("list: profiles: %s", NO_PROFILES);
}

static void suggest(void *context, const char *directory, const char *name)
{
	char known[SUGGESTION_WORD];

	(void)directory;
	snprintf(known, sizeof(known), "%.*s", (int)(strlen(name) - strlen(SUFFIX)), name);
	suggestion_try(context, known);
}

int option_profile(struct session_options *options, const char *value)
{
	struct suggestion suggestion;
	FILE *file = open_profile(value);
	unsigned int number = 0;
	char line[4096];
	int code = 0;

	if (!file) {
		suggestion_begin(&suggestion, value);
		if (!profiles_each(suggest, &suggestion))
			return option_error(options, "there is no profile '%s': %s", value,
					    NO_PROFILES);
		return option_error(options, "there is no profile '%s'%s; 'etw list profiles'",
				    value, suggestion_text(&suggestion));
	}
	while (!code && fgets(line, sizeof(line), file))
		code = apply_line(options, line, value, ++number);
	fclose(file);
	return code;
}
