/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Paths as texts, for probes. */
#ifndef ETW_PATH_H
#define ETW_PATH_H

#include <linux/types.h>

struct dentry;
struct path;

const char *etw_path(const struct path *path, char *buffer, u32 size);
const char *etw_dentry_path(const struct dentry *dentry, char *buffer, u32 size);

#endif /* ETW_PATH_H */
