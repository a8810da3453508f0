// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A session is given unwind tables: their memory is a part of the session's. */
#include <linux/errno.h>
#include <linux/fs.h>
#include "context/event_context.h"
#include "context/unwind_tables.h"
#include "budget.h"
#include "session.h"
#include "unwind.h"

static bool has_stacks(const struct etw_session *session)
{
	return session->settings.kernel && session->sink.context &&
	       session->sink.context->stacks.buffers;
}

/* A table that replaces another one, or for which others are given back, takes less. */
static int add(struct etw_session *session, const struct file *file,
	       struct etw_unwinding *table)
{
	u64 before = etw_unwind_totals(session->sink.id).bytes, bytes = table->bytes;
	int err;

	if (!etw_budget_add(session, bytes)) {
		etw_unwind_table_free(table);
		return -ENOMEM;
	}
	err = etw_unwind_table_add(session->sink.id, file, table);
	etw_budget_take_back(session, before + bytes -
			     etw_unwind_totals(session->sink.id).bytes);
	return err;
}

/**
 * etw_session_unwind_table() - UNWIND_TABLE
 * @session: running; the caller holds session->lock
 * @file: executable file, open for reading; NULL: the vDSO
 * @rows: good rows; they are changed
 * @nr: number of rows
 *
 * Context: process; sleeps.
 * Return: 0; -EINVAL: no regular file, or a session without stacks; -E2BIG: too many different
 * rules; -ENOSPC: greater than the session's memory for tables; -ENOMEM.
 */
int etw_session_unwind_table(struct etw_session *session, const struct file *file,
			     struct etw_unwind_row *rows, u32 nr)
{
	struct etw_unwinding *table;
	int err;

	if (!has_stacks(session) || (file && !S_ISREG(file_inode(file)->i_mode)))
		return -EINVAL;
	err = etw_unwind_table_make(rows, nr, &table);
	return err ?: add(session, file, table);
}
