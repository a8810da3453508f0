/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Option tables of verbs: parsing and --help use the same table. */
#ifndef ETW_VERB_OPTIONS_H
#define ETW_VERB_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

struct verb;

/* Options that several verbs have; the codes are above all letters */
enum shared_option {
	OPTION_CONTAINER = 0x100,
	OPTION_CPU,
	OPTION_CSV,
	OPTION_FILTERED,
	OPTION_FINALIZE,
	OPTION_FOLDED,
	OPTION_GUID,
	OPTION_HELP,
	OPTION_HOOK,
	OPTION_IDLE,
	OPTION_INLINE,
	OPTION_JSON,
	OPTION_KALLSYMS,
	OPTION_LEVEL,
	OPTION_MANIFEST,
	OPTION_OURS,
	OPTION_OUTPUT,
	OPTION_PID,
	OPTION_PROCESS,
	OPTION_QUIET,
	OPTION_RANGE,
	OPTION_RAW,
	OPTION_SYSROOT,
	OPTION_TID,
	OPTION_WAITING,
};

/**
 * struct verb_option - an option of a verb
 * @code: what next_verb_option() returns; 0 ends a table
 * @letter: of the short form; 0: there is none
 * @name: of the long form
 * @argument: name of the value in --help; NULL: the option has no value
 * @help: text in --help, lines separated by newlines
 *
 * A shared option needs its code only; @argument and @help replace the shared texts.
 */
struct verb_option {
	int code;
	char letter;
	const char *name;
	const char *argument;
	const char *help;
};

/*
 * The next option of the verb's table, or OPTION_HELP, which every verb has. Return: its code;
 * -1 after the last one; '?' after a message if the option is wrong
 */
int next_verb_option(const struct verb *verb, int argc, char **argv);
/* Whether the verb's table has a long option of this name */
bool has_verb_option(const struct verb *verb, const char *name);
/* The options of a verb, in columns, with --help as the last one */
void print_verb_options(const struct verb_option *options);
/* One option with its text in column @column */
void print_option(const struct verb_option *option, int column);

#endif /* ETW_VERB_OPTIONS_H */
