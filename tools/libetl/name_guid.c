// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* GUIDs of providers that are known by name: the hash (SHA-1) of EventSource and TraceLogging. */
#include <string.h>
#include "name_guid.h"
#include "text.h"

/* What stands before the name, as in EventSource and TraceLogging */
static const uint8_t name_space[16] = {
	0x48, 0x2C, 0x2D, 0xB2, 0xC3, 0x90, 0x47, 0xC8,
	0x87, 0xF8, 0x1A, 0x15, 0xBF, 0xC1, 0x30, 0xFB,
};

#define CHUNK	64

static uint32_t rotate(uint32_t value, unsigned int bits)
{
	return value << bits | value >> (32 - bits);
}

static uint32_t mix(unsigned int round, const uint32_t s[5])
{
	if (round < 20)
		return ((s[1] & s[2]) | (~s[1] & s[3])) + 0x5A827999;
	if (round < 40)
		return (s[1] ^ s[2] ^ s[3]) + 0x6ED9EBA1;
	if (round < 60)
		return ((s[1] & s[2]) | (s[1] & s[3]) | (s[2] & s[3])) + 0x8F1BBCDC;
	return (s[1] ^ s[2] ^ s[3]) + 0xCA62C1D6;
}

static void add_chunk(uint32_t state[5], const uint8_t *chunk)
{
	uint32_t words[80], s[5], next;
	unsigned int i;

	for (i = 0; i < 16; i++)
		words[i] = (uint32_t)chunk[4 * i] << 24 | chunk[4 * i + 1] << 16 |
			   chunk[4 * i + 2] << 8 | chunk[4 * i + 3];
	for (; i < 80; i++)
		words[i] = rotate(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
	memcpy(s, state, sizeof(s));
	for (i = 0; i < 80; i++) {
		next = rotate(s[0], 5) + mix(i, s) + s[4] + words[i];
		s[4] = s[3];
		s[3] = s[2];
		s[2] = rotate(s[1], 30);
		s[1] = s[0];
		s[0] = next;
	}
	for (i = 0; i < 5; i++)
		state[i] += s[i];
}

/* SHA-1 of @bytes, which has room for the padding. Into the first 16 bytes of @to */
static void hash(uint8_t *bytes, size_t size, uint8_t to[16])
{
	uint32_t state[5] = { 0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0 };
	size_t padded = (size + 9 + CHUNK - 1) / CHUNK * CHUNK, i;

	memset(bytes + size, 0, padded - size);
	bytes[size] = 0x80;
	for (i = 0; i < 8; i++)
		bytes[padded - 1 - i] = (uint64_t)size * 8 >> 8 * i;
	for (i = 0; i < padded; i += CHUNK)
		add_chunk(state, bytes + i);
	for (i = 0; i < 16; i++)
		to[i] = state[i / 4] >> (24 - 8 * (i % 4));
}

struct etw_guid guid_of_name(const char *name)
{
	uint8_t bytes[sizeof(name_space) + 2 * GUID_NAME + 2 * CHUNK], digest[16];
	uint16_t units[GUID_NAME];
	struct etw_guid guid;
	size_t i, count;

	memcpy(bytes, name_space, sizeof(name_space));
	count = text_to_utf16(name, units, GUID_NAME);
	for (i = 0; i < count; i++) {
		/* as ToUpperInvariant() for the letters of ASCII, big endian */
		if (units[i] >= 'a' && units[i] <= 'z')
			units[i] -= 'a' - 'A';
		bytes[sizeof(name_space) + 2 * i] = units[i] >> 8;
		bytes[sizeof(name_space) + 2 * i + 1] = units[i];
	}
	hash(bytes, sizeof(name_space) + 2 * count, digest);
	digest[7] = (digest[7] & 0x0F) | 0x50;
	memcpy(&guid, digest, sizeof(guid));
	return guid;
}
