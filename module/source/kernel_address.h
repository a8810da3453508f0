/* SPDX-License-Identifier: GPL-2.0 */
/* Where a symbol of the kernel is, to be shown and never called. */
#ifndef ETW_KERNEL_ADDRESS_H
#define ETW_KERNEL_ADDRESS_H

unsigned long etw_kernel_address(const char *symbol);

#endif /* ETW_KERNEL_ADDRESS_H */
