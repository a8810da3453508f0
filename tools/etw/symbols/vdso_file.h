/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The running kernel's vDSO as a file. */
#ifndef ETW_VDSO_FILE_H
#define ETW_VDSO_FILE_H

#include <stdbool.h>

/* Whether an image of a trace is the vDSO, which is the same for all 64-bit programs of a boot */
bool is_vdso(const char *path);
/*
 * A path that this process can open; the copy stays open until this process ends. Its build-id
 * verifies that it is the vDSO of the trace. Return: NULL: this process has none
 */
const char *vdso_file(void);

#endif /* ETW_VDSO_FILE_H */
