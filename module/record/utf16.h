/* SPDX-License-Identifier: GPL-2.0 */
/* UTF-8 to UTF-16: pure. */
#ifndef ETW_UTF16_H
#define ETW_UTF16_H

#include <linux/types.h>

u32 etw_utf8_to_utf16(void *to, u32 room, const char *from, u32 length);

#endif /* ETW_UTF16_H */
