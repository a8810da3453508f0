/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* "Did you mean": of the words that would have been right, the nearest to what was typed. */
#ifndef ETW_SUGGESTION_H
#define ETW_SUGGESTION_H

#define SUGGESTION_WORD	64

/**
 * struct suggestion - a search for the nearest word
 * @typed: the word that is unknown
 * @distance: edits between @typed and @best; with no word near enough, the first that is too many
 * @best: the nearest word so far
 * @text: of suggestion_text()
 */
struct suggestion {
	const char *typed;
	unsigned int distance;
	char best[SUGGESTION_WORD];
	char text[SUGGESTION_WORD + 20];
};

void suggestion_begin(struct suggestion *suggestion, const char *typed);
/* One of the words that would have been right, upper and lower case alike */
void suggestion_try(struct suggestion *suggestion, const char *known);
/* ", did you mean 'WORD'?", or "" if no word is near. Valid as long as @suggestion */
const char *suggestion_text(struct suggestion *suggestion);

#endif /* ETW_SUGGESTION_H */
