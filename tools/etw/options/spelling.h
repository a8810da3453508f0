/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The spellings of xperf, logman and wpr, as options and verbs of this tool. */
#ifndef ETW_SPELLING_H
#define ETW_SPELLING_H

#include "common/suggestion.h"

/**
 * struct words - a command line that is being put together
 * @to: its words, with room for all and a NULL
 * @count: of words
 */
struct words {
	char **to;
	int count;
};

void words_put(struct words *words, const char *word);

/* Command lines of verbs that have session options; FOR_*. Return: the new argv */
char **spelling_of_verb(int *argc, char **argv, unsigned int for_verb);
/*
 * Command lines without a verb, as xperf and wpr have them. Return: the new argv, or @argv;
 * NULL after a message
 */
char **spelling_of_tool(int *argc, char **argv);
/* The words that these two know */
void spelling_suggest_option(struct suggestion *suggestion);
void spelling_suggest_verb(struct suggestion *suggestion);

#endif /* ETW_SPELLING_H */
