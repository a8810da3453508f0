/* SPDX-License-Identifier: GPL-2.0 */
/* What source.c and listeners.c share. */
#ifndef ETW_SOURCE_H
#define ETW_SOURCE_H

#include <linux/list.h>

struct etw_source;

/* All under etw_sessions_lock */
extern struct list_head etw_sources;
int etw_source_open(struct etw_source *source);
void etw_source_close(struct etw_source *source);
void etw_sources_wait(void);

#endif /* ETW_SOURCE_H */
