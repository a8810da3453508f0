/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel spreads what linux/mm.h has here over two headers. */
#include <linux/mm.h>
