// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* UNWIND_TABLE: a table is copied and checked. */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "context/unwind_rows.h"
#include "session/access.h"
#include "session/unwind.h"
#include "control_session.h"
#include "unwind_table.h"

/* Argument of add() */
struct addition {
	const struct file *file;
	struct etw_unwind_row *rows;
	u32 nr;
};

static int add(struct etw_session *session, void *given)
{
	const struct addition *table = given;
	int err = etw_may_record();

	return err ? err : etw_session_unwind_table(session, table->file, table->rows, table->nr);
}

/*
 * @file: NULL: the vDSO
 *
 * Checks the rows before the session, so that a bad row is reported in any case.
 */
static int copy_and_add(struct etw_unwind_table *argument, const struct file *file)
{
	struct addition given = { .file = file, .nr = argument->nr_rows };
	int err;

	given.rows = vmemdup_user(u64_to_user_ptr(argument->rows),
				  given.nr * sizeof(given.rows[0]));
	if (IS_ERR(given.rows))
		return PTR_ERR(given.rows);
	argument->error_row = etw_unwind_refused_row(given.rows, given.nr);
	err = argument->error_row ? -EINVAL : etw_on_running(argument->logger_id, add, &given);
	kvfree(given.rows);
	return err;
}

/**
 * etw_unwind_hand_over() - hand a table to a session
 * @argument: a copy of the caller's; out: @error_row, with -EINVAL
 *
 * Context: process; sleeps.
 * Return: 0; -EINVAL: flags, number of rows, a bad row, a file of the vDSO; -EBADF; -EFAULT;
 * -ENOMEM; as etw_on_running() and etw_session_unwind_table().
 */
int etw_unwind_hand_over(struct etw_unwind_table *argument)
{
	struct file *file;
	int err;

	if (argument->error_row || argument->flags & ~ETW_UNWIND_VDSO || !argument->nr_rows ||
	    argument->nr_rows > ETW_MAX_UNWIND_ROWS)
		return -EINVAL;
	if (argument->flags & ETW_UNWIND_VDSO)
		return argument->fd == -1 ? copy_and_add(argument, NULL) : -EINVAL;
	file = fget(argument->fd);
	if (!file)
		return -EBADF;
	err = file->f_mode & FMODE_READ ? copy_and_add(argument, file) : -EBADF;
	fput(file);
	return err;
}
