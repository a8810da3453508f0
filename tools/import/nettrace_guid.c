// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* GUIDs of .NET's providers, which the file knows by name: well-known ones, else a hash (SHA-1). */
#include <strings.h>
#include "libetl/text.h"
#include "nettrace.h"

static const struct {
	const char *name;
	struct etw_guid guid;
} providers[] = {
	{ "Microsoft-DotNETCore-SampleProfiler",
	  { 0x3c530d44, 0x97ae, 0x513a, { 0x1e, 0x6d, 0x78, 0x3e, 0x8f, 0x8e, 0x03, 0xa9 } } },
	{ "Microsoft-Windows-DotNETRuntime",
	  { 0xe13c0d23, 0xccbc, 0x4e12, { 0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4 } } },
	{ "Microsoft-Windows-DotNETRuntimeRundown",
	  { 0xa669021c, 0xc450, 0x4609, { 0xa0, 0x35, 0x5a, 0xf5, 0x9a, 0xf4, 0xdf, 0x18 } } },
	{ "Microsoft-Windows-DotNETRuntimePrivate",
	  { 0x763fd754, 0x7086, 0x4dfe, { 0x95, 0xeb, 0xc0, 0x1a, 0x46, 0xfa, 0xf4, 0xca } } },
	{ "Microsoft-Windows-DotNETRuntimeStress",
	  { 0xcc2bcbba, 0x16b6, 0x4cf3, { 0x89, 0x90, 0xd7, 0x4c, 0x2e, 0x8a, 0xf5, 0x00 } } },
	{ "System.Threading.Tasks.TplEventSource",
	  { 0x2e5dba47, 0xa3d2, 0x4d16, { 0x8e, 0xe0, 0x66, 0x71, 0xff, 0xdc, 0xd7, 0xb5 } } },
	{ "System.Diagnostics.Eventing.FrameworkEventSource",
	  { 0x8e9f5090, 0x2d75, 0x4d03, { 0x8a, 0x81, 0xe5, 0xaf, 0xbf, 0x85, 0xda, 0xf1 } } },
};

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

struct etw_guid nettrace_guid(const char *name)
{
	uint8_t bytes[sizeof(name_space) + 2 * NETTRACE_NAME + 2 * CHUNK], digest[16];
	uint16_t units[NETTRACE_NAME];
	struct etw_guid guid;
	size_t i, count;

	for (i = 0; i < sizeof(providers) / sizeof(providers[0]); i++)
		if (!strcmp(name, providers[i].name))
			return providers[i].guid;
	memcpy(bytes, name_space, sizeof(name_space));
	count = text_to_utf16(name, units, NETTRACE_NAME);
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
