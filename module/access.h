/* SPDX-License-Identifier: GPL-2.0 */
/* Who may do what. */
#ifndef ETW_ACCESS_H
#define ETW_ACCESS_H

int etw_may_control(void);

#endif /* ETW_ACCESS_H */
