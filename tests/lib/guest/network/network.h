/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the parts of network share. */
#ifndef NETWORK_H
#define NETWORK_H

#include <sys/socket.h>
#include <sys/types.h>

/* Where the server listens: IPv4, IPv6, IPv4 to a socket of IPv6 */
enum family { V4, V6, MAPPED, FAMILIES };

/* sockets.c */
__attribute__((format(printf, 1, 2), noreturn)) void die(const char *format, ...);
int port(int number);
socklen_t address(enum family family, int server, int port, struct sockaddr_storage *to);
int open_socket(enum family family, int type);
int open_server(enum family family, int type, int port);
void tell_info(int fd, enum family family, int server);

/* fails.c: each prints its line "fail" */
void refused(enum family family);
void no_way(enum family family);
void no_port(enum family family, int port);

/* listeners.c: the second one prints its line "server", the third one its lines "bytes" */
void never_begin(void);
void listen_anywhere(enum family family);
void share_port(enum family family, int port);

/* carrier.c: 0: there is no etw_carrier.ko */
pid_t carry(void);

#endif /* NETWORK_H */
