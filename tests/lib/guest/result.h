/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The checks of a program for guests, and the end of one that can't go on. */
#ifndef ETW_TEST_RESULT_H
#define ETW_TEST_RESULT_H

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "check.h"
#include "errors.h"

#define result(good, ...) check_that(good, __VA_ARGS__)

/* What a test needs to go on has failed */
static inline void die(const char *what)
{
	result(0, "%s # %s", what, strerror(errno));
	_exit(1);
}

#endif /* ETW_TEST_RESULT_H */
