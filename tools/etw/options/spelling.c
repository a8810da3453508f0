// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The spellings of xperf and logman, as options of this tool. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "session_options.h"
#include "spelling.h"

/*
 * Words behind one dash, of any case. None of them could be letters of ours
 * behind one dash that mean something together.
 */
static const struct spelling {
	const char *word;
	unsigned int values;
	const char *option;	/* NULL: says nothing here */
} spellings[] = {
	/* xperf */
	{ "-on", 1, "--events" },
	{ "-start", 1, "--name" },
	{ "-stackwalk", 1, "--stackwalk" },
	{ "-pooltag", 1, "--pool-tags" },
	{ "-buffersize", 1, "--buffer-size" },
	{ "-minbuffers", 1, "--min-buffers" },
	{ "-maxbuffers", 1, "--max-buffers" },
	{ "-flushtimer", 1, "--flush-timer" },
	{ "-buffering", 0, "--mode=buffering" },
	{ "-filemode", 1, "--mode" },
	{ "-maxfile", 1, "--max-file" },
	{ "-clocktype", 1, "--clock" },
	{ "-pmc", 2, "--counters" },
	{ "-pmcprofile", 1, "--sample" },
	{ "-setprofint", 1, "--interval" },
	/* logman */
	{ "-bs", 1, "--buffer-size" },
	{ "-nb", 2, "--buffers" },
	{ "-ft", 1, "--flush-timer" },
	{ "-mode", 1, "--mode" },
	{ "-max", 1, "--max-file" },
	{ "-ct", 1, "--clock" },
	{ "-rt", 0, "--mode=realtime" },
	{ "-ets", 0, NULL },
};

void spelling_suggest_option(struct suggestion *suggestion)
{
	size_t i;

	for (i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
		suggestion_try(suggestion, spellings[i].word);
}

static const struct spelling *find(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
		if (!strcasecmp(spellings[i].word, word))
			return &spellings[i];
	return NULL;
}

/* MIN MAX to MIN:MAX; the tool ends before memory is short of it */
static char *join(const char *least, char by, const char *most)
{
	size_t room = strlen(least) + strlen(most) + 2;
	char *text = malloc(room);

	if (text)
		snprintf(text, room, "%s%c%s", least, by, most);
	return text;
}

/* A word that says what is so here anyway, behind @n others: it is one more. */
static int skip_word(char **argv, int n, const char *word)
{
	return argv[n] && !strcasecmp(argv[n], word) ? n + 1 : n;
}

/* COUNTERS EVENTS [strict]; all sessions are that */
static int translate_pmc(struct words *words, char **argv)
{
	words_put(words, join(argv[1], '@', argv[2]));
	return skip_word(argv, 3, "strict");
}

/* [SOURCE] INTERVAL [cached] */
static int translate_interval(struct words *words, char **argv)
{
	bool named = argv[1][0] < '0' || argv[1][0] > '9';

	words_put(words, named && argv[2] ? join(argv[1], '=', argv[2]) : argv[1]);
	return skip_word(argv, named && argv[2] ? 3 : 2, "cached");
}

/* [[HH:]MM:]SS, to seconds; what is no such thing stays as it is */
static const char *seconds_of(const char *value)
{
	unsigned long seconds = 0;
	const char *at = value;
	static char text[32];
	char *end;

	while (*at >= '0' && *at <= '9') {
		seconds = seconds * 60 + strtoul(at, &end, 10);
		at = *end == ':' ? end + 1 : end;
	}
	if (*at || !strchr(value, ':'))
		return value;
	snprintf(text, sizeof(text), "%lu", seconds);
	return text;
}

/* logman's -f bincirc: how the file is written; any other value is ours, a name */
static const char *mode_of_format(const char *value)
{
	static const struct {
		const char *format, *option;
	} formats[] = {
		{ "bin", "--mode=sequential" },
		{ "bincirc", "--mode=circular" },
		/* counters' logs: the tool says that there is no such mode */
		{ "csv", "--mode=csv" },
		{ "tsv", "--mode=tsv" },
		{ "sql", "--mode=sql" },
	};
	size_t i;

	for (i = 0; value && i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcasecmp(value, formats[i].format))
			return formats[i].option;
	return NULL;
}

/* Return: words of @argv that it took */
static int translate(struct words *words, const struct spelling *spelling, char **argv)
{
	if (spelling->option)
		words_put(words, spelling->option);
	if (!spelling->values || !argv[1])
		return 1;
	if (!strcmp(spelling->word, "-setprofint"))
		return translate_interval(words, argv);
	if (!strcmp(spelling->word, "-ft")) {
		words_put(words, seconds_of(argv[1]));
		return 2;
	}
	if (spelling->values == 1 || !argv[2]) {
		words_put(words, argv[1]);
		return 2;
	}
	if (!strcmp(spelling->word, "-pmc"))
		return translate_pmc(words, argv);
	words_put(words, join(argv[1], ':', argv[2]));
	return 3;
}

/* Return: words of @argv that it took; 0: they are ours */
static int translate_theirs(struct words *words, char **argv)
{
	const char *mode = strcmp(argv[0], "-f") ? NULL : mode_of_format(argv[1]);
	const struct spelling *spelling = find(argv[0]);

	if (mode) {
		words_put(words, mode);
		return 2;
	}
	return spelling ? translate(words, spelling, argv) : 0;
}

char **spelling_of_verb(int *argc, char **argv, unsigned int for_verb)
{
	/* no word becomes more than one; the list stays until the tool ends */
	static struct words words;
	const struct session_option *option;
	bool ours = true;
	int i, n;

	words.to = calloc(*argc + 1, sizeof(*argv));
	if (!words.to)
		return argv;
	words_put(&words, argv[0]);
	for (i = 1; i < *argc; i += n) {
		/* the words behind this belong to the command, or are names */
		if (!strcmp(argv[i], "--") ||
		    ((for_verb & FOR_RECORD) && (argv[i][0] != '-' || !argv[i][1])))
			ours = false;
		n = ours ? translate_theirs(&words, argv + i) : 0;
		if (n)
			continue;
		n = 1;
		option = ours ? session_option_of(argv[i], for_verb) : NULL;
		words_put(&words, argv[i]);
		/* a value is a value, whatever it looks like */
		if (option && option->argument && argv[i + 1]) {
			words_put(&words, argv[i + 1]);
			n = 2;
		}
	}
	*argc = words.count;
	return words.to;
}
