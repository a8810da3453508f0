// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A message table: blocks of messages with numbers in a row. */
#include <string.h>
#include "wevt.h"

#define TABLE_HEAD	4
#define BLOCK_SIZE	12
#define MESSAGE_HEAD	4
#define FLAG_UNICODE	1

static bool broken(const struct wevt *wevt, size_t at)
{
	return wevt_wrong(wevt, &wevt->messages, at, "a broken message table");
}

/* Return: the offset of the message with this number in the block; 0 after a message */
static size_t find_in(struct wevt *wevt, const uint8_t *block, uint32_t id)
{
	const struct wevt_part *table = &wevt->messages;
	uint32_t number = get32(block), length;
	size_t at = get32(block + 8);

	for (;; number++, at += length) {
		if (at < TABLE_HEAD || at > table->size || table->size - at < MESSAGE_HEAD) {
			broken(wevt, block - table->bytes);
			return 0;
		}
		length = get16(table->bytes + at);
		if (length < MESSAGE_HEAD || length > table->size - at) {
			broken(wevt, at);
			return 0;
		}
		if (number == id)
			return at;
		if (!wevt_step(wevt, 1))
			return 0;
	}
}

/* The newline at the end is of the table, not of the message. */
static void cut(const uint8_t *text, size_t *bytes)
{
	size_t length = 0;

	while (length + 2 <= *bytes && get16(text + length))
		length += 2;
	while (length && (get16(text + length - 2) == '\n' || get16(text + length - 2) == '\r'))
		length -= 2;
	*bytes = length;
}

/* Return: the block that has the number, or NULL */
static const uint8_t *find_block(const struct wevt_part *table, uint32_t count, uint32_t id)
{
	uint32_t low = 0, high = count, middle;
	const uint8_t *block;

	while (low < high) {
		middle = low + (high - low) / 2;
		block = table->bytes + TABLE_HEAD + (size_t)BLOCK_SIZE * middle;
		if (id > get32(block + 4))
			low = middle + 1;
		else if (id < get32(block))
			high = middle;
		else
			return block;
	}
	return NULL;
}

bool wevt_message(struct wevt *wevt, uint32_t id, const uint8_t **text, size_t *bytes)
{
	const struct wevt_part *table = &wevt->messages;
	const uint8_t *block;
	uint32_t count;
	size_t at;

	*bytes = 0;
	if (id == WEVT_NONE || !table->size)
		return true;
	if (table->size < TABLE_HEAD)
		return broken(wevt, 0);
	count = get32(table->bytes);
	if (count > (table->size - TABLE_HEAD) / BLOCK_SIZE)
		return broken(wevt, 0);
	block = find_block(table, count, id);
	if (!block)
		return true;
	at = find_in(wevt, block, id);
	if (!at)
		return false;
	/* other messages have a code page, which the file does not name */
	if (!(get16(table->bytes + at + 2) & FLAG_UNICODE))
		return true;
	*text = table->bytes + at + MESSAGE_HEAD;
	*bytes = get16(table->bytes + at) - MESSAGE_HEAD;
	/* what is cut was read, too */
	if (!wevt_step(wevt, *bytes))
		return false;
	cut(*text, bytes);
	return true;
}
