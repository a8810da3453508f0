/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Names of C++ and Rust functions as people read them. */
#ifndef ETW_DEMANGLE_H
#define ETW_DEMANGLE_H

/*
 * Return: malloc()ed, as c++filt prints it; NULL: it is no such name, it is longer than 64 KB,
 * or no decoder was built in
 */
char *symbol_demangle(const char *name);

#endif /* ETW_DEMANGLE_H */
