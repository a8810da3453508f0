/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* PROVIDERS of a module that knows only the first version of its argument and entries. */
#ifndef ETW_FIRST_PROVIDERS_H
#define ETW_FIRST_PROVIDERS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "etw_abi.h"

/* Bytes of an entry */
#define FIRST_PROVIDER_INFO	offsetof(struct etw_provider_info, match_any)

/* The argument for such a module, with the memory of @given for entries */
static inline struct etw_providers first_providers(const struct etw_providers *given)
{
	return (struct etw_providers){
		.size = offsetof(struct etw_providers, entry_size), .count = given->count,
		.providers = given->providers,
	};
}

/* Moves entries of the first version to their places. Flags are the lower half of the keywords. */
static inline void first_providers_widen(struct etw_provider_info *infos, uint32_t count)
{
	const uint8_t *from = (const uint8_t *)infos;

	while (count--) {
		struct etw_provider_info info = { 0 };

		memcpy(&info, from + count * FIRST_PROVIDER_INFO, FIRST_PROVIDER_INFO);
		info.match_any = info.enable_flags;
		infos[count] = info;
	}
}

#endif /* ETW_FIRST_PROVIDERS_H */
