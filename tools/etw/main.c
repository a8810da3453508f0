// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw: finds the verb and runs it. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include "libetl/text.h"
#include "common/sigbus_guard.h"
#include "common/verb_options.h"
#include "etw.h"
#include "options/session_options.h"
#include "options/spelling.h"
#include "common/suggestion.h"

static const struct verb *const verbs[] = {
	&verb_record, &verb_start, &verb_stop, &verb_update, &verb_snapshot, &verb_watch, &verb_top,
	&verb_status,
	&verb_list, &verb_enable, &verb_disable, &verb_providers, &verb_log, &verb_mark,
	&verb_flush, &verb_rundown, &verb_close, &verb_dump, &verb_check, &verb_stat,
	&verb_annotate,
	&verb_report, &verb_merge, &verb_finalize, &verb_symbols, &verb_export, &verb_import,
	&verb_unwind,
	&verb_tmf, &verb_mc, &verb_doctor,
};

#define VERBS	(sizeof(verbs) / sizeof(verbs[0]))

static bool use_syslog;
/* Gets the messages instead of standard error; NULL: standard error does */
static FILE *collector;

/* The verb that runs, and the word that the user typed for it: xperf's are others. */
static const struct verb *running;
static const char *typed;

const char *verb_word(void)
{
	return typed ? typed : "etw";
}

void messages_to_syslog(void)
{
	use_syslog = true;
}

void messages_collect(FILE *to)
{
	collector = to;
}

/* "start: ..." to "-on: ...": messages name the verb as it was typed. */
static void name_typed_verb(char *text, size_t room)
{
	size_t length = running ? strlen(running->name) : 0;
	char rest[3 * 4096];

	if (!length || strncmp(text, running->name, length) || text[length] != ':')
		return;
	snprintf(rest, sizeof(rest), "%s", text + length);
	snprintf(text, room, "%s%s", typed, rest);
}

/* A message is a line, whatever names of a trace are in it. */
static void say(const char *kind, const char *format, va_list arguments)
{
	char text[3 * 4096];

	vsnprintf(text, sizeof(text), format, arguments);
	name_typed_verb(text, sizeof(text));
	text_escape_control(text);
	if (collector) {
		fprintf(collector, "%s%s\n", kind, text);
	} else if (use_syslog) {
		syslog(LOG_DAEMON | LOG_ERR, "%s", text);
	} else {
		fflush(stdout);
		fprintf(stderr, "etw: %s%s\n", kind, text);
	}
}

int failed(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say("", format, arguments);
	va_end(arguments);
	return EXIT_FAILED;
}

void warn(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say("warning: ", format, arguments);
	va_end(arguments);
}

int usage_error(const struct verb *verb, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say("", format, arguments);
	va_end(arguments);
	fprintf(stderr, "etw: try 'etw %s --help'\n", verb->name);
	return EXIT_USAGE;
}

int print_help(const struct verb *verb)
{
	printf("usage: etw %s", verb->help);
	if (verb->print_options)
		verb->print_options();
	else
		print_verb_options(verb->options);
	if (verb->notes)
		printf("\n%s", verb->notes);
	return EXIT_OK;
}

/* The word that getopt did not like: it stays at one of several letters until the last. */
static const char *unknown_word(char **argv)
{
	const char *next = argv[optind];

	if (optopt && next && next[0] == '-' && next[1] != '-' && strchr(next, optopt))
		return next;
	return argv[optind - 1];
}

/* FOR_* of the verb; 0: it has no options of sessions */
static unsigned int sessions_of(const struct verb *verb)
{
	return verb == &verb_start ? FOR_START : verb == &verb_record ? FOR_RECORD :
	       verb == &verb_update ? FOR_UPDATE : 0;
}

static const char *suggest_option(struct suggestion *suggestion, const struct verb *verb,
				  const char *word, const struct option *options)
{
	static char name[SUGGESTION_WORD];
	char known[SUGGESTION_WORD];

	/* "--option=value" without the value */
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	suggestion_begin(suggestion, name);
	for (; options->name; options++) {
		snprintf(known, sizeof(known), "--%s", options->name);
		if (strcmp(known, name))
			suggestion_try(suggestion, known);
	}
	if (sessions_of(verb))
		spelling_suggest_option(suggestion);
	return suggestion_text(suggestion);
}

static bool has_option(const struct verb *verb, const char *name)
{
	return has_verb_option(verb, name + strlen("--")) ||
	       session_option_of(name, sessions_of(verb));
}

static bool is_in_table(const struct option *options, const char *name)
{
	for (; options->name; options++)
		if (!strcmp(options->name, name))
			return true;
	return false;
}

