// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Where the symbols are that a file was stripped of. */
#ifdef ETW_HAVE_ELF
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "elf_file.h"
#include "libetl/library.h"
#ifdef ETW_HAVE_LZMA
#include <lzma.h>
#endif

#define DEBUG_DIRECTORY	"/usr/lib/debug"
/* Limits the decompressed symbols: a small file must not fill the memory. */
#define MOST_MINIDEBUG	(256u << 20)
/* Limits what is read for a checksum: a sparse file can have any size. */
#define MOST_DEBUG_FILE	(4LL << 30)

bool debug_file_by_id(const char *sysroot, const uint8_t *id, unsigned int bytes, char *to,
		      size_t room)
{
	char text[2 * 64 + 1];
	unsigned int i;

	if (bytes < 2 || bytes > 64)
		return false;
	for (i = 0; i < bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", id[i]);
	snprintf(to, room, "%s" DEBUG_DIRECTORY "/.build-id/%.2s/%s.debug", sysroot, text,
		 text + 2);
	return !access(to, R_OK);
}

/* CRC-32 as zlib's, a bit at a time over a small table */
static uint32_t checksum(uint32_t sum, const uint8_t *at, size_t bytes)
{
	static uint32_t table[256];
	uint32_t i, k;

	for (i = 1; !table[1] && i < 256; i++) {
		uint32_t value = 256 - i;

		for (k = 0; k < 8; k++)
			value = value >> 1 ^ (value & 1 ? 0xEDB88320 : 0);
		table[256 - i] = value;
	}
	for (sum = ~sum; bytes; bytes--)
		sum = sum >> 8 ^ table[(sum ^ *at++) & 0xFF];
	return ~sum;
}

static bool has_checksum(const char *path, uint32_t wanted)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	static uint8_t bytes[1 << 16];
	long long left = MOST_DEBUG_FILE;
	uint32_t sum = 0;
	struct stat file;
	ssize_t n = -1;

	if (fd < 0)
		return false;
	if (fstat(fd, &file) || !S_ISREG(file.st_mode) || file.st_size > left) {
		close(fd);
		return false;
	}
	/* it may grow meanwhile */
	while (left >= 0 && (n = read(fd, bytes, sizeof(bytes))) > 0) {
		sum = checksum(sum, bytes, n);
		left -= n;
	}
	close(fd);
	return !n && sum == wanted;
}

/* A name, a zero, fill up to 4 bytes, a checksum */
static const char *debug_link(Elf *elf, uint32_t *sum)
{
	Elf_Scn *section = elf_section_named(elf, ".gnu_debuglink");
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	size_t length;

	if (!data || !data->d_buf || !data->d_size)
		return NULL;
	length = strnlen(data->d_buf, data->d_size);
	if (!length || memchr(data->d_buf, '/', length) ||
	    ((length + 4) & ~(size_t)3) + 4 > data->d_size)
		return NULL;
	memcpy(sum, (char *)data->d_buf + ((length + 4) & ~(size_t)3), 4);
	return data->d_buf;
}

bool debug_file_by_link(Elf *elf, const char *sysroot, const char *path, char *to, size_t room)
{
	static const char *const patterns[] = { "%s%s/%s", "%s%s/.debug/%s",
						"%s" DEBUG_DIRECTORY "%s/%s" };
	uint32_t sum = 0;
	const char *name = debug_link(elf, &sum), *directory;
	char *copy = strdup(path + strlen(sysroot));
	size_t i;

	if (!name || !copy) {
		free(copy);
		return false;
	}
	directory = dirname(copy);
	for (i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		snprintf(to, room, patterns[i], sysroot, directory, name);
		if (strcmp(to, path) && has_checksum(to, sum))
			break;
	}
	free(copy);
	return i < sizeof(patterns) / sizeof(patterns[0]);
}

#ifdef ETW_HAVE_DLOPEN
/**
 * struct debuginfod - functions of libdebuginfod
 *
 * It is loaded only when it is asked for: it brings a web client with it. The interface is
 * that of its first version.
 */
struct debuginfod {
	void *(*begin)(void);
	int (*find)(void *client, const unsigned char *id, int bytes, char **path);
	void (*end)(void *client);
};

bool debug_file_from_server(const uint8_t *id, unsigned int bytes, char *to, size_t room)
{
	static const struct library_function functions[] = {
		{ "debuginfod_begin", offsetof(struct debuginfod, begin) },
		{ "debuginfod_find_debuginfo", offsetof(struct debuginfod, find) },
		{ "debuginfod_end", offsetof(struct debuginfod, end) },
	};
	const char *urls = getenv("DEBUGINFOD_URLS");
	struct debuginfod debuginfod;
	char *path = NULL;
	void *client;
	int fd = -1;

	if (!urls || !*urls || !bytes ||
	    !library_load("libdebuginfod.so.1", functions,
			  sizeof(functions) / sizeof(functions[0]), &debuginfod))
		return false;
	client = debuginfod.begin();
	if (client) {
		fd = debuginfod.find(client, id, bytes, &path);
		debuginfod.end(client);
	}
	if (fd >= 0) {
		snprintf(to, room, "%s", path);
		close(fd);
	}
	free(path);
	return fd >= 0;
}
#else
bool debug_file_from_server(const uint8_t *id, unsigned int bytes, char *to, size_t room)
{
	(void)id, (void)bytes, (void)to, (void)room;
	return false;
}
#endif

#ifdef ETW_HAVE_LZMA
/* Return: malloc()ed, *@size bytes; NULL: it is none, or too large */
static char *unpack(const uint8_t *from, size_t bytes, size_t *size)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	size_t room = 4 * bytes + 4096;
	char *to = NULL, *bigger;
	lzma_ret state = lzma_stream_decoder(&stream, MOST_MINIDEBUG, 0);

	stream.next_in = from;
	stream.avail_in = bytes;
	while (state == LZMA_OK && room <= MOST_MINIDEBUG) {
		bigger = realloc(to, room);
		if (!bigger)
			break;
		to = bigger;
		stream.next_out = (uint8_t *)to + stream.total_out;
		stream.avail_out = room - stream.total_out;
		state = lzma_code(&stream, LZMA_FINISH);
		room *= 2;
	}
	*size = stream.total_out;
	lzma_end(&stream);
	if (state == LZMA_STREAM_END)
		return to;
	free(to);
	return NULL;
}

bool take_minidebuginfo(struct symbol_table *table, Elf *elf, uint64_t lowest)
{
	Elf_Scn *section = elf_section_named(elf, ".gnu_debugdata");
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	bool taken = false;
	size_t size = 0;
	char *image;
	Elf *inner;

	if (!data || !data->d_buf)
		return false;
	image = unpack(data->d_buf, data->d_size, &size);
	if (!image)
		return false;
	inner = elf_memory(image, size);
	if (inner)
		taken = elf_take_symbols(table, inner, lowest);
	elf_end(inner);
	free(image);
	return taken;
}
#else
bool take_minidebuginfo(struct symbol_table *table, Elf *elf, uint64_t lowest)
{
	(void)table, (void)elf, (void)lowest;
	return false;
}
#endif
#endif /* ETW_HAVE_ELF */
