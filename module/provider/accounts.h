/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Rate limits: accounts of how much each user has written to each session. */
#ifndef ETW_ACCOUNTS_H
#define ETW_ACCOUNTS_H

#include <linux/cred.h>
#include <linux/types.h>

struct etw_user;

struct etw_user *etw_user_get(const struct cred *cred);
void etw_user_put(struct etw_user *user);
int etw_user_register(struct etw_user *user);
void etw_user_unregister(struct etw_user *user);
bool etw_user_take(struct etw_user *user, u32 logger, u64 rate, u64 burst, u32 size);
void etw_users_forget(u32 logger);
void etw_users_exit(void);

#endif /* ETW_ACCOUNTS_H */
