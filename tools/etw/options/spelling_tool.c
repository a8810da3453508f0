// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Command lines without a verb, as xperf and wpr have them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "libetl/output_file.h"
#include "session_options.h"
#include "spelling.h"

#define KERNEL_FILE	"kernel.etl"

void words_put(struct words *words, const char *word)
{
	words->to[words->count++] = (char *)word;
	words->to[words->count] = NULL;
}

/* From @argv on */
static void put_rest(struct words *words, char **argv)
{
	while (*argv)
		words_put(words, *argv++);
}

static bool has(char **argv, const char *word)
{
	for (argv++; *argv; argv++)
		if (!strcasecmp(*argv, word))
			return true;
	return false;
}

/*
 * xperf -on EVENTS, -start NAME. Its own name and file come first: any others take their
 * place. The words are still theirs: the verb translates them.
 */
static int start(struct words *words, char **argv)
{
	words_put(words, "start");
	words_put(words, "--name");
	words_put(words, KERNEL_LOGGER);
	words_put(words, "--xperf-file");
	words_put(words, KERNEL_FILE);
	put_rest(words, argv);
	return 0;
}

/* VERB [NAME] [OPTION FILE]: the name may be left out, the option is @as here */
static int act(struct words *words, const char *verb, char **argv, const char *option,
	       const char *as)
{
	bool named = false;

	words_put(words, verb);
	for (; *argv; argv++) {
		if (!strcasecmp(*argv, option)) {
			words_put(words, as);
			if (argv[1])
				words_put(words, *++argv);
			continue;
		}
		words_put(words, *argv);
		named = true;
	}
	if (!named)
		words_put(words, KERNEL_LOGGER);
	return 0;
}

static int stop(struct words *words, char **argv)
{
	return act(words, "stop", argv + 1, "-d", "--save");
}

static int merge_and_stop(struct words *words, char **argv)
{
	return act(words, "stop", argv, "-d", "--save");
}

/* wpr -cancel */
static int cancel(struct words *words, char **argv)
{
	words_put(words, "stop");
	words_put(words, "--discard");
	words_put(words, argv[1] ? argv[1] : KERNEL_LOGGER);
	return 0;
}

static int flush(struct words *words, char **argv)
{
	return act(words, has(argv, "-f") ? "snapshot" : "flush", argv + 1, "-f", "--output");
}

/* xperf -update [NAME] OPTION...: its words are still theirs, as in start() */
static int update(struct words *words, char **argv)
{
	words_put(words, "update");
	if (!argv[1] || argv[1][0] == '-')
		words_put(words, KERNEL_LOGGER);
	put_rest(words, argv + 1);
	return 0;
}

static int mark(struct words *words, char **argv)
{
	words_put(words, "mark");
	put_rest(words, argv + 1);
	return 0;
}

static int status(struct words *words, char **argv)
{
	(void)argv;
	words_put(words, "status");
	return 0;
}

static int providers(struct words *words, char **argv)
{
	(void)argv;
	words_put(words, "providers");
	return 0;
}

static int list_counters(struct words *words, char **argv)
{
	(void)argv;
	words_put(words, "list");
	words_put(words, "counters");
	return 0;
}

static int list_profiles(struct words *words, char **argv)
{
	(void)argv;
	words_put(words, "list");
	words_put(words, "profiles");
	return 0;
}

/* xperf -help [start] */
static int help(struct words *words, char **argv)
{
	words_put(words, "help");
	if (argv[1])
		words_put(words, argv[1] + (argv[1][0] == '-'));
	return 0;
}

/* xperf -merge IN... OUT */
static int merge(struct words *words, char **argv)
{
	int last = 0;

	while (argv[last + 1])
		last++;
	if (last < 3)
		return failed("-merge: at least two files to read and one to write are needed "
			      "(-merge IN IN OUT)");
	words_put(words, "merge");
	words_put(words, "-o");
	words_put(words, argv[last]);
	argv[last] = NULL;
	put_rest(words, argv + 1);
	return 0;
}