/*
 * " (an option of stat, dump)": the verbs that have an option which this one lacks.
 * @own: its options. Return: false: none has it
 */
static bool other_verbs(const struct option *own, const char *word, char *to, size_t room)
{
	char name[SUGGESTION_WORD];
	size_t i, used = 0;

	if (strncmp(word, "--", 2))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	/* an option that takes no value */
	if (is_in_table(own, name + 2))
		return false;
	for (i = 0; i < VERBS; i++)
		if (has_option(verbs[i], name) && used < room)
			used += snprintf(to + used, room - used, "%s%s",
					 used ? ", " : " (an option of ", verbs[i]->name);
	if (used && used < room)
		snprintf(to + used, room - used, ")");
	return used;
}

int next_option(const struct verb *verb, int argc, char **argv, const char *letters,
		const struct option *options)
{
	struct suggestion suggestion;
	char others[256];
	const char *word;
	int c;

	opterr = 0;
	c = getopt_long(argc, argv, letters, options, NULL);
	if (c == ':') {
		usage_error(verb, "%s: option %s needs a value", verb->name, argv[optind - 1]);
	} else if (c == '?') {
		word = unknown_word(argv);
		usage_error(verb, "%s: unknown option %s%s", verb->name, word,
			    other_verbs(options, word, others, sizeof(others)) ? others :
			    suggest_option(&suggestion, verb, word, options));
	}
	return c == ':' ? '?' : c;
}

bool parse_number(const char *text, uint64_t least, uint64_t most, uint32_t *value)
{
	bool hex = text[0] == '0' && (text[1] | 0x20) == 'x';
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(text, &end, hex ? 16 : 10);
	if (text[0] < '0' || text[0] > '9' || *end || errno || number < least || number > most)
		return false;
	*value = number;
	return true;
}

static void print_overview(FILE *to)
{
	size_t i;

	fprintf(to, "usage: etw VERB [options] ...\n\n"
		"Records and reads traces of this machine in the format of Windows ETW.\n\n");
	for (i = 0; i < VERBS; i++)
		fprintf(to, "  %-9s %s\n", verbs[i]->name, verbs[i]->summary);
	fprintf(to, "\n'etw VERB --help' explains a verb, 'etw --version' prints the version;\n"
		"etw(1) is the manual.\n"
		"Exit status: 0 success, 1 failure, 2 wrong usage, 3 check found violations;\n"
		"of record: that of the command.\n");
}

/* A full disk or a closed pipe shows here at the latest. */
static int end_output(int code)
{
	if ((!fflush(stdout) && !ferror(stdout)) || (code != EXIT_OK && code != EXIT_VIOLATIONS))
		return code;
	if (errno != EPIPE)
		failed("standard output: %m");
	return code == EXIT_OK ? EXIT_FAILED : code;
}

static int run_verb(const struct verb *verb, const char *word, int argc, char **argv)
{
	int i;

	running = verb;
	typed = word;

	for (i = 1; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return end_output(print_help(verb));
	return end_output(verb->run(argc, argv));
}

static const struct verb *find_verb(const char *name)
{
	size_t i;

	for (i = 0; i < VERBS; i++)
		if (!strcmp(name, verbs[i]->name))
			return verbs[i];
	return NULL;
}

static int refuse_verb(const char *name)
{
	struct suggestion suggestion;
	size_t i;

	suggestion_begin(&suggestion, name);
	for (i = 0; i < VERBS; i++)
		suggestion_try(&suggestion, verbs[i]->name);
	spelling_suggest_verb(&suggestion);
	failed("no verb '%s'%s; 'etw --help' lists them", name, suggestion_text(&suggestion));
	return EXIT_USAGE;
}

/* etw help [VERB] */
static int help(const char *name)
{
	const struct verb *verb = name ? find_verb(name) : NULL;

	if (name && !verb)
		return refuse_verb(name);
	if (verb)
		return end_output(print_help(verb));
	print_overview(stdout);
	return end_output(EXIT_OK);
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;
	const struct verb *verb;

	setlocale(LC_CTYPE, "");
	/* A file that reaches 'ulimit -f' is an error of the write, as on a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	sigbus_guard_watch();
	if (!word) {
		print_overview(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
		puts("etw " ETW_VERSION);
		return end_output(EXIT_OK);
	}
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return help(NULL);
	argv = spelling_of_tool(&argc, argv);
	if (!argv)
		return EXIT_USAGE;
	if (!strcmp(argv[1], "help"))
		return help(argv[2]);
	verb = find_verb(argv[1]);
	return verb ? run_verb(verb, word, argc - 1, argv + 1) : refuse_verb(word);
}
