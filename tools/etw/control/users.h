/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Users and groups by name or number. */
#ifndef ETW_USERS_H
#define ETW_USERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool user_parse(const char *text, uint32_t *uid);
bool group_parse(const char *text, uint32_t *gid);
/* "name (number)", or the number */
void user_text(uint32_t uid, char *to, size_t room);
void group_text(uint32_t gid, char *to, size_t room);

#endif /* ETW_USERS_H */
