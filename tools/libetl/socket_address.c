// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The address of a socket as text. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include "socket_address.h"
#include "text.h"

/* Linux's numbers, which a trace has whatever system reads it */
#define FAMILY_UNIX	1
#define FAMILY_INET	2
#define FAMILY_INET6	10

/* Bytes of struct sockaddr_in, and of struct sockaddr_in6 without and with the interface */
#define INET_SIZE	8
#define INET6_SIZE	24
#define INET6_SCOPED	28

static unsigned int port_of(const uint8_t *address)
{
	return address[2] << 8 | address[3];
}

static void put_inet(const uint8_t *address, char *to)
{
	char text[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, address + 4, text, sizeof(text));
	snprintf(to, SOCKET_ADDRESS_TEXT, "%s:%u", text, port_of(address));
}

static void put_inet6(const uint8_t *address, size_t size, char *to)
{
	char text[INET6_ADDRSTRLEN], scope[16] = "";
	uint32_t interface = 0;

	if (size >= INET6_SCOPED)
		memcpy(&interface, address + INET6_SIZE, sizeof(interface));
	if (interface)
		snprintf(scope, sizeof(scope), "%%%u", interface);
	inet_ntop(AF_INET6, address + 8, text, sizeof(text));
	snprintf(to, SOCKET_ADDRESS_TEXT, "[%s%s]:%u", text, scope, port_of(address));
}

/* A path ends with a zero or the address. An abstract name begins with a zero; it has any bytes. */
static void put_unix(const uint8_t *name, size_t size, char *to)
{
	char text[SOCKET_ADDRESS_TEXT], *at = text + sprintf(text, "unix:");
	const uint8_t *end = name + size;

	if (size && name[0]) {
		end = name + strnlen((const char *)name, size);
	} else if (size) {
		*at++ = '@';
		name++;
	}
	for (; name < end; name++)
		if (*name)
			*at++ = *name;
		else
			at += sprintf(at, "\\x00");
	text_from_bytes((const uint8_t *)text, at - text, to, SOCKET_ADDRESS_TEXT);
}

const char *socket_address_text(const uint8_t *address, size_t size, char to[SOCKET_ADDRESS_TEXT])
{
	uint16_t family;

	to[0] = 0;
	if (size < sizeof(family))
		return to;
	memcpy(&family, address, sizeof(family));
	if (size > SOCKET_ADDRESS)
		size = SOCKET_ADDRESS;
	if (family == FAMILY_UNIX)
		put_unix(address + sizeof(family), size - sizeof(family), to);
	else if (family == FAMILY_INET && size >= INET_SIZE)
		put_inet(address, to);
	else if (family == FAMILY_INET6 && size >= INET6_SIZE)
		put_inet6(address, size, to);
	else
		snprintf(to, SOCKET_ADDRESS_TEXT, "family %u", family);
	return to;
}
