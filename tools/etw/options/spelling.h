/* SPDX-License-Identifier: GPL-2.0 */
/* The spellings of xperf and logman, as options of this tool. */
#ifndef ETW_SPELLING_H
#define ETW_SPELLING_H

/* Command lines of verbs that have session options; FOR_*. Return: the new argv */
char **spelling_of_verb(int *argc, char **argv, unsigned int for_verb);
/* Command lines without a verb, as xperf has them. Return: the new argv, or @argv */
char **spelling_of_tool(int *argc, char **argv);

#endif /* ETW_SPELLING_H */
