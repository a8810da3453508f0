/* SPDX-License-Identifier: GPL-2.0 */
/* Which process each thread is of. */
#ifndef ETW_THREADS_H
#define ETW_THREADS_H

#include <stdbool.h>
#include <stdint.h>

struct etl_record;

struct thread_table;

struct thread_table *threads_new(void);
/* Without memory the thread stays unknown. */
void threads_set(struct thread_table *table, uint32_t tid, uint32_t pid);
bool threads_get(const struct thread_table *table, uint32_t tid, uint32_t *pid);
/* Whose a thread is, as an event of it says. Return: false when the event is none that does */
bool threads_told(const struct etl_record *record, uint32_t *tid, uint32_t *pid);
void threads_free(struct thread_table *table);

#endif /* ETW_THREADS_H */
