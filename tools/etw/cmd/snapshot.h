/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A snapshot of a session, for other verbs. */
#ifndef ETW_SNAPSHOT_H
#define ETW_SNAPSHOT_H

#include <stdbool.h>

/**
 * snapshot_take() - write what a session holds into a closed file
 * @name: name or id of the session
 * @path: of the file
 * @quiet: no progress and no summary
 * @raw: the file stays as it was recorded
 *
 * Return: exit code
 */
int snapshot_take(const char *name, const char *path, bool quiet, bool raw);

#endif /* ETW_SNAPSHOT_H */
