# SPDX-License-Identifier: GPL-2.0
# where CPU time goes: samples and switches, with stacks
events PROC_THREAD+LOADER?+PROFILE?+CSWITCH
stackwalk Profile+CSwitch
buffer-size 256
