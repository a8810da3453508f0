/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The writer of a session's file in the background. */
#ifndef ETW_BACKGROUND_H
#define ETW_BACKGROUND_H

#include "options/session_options.h"

/* The file by its whole path: others shall find it. Return: 0 or an exit code */
int background_prepare(struct session_options *options);
/* Returns when the writer reads the session's stream. Return: exit code */
int background_run(const struct session_options *options);

#endif /* ETW_BACKGROUND_H */
