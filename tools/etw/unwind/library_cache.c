// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* /etc/ld.so.cache: where the dynamic loader of glibc finds libraries. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "library_cache.h"

#define MAGIC		"glibc-ld.so.cache1.1"
/* A machine with 4,000 libraries has 0.4 MB. */
#define MOST_BYTES	(16 << 20)

/* Offsets of strings count from the start of the file. */
struct cache_header {
	char magic[sizeof(MAGIC) - 1];
	uint32_t entries;
	uint32_t string_bytes;
	uint32_t flags;
	uint32_t extensions;
	uint32_t unused[3];
};

struct cache_entry {
	int32_t flags;
	uint32_t name;
	uint32_t path;
	uint32_t system;
	uint64_t processor;
};

static void check(struct library_cache *cache)
{
	struct cache_header header;

	if (cache->size < sizeof(header))
		return;
	memcpy(&header, cache->bytes, sizeof(header));
	if (!memcmp(header.magic, MAGIC, sizeof(header.magic)) &&
	    header.entries <= (cache->size - sizeof(header)) / sizeof(struct cache_entry))
		cache->entries = header.entries;
}

void library_cache_read(struct library_cache *cache, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat file;

	*cache = (struct library_cache){ };
	if (fd < 0)
		return;
	if (!fstat(fd, &file) && S_ISREG(file.st_mode) && file.st_size <= MOST_BYTES)
		cache->bytes = calloc(1, file.st_size + 1);
	if (cache->bytes && read(fd, cache->bytes, file.st_size) == file.st_size) {
		cache->size = file.st_size;
		check(cache);
	}
	close(fd);
}

const char *library_cache_find(const struct library_cache *cache, const char *name, size_t *from)
{
	struct cache_entry entry;

	while (*from < cache->entries) {
		memcpy(&entry, cache->bytes + sizeof(struct cache_header) +
		       (*from)++ * sizeof(entry), sizeof(entry));
		if (entry.name < cache->size && entry.path < cache->size &&
		    !strcmp(cache->bytes + entry.name, name))
			return cache->bytes + entry.path;
	}
	return NULL;
}

void library_cache_free(struct library_cache *cache)
{
	free(cache->bytes);
	*cache = (struct library_cache){ };
}
