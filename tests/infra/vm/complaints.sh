# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What the kernel says when something is wrong.

# Only its own lines count, by their time stamp, so that a test may print these words;
# the last pattern is the text of /sys/kernel/debug/kmemleak, printed by a command.
stamp='\[ *[0-9]+\.[0-9]{6}\]'
bugs="$stamp.*(WARNING: |BUG[: ]|Oops|KASAN: |KCSAN: |UBSAN: |ODEBUG: |usercopy: "
bugs+='|possible recursive locking|circular locking|inconsistent lock state'
bugs+='|bad unlock balance|held lock freed|DEBUG_LOCKS_WARN|suspicious RCU usage'
bugs+='|INFO: rcu.*(stall|detected)|blocked for more than|Kernel panic|refcount_t: '
bugs+='|general protection fault|Unable to handle kernel|Internal error: '
bugs+='|list_(add|del) corruption|sleeping function called from invalid context'
bugs+='|scheduling while atomic|kmemleak: [0-9]+ new suspected)'
bugs+='|unreferenced object 0x'

# complaints LOG ALLOWED: those since the command began, without the allowed ones
complaints() {
	local found
	found=$(sed -n '/@@VM-BEGIN@@/,$p' "$1" | grep -aE "$bugs" || :)
	# A strict KCSAN reports many races of the kernel with itself, which it means:
	# ours are those in which a function of our modules takes part.
	found=$(sed '/ BUG: KCSAN: .* in /{/\[etw/!d}' <<<"$found")
	[ -z "$2" ] || found=$(grep -avE "$2" <<<"$found" || :)
	printf '%s' "$found"
}
