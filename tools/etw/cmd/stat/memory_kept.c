// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Which memory that a process got it still has. The changes are gone through from the last to the
 * first: the first one seen that covers a byte decides about it. The ends of all changes cut the
 * addresses into pieces, and each piece is decided once.
 */
#include <stdlib.h>
#include "memory.h"

/**
 * struct piece - from this address to that of the next piece
 * @next: index of the first piece from here on that is not decided
 */
struct piece {
	uint64_t process;
	uint64_t address;
	size_t next;
};

static int compare(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

/* The last piece belongs to no change: it is never decided. */
static size_t undecided(struct piece *piece, size_t i)
{
	size_t end = i, next;

	while (piece[end].next != end)
		end = piece[end].next;
	for (; i != end; i = next) {
		next = piece[i].next;
		piece[i].next = end;
	}
	return end;
}

static size_t find(const struct piece *piece, size_t count, uint64_t process, uint64_t address)
{
	const struct piece key = { .process = process, .address = address };
	const struct piece *found = bsearch(&key, piece, count, sizeof(*piece), compare);

	return found - piece;
}

/* Each address once, in order. Return: how many; the last one ends the last piece */
static size_t cut(struct piece *piece, const struct memory_change *change, size_t count)
{
	size_t i, pieces = 0;

	for (i = 0; i < 2 * count; i++)
		piece[i] = (struct piece){
			.process = change[i / 2].process,
			.address = i % 2 ? change[i / 2].to : change[i / 2].from,
		};
	qsort(piece, 2 * count, sizeof(*piece), compare);
	for (i = 0; i < 2 * count; i++) {
		if (pieces && !compare(&piece[pieces - 1], &piece[i]))
			continue;
		piece[pieces] = piece[i];
		piece[pieces].next = pieces;
		pieces++;
	}
	return pieces;
}

bool memory_find_kept(struct memory_change *change, size_t count)
{
	struct piece *piece;
	size_t pieces, i, at, end;

	if (!count)
		return true;
	piece = calloc(count, 2 * sizeof(*piece));
	if (!piece)
		return false;
	pieces = cut(piece, change, count);
	for (i = count; i--; ) {
		change[i].kept = 0;
		end = find(piece, pieces, change[i].process, change[i].to);
		at = undecided(piece, find(piece, pieces, change[i].process, change[i].from));
		while (at < end) {
			if (!change[i].freed)
				change[i].kept += piece[at + 1].address - piece[at].address;
			piece[at].next = at + 1;
			at = undecided(piece, at);
		}
	}
	free(piece);
	return true;
}