/* What xperf -a calls what 'etw stat FILE REPORT' shows */
static const struct action {
	const char *name;
	const char *report;	/* NULL: the summary */
	bool csv;
} actions[] = {
	{ "cswitch", "cpu", true }, { "diskio", "disk", true }, { "dpcisr", "dpc", true },
	{ "hardfault", "faults", true }, { "pagefault", "faults", true },
	{ "perfctrs", "counters", true }, { "process", "processes", true },
	{ "profile", "profile", true }, { "stack", "stacks", false },
	{ "tracestats", NULL, true },
};

#define ACTIONS	(sizeof(actions) / sizeof(actions[0]))

static const struct action *find_action(const char *name)
{
	size_t i;

	for (i = 0; i < ACTIONS; i++)
		if (!strcasecmp(name, actions[i].name))
			return &actions[i];
	return NULL;
}

static int refuse_action(const char *name)
{
	struct suggestion suggestion;
	size_t i;

	suggestion_begin(&suggestion, name);
	for (i = 0; i < ACTIONS; i++)
		suggestion_try(&suggestion, actions[i].name);
	return failed("-a: there is no action '%s' here%s ('etw stat --help' lists the reports)",
		      name, suggestion_text(&suggestion));
}

static bool is_csv(const char *name)
{
	const char *dot = name ? strrchr(name, '.') : NULL;

	return dot && !strcasecmp(dot, ".csv");
}

static int redirect(const char *input, const char *output)
{
	int err;

	if (is_same_file(input, output))
		return failed("%s: this is the trace itself", output);
	err = output_redirect(output);
	return err ? failed("%s: %s", output, strerror(-err)) : 0;
}

/* xperf -i FILE [-o OUT] [-a ACTION]: without an action, or with dumper, all events */
static int process(struct words *words, char **argv)
{
	const char *input = NULL, *output = NULL, *name = "dumper", **to;
	const struct action *action;

	for (; *argv; argv += 2) {
		to = !strcasecmp(*argv, "-i") ? &input : !strcasecmp(*argv, "-o") ? &output :
		     !strcasecmp(*argv, "-a") ? &name : NULL;
		if (!to)
			return failed("%s: not known beside -i, -o and -a", *argv);
		if (!argv[1])
			return failed("%s: it needs a value", *argv);
		*to = argv[1];
	}
	action = find_action(name);
	if (!action && strcasecmp(name, "dumper"))
		return refuse_action(name);
	if (!input)
		return failed("-a, -o: missing trace (-i FILE; 'etw record -o FILE' records one)");
	words_put(words, action ? "stat" : "dump");
	if (action ? action->csv && is_csv(output) : is_csv(output))
		words_put(words, "--csv");
	words_put(words, input);
	if (action && action->report)
		words_put(words, action->report);
	return output ? redirect(input, output) : 0;
}

static const struct tool_word {
	const char *word;
	int (*translate)(struct words *words, char **argv);
} tool_words[] = {
	{ "-on", start }, { "-start", start }, { "-stop", stop }, { "-d", merge_and_stop },
	{ "-update", update }, { "-flush", flush }, { "-loggers", status }, { "-m", mark },
	{ "-pmcsources", list_counters }, { "-providers", providers }, { "-merge", merge },
	{ "-help", help }, { "-i", process }, { "-o", process }, { "-a", process },
	/* wpr */
	{ "-status", status }, { "-cancel", cancel }, { "-profiles", list_profiles },
};

#define TOOL_WORDS	(sizeof(tool_words) / sizeof(tool_words[0]))

void spelling_suggest_verb(struct suggestion *suggestion)
{
	size_t i;

	for (i = 0; i < TOOL_WORDS; i++)
		suggestion_try(suggestion, tool_words[i].word);
}

char **spelling_of_tool(int *argc, char **argv)
{
	static struct words words;
	size_t i;

	for (i = 0; i < TOOL_WORDS; i++)
		if (!strcasecmp(argv[1], tool_words[i].word))
			break;
	if (i == TOOL_WORDS)
		return argv;
	/* a translation adds six words at most */
	words.to = calloc(*argc + 8, sizeof(*argv));
	if (!words.to)
		return argv;
	words_put(&words, argv[0]);
	if (tool_words[i].translate(&words, argv + 1))
		return NULL;
	*argc = words.count;
	return words.to;
}
