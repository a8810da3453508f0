# SPDX-License-Identifier: GPL-2.0
# where CPU time goes: samples with stacks as far as the module has them, switches
events PROC_THREAD+LOADER?+PROFILE?+CSWITCH
buffer-size 256
