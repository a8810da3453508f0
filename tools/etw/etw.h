/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the verbs share: exit codes, messages, options. */
#ifndef ETW_TOOL_H
#define ETW_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "libetl/messages.h"

#define ETW_VERSION	"0.2"

enum exit_code {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_VIOLATIONS = 3,
};

struct verb_option;

/**
 * struct verb - a subcommand
 * @name: as typed
 * @summary: one line
 * @help: what --help prints, after "usage: etw" and before the options
 * @options: the verb's options; NULL: none but --help
 * @notes: what --help prints after the options; NULL: nothing
 * @run: gets argv[0] == @name; returns the exit code
 * @print_options: prints the options instead of @options; may be NULL
 */
struct verb {
	const char *name;
	const char *summary;
	const char *help;
	const struct verb_option *options;
	const char *notes;
	int (*run)(int argc, char **argv);
	void (*print_options)(void);
};

extern const struct verb verb_record, verb_start, verb_stop, verb_status, verb_list,
	verb_flush, verb_update, verb_snapshot, verb_close, verb_dump, verb_check, verb_stat,
	verb_doctor, verb_export, verb_merge, verb_enable, verb_disable, verb_providers,
	verb_log, verb_mark, verb_tmf, verb_mc, verb_rundown, verb_finalize, verb_symbols,
	verb_import, verb_report, verb_top, verb_unwind, verb_watch, verb_annotate;

/* Wrong usage of a verb. Return: EXIT_USAGE */
int usage_error(const struct verb *verb, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The verb as the user typed it, for messages: "record", "-on" */
const char *verb_word(void);
int print_help(const struct verb *verb);
/* Sends messages to the system log from now on, because stderr is closed. */
void messages_to_syslog(void);

/* Sends messages to a stream from now on, a line each; NULL: to standard error again. */
void messages_collect(FILE *to);

struct option;
/* getopt_long() with messages. Return: -1 at the end, '?' after a message about a wrong option */
int next_option(const struct verb *verb, int argc, char **argv, const char *letters,
		const struct option *options);

/* Both are there, and are one; links are followed */
bool is_same_file(const char *a, const char *b);

/* A level of a provider: a name of evntrace.h, or 0 to 255 */
bool parse_level(const char *text, uint32_t *level);
/* Decimal, or hexadecimal behind 0x; a zero before it makes no octal one */
bool parse_number(const char *text, uint64_t least, uint64_t most, uint32_t *value);

#endif /* ETW_TOOL_H */
