/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* /etc/ld.so.cache: where the dynamic loader of glibc finds libraries. */
#ifndef ETW_LIBRARY_CACHE_H
#define ETW_LIBRARY_CACHE_H

#include <stddef.h>

/**
 * struct library_cache - the cache in memory
 * @bytes: the file, with a 0 behind it; NULL: there is none, or it has another format
 * @size: bytes of the file
 * @entries: number of entries, all of them within the file
 */
struct library_cache {
	char *bytes;
	size_t size;
	size_t entries;
};

void library_cache_read(struct library_cache *cache, const char *path);
/*
 * A library may have several entries, for different processors.
 * @from: number of the first entry to look at; out: that behind the found one
 * Return: path; NULL: no further entry has that name
 */
const char *library_cache_find(const struct library_cache *cache, const char *name, size_t *from);
void library_cache_free(struct library_cache *cache);

#endif /* ETW_LIBRARY_CACHE_H */
