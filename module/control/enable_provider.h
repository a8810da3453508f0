/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* ENABLE: its argument is checked, and its filters are copied. */
#ifndef ETW_ENABLE_PROVIDER_H
#define ETW_ENABLE_PROVIDER_H

#include "etw_abi.h"

int etw_enable_provider(const struct etw_enable *given);

#endif /* ETW_ENABLE_PROVIDER_H */
