/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Libraries that are loaded only when they are needed. */
#ifndef LIBETL_LIBRARY_H
#define LIBETL_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct library_function - a function of a library
 * @name: as the library exports it
 * @at: offset of the pointer to it in the structure that library_load() fills
 */
struct library_function {
	const char *name;
	size_t at;
};

/**
 * library_load() - load a library, and find its functions
 * @name: file name, such as "libdw.so.1"
 * @functions: @count of them
 * @to: structure of pointers to functions; unspecified after a failure
 *
 * Return: false: it is not installed, or lacks a function
 */
bool library_load(const char *name, const struct library_function *functions, size_t count,
		  void *to);

#endif /* LIBETL_LIBRARY_H */
