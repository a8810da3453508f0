/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The address of a socket as text. */
#ifndef ETW_SOCKET_ADDRESS_H
#define ETW_SOCKET_ADDRESS_H

#include <stddef.h>
#include <stdint.h>

/* sizeof(struct sockaddr_un), the longest of those with a text of their own */
#define SOCKET_ADDRESS	110

/* Room for it: "unix:" and a path of which each byte may become four */
#define SOCKET_ADDRESS_TEXT	(8 + 4 * SOCKET_ADDRESS)

/*
 * "192.0.2.1:80", "[2001:db8::1]:80", "[fe80::1%2]:80" (with the number of the interface),
 * "unix:/run/x", "unix:@abstract", "unix:" (without a name), and "family 16" for others. A zero
 * byte within an abstract name is "\x00". @size: bytes that the address has. Return: @to, "" for
 * less than a family
 */
const char *socket_address_text(const uint8_t *address, size_t size, char to[SOCKET_ADDRESS_TEXT]);

#endif /* ETW_SOCKET_ADDRESS_H */
