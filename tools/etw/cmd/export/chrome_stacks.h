/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw export --chrome with the stacks of samples. */
#ifndef ETW_CHROME_STACKS_H
#define ETW_CHROME_STACKS_H

struct export;
struct stat_options;

/* export_chrome() with stacks, and names of functions. Return: 0, or -1 after a message */
int export_chrome_with_stacks(struct export *export, struct stat_options *options);

#endif /* ETW_CHROME_STACKS_H */
