// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * The container of a PDB, "multi-stream file" 7.00. Format: LLVM, docs/PDB/MsfFile.
 *
 *	block 0			superblock
 *	blocks 1, 2		free block maps; again at 4096 n + 1, + 2
 *	next blocks		streams, one after the other
 *	next blocks		directory: sizes and blocks of the streams
 *	last block		block map: blocks of the directory
 *
 * Blocks of data skip the blocks of free block maps, whether a map needs them or not.
 */
#include <errno.h>
#include <string.h>
#include "msf.h"

#define BLOCK		4096u
#define FREE_MAP	1u
#define HEAD_BLOCKS	3u
/* Block numbers of the directory fill one block at most */
#define MOST_DIRECTORY	((uint64_t)BLOCK / 4 * BLOCK)
/* 32-bit file offsets of readers */
#define MOST_BLOCKS	(1u << 20)

static const char magic[32] = "Microsoft C/C++ MSF 7.00\r\n\032DS\0\0";

static uint32_t blocks_of(uint64_t size)
{
	return (size + BLOCK - 1) / BLOCK;
}

static bool is_free_map(uint32_t block)
{
	return block % BLOCK == 1 || block % BLOCK == 2;
}

/* Takes the next block for data. */
static uint32_t take_block(uint32_t *next)
{
	while (is_free_map(*next))
		(*next)++;
	return (*next)++;
}

static void build_directory(struct bytes *directory, const struct bytes *streams, size_t count,
			    uint32_t *next)
{
	uint32_t i, blocks;
	size_t stream;

	bytes_u32(directory, count);
	for (stream = 0; stream < count; stream++)
		bytes_u32(directory, streams[stream].size);
	for (stream = 0; stream < count; stream++)
		for (i = 0, blocks = blocks_of(streams[stream].size); i < blocks; i++)
			bytes_u32(directory, take_block(next));
}

static void put_superblock(struct bytes *block, uint32_t blocks, uint32_t directory)
{
	bytes_add(block, magic, sizeof(magic));
	bytes_u32(block, BLOCK);
	bytes_u32(block, FREE_MAP);
	bytes_u32(block, blocks);
	bytes_u32(block, directory);
	bytes_u32(block, 0);
	bytes_u32(block, blocks - 1);
	bytes_add(block, NULL, BLOCK - block->size);
}

/* Block @block of the map that has a bit for each block: 1 is free. All blocks are in use. */
static void put_free_map(uint8_t raw[BLOCK], uint32_t block, uint32_t blocks)
{
	uint64_t bit = (uint64_t)(block / BLOCK) * BLOCK * 8;
	uint32_t i;

	memset(raw, 0, BLOCK);
	for (i = 0; i < BLOCK * 8; i++)
		if (bit + i >= blocks)
			raw[i / 8] |= 1u << i % 8;
}

/**
 * struct writer - the file while its blocks are written in order
 * @to: the file
 * @next: number of the next block
 * @blocks: number of all blocks
 */
struct writer {
	FILE *to;
	uint32_t next;
	uint32_t blocks;
};

/* The free block maps that lie before the next block of data */
static bool write_free_maps(struct writer *writer)
{
	uint8_t raw[BLOCK];

	for (; is_free_map(writer->next); writer->next++) {
		put_free_map(raw, writer->next, writer->blocks);
		if (fwrite(raw, sizeof(raw), 1, writer->to) != 1)
			return false;
	}
	return true;
}

static bool write_data(struct writer *writer, const struct bytes *data)
{
	static const uint8_t zeros[BLOCK];
	size_t at, n;

	for (at = 0; at < data->size; at += n) {
		n = data->size - at < BLOCK ? data->size - at : BLOCK;
		if (!write_free_maps(writer) || fwrite(data->at + at, 1, n, writer->to) != n ||
		    fwrite(zeros, 1, BLOCK - n, writer->to) != BLOCK - n)
			return false;
		writer->next++;
	}
	return true;
}

static const char *write_blocks(FILE *to, const struct bytes *streams, size_t count,
				const struct bytes *directory, uint32_t next)
{
	struct writer writer = { .to = to };
	struct bytes first = { }, map = { };
	uint32_t i;
	size_t stream;
	bool good;

	for (i = blocks_of(directory->size); i; i--)
		bytes_u32(&map, take_block(&next));
	/* the block map is the last block */
	writer.blocks = take_block(&next) + 1;
	put_superblock(&first, writer.blocks, directory->size);
	good = !first.no_memory && !map.no_memory && write_data(&writer, &first);
	for (stream = 0; good && stream < count; stream++)
		good = write_data(&writer, &streams[stream]);
	good = good && write_data(&writer, directory) && write_data(&writer, &map);
	bytes_free(&first);
	bytes_free(&map);
	return good ? NULL : strerror(errno);
}

const char *msf_write(FILE *to, const struct bytes *streams, size_t count)
{
	struct bytes directory = { };
	uint32_t next = HEAD_BLOCKS;
	uint64_t blocks = 0;
	const char *why;
	size_t stream;

	for (stream = 0; stream < count; stream++) {
		if (streams[stream].no_memory)
			return strerror(ENOMEM);
		blocks += streams[stream].size / BLOCK + 1;
	}
	if (blocks + blocks / 512 + 8 > MOST_BLOCKS)
		return "it would be larger than 4 GB";
	build_directory(&directory, streams, count, &next);
	if (directory.no_memory)
		why = strerror(ENOMEM);
	else if (directory.size > MOST_DIRECTORY)
		why = "it would be larger than 4 GB";
	else
		why = write_blocks(to, streams, count, &directory, next);
	bytes_free(&directory);
	return why;
}
