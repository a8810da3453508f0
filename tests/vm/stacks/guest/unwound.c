// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The chain of functions without frame pointers, for a guest. */

/* arm64's compilers make frame records otherwise. */
#pragma GCC optimize("omit-frame-pointer")

#include "tests/unit/unwind/chain.c"
