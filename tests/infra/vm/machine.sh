# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2054,SC2154
# The emulated machine: its memory, the window to it, and its saved state.
#
# A guest boots in seconds of a processor, and there are many. So one that has come to
# its init, and waits there for its files, is saved in the cache; other tests wake
# copies of it. Its RAM is a file that QEMU maps copy-on-write. Behind what the kernel
# has by mem= there is more, the window: files for the guest are put there, in the
# file, before it starts or wakes up, and its own are taken from there by the monitor.
WINDOW_MB=512

# megabytes SIZE: of 512M or 2G
megabytes() {
	case $1 in
	*G) printf '%s\n' $((${1%G} * 1024)) ;;
	*M) printf '%s\n' "${1%M}" ;;
	*) die "memory of $1: say 512M or 2G" ;;
	esac
}

# lay_out: where the window is: in the file of RAM, and for the guest. q35 has half of what
# does not fit below its devices above 4 GB; virt has all from 1 GB on.
lay_out() {
	mb=$(megabytes "$mem")
	total=$((mb + WINDOW_MB))
	window=$mb limit=$mb
	if [ "$MACHINE" = arm64 ]; then
		window=$((mb + 1024))
	elif [ $total -ge 2816 ]; then
		window=$((mb + 2048)) limit=$window
	fi
	params="mem=${limit}M etw_window=$((window << 20)):$((WINDOW_MB << 20)) $params"
}

# words SHARE RAM INITRD: QEMU's, for the machine with that file as its RAM
words() {
	local port
	case $MACHINE in
	x86_64)
		vm=(qemu-system-x86_64 -M q35,memory-backend=ram -cpu "${model:-max}")
		# a busy host lets the check for a timer that interrupts see too few of them
		port="console=ttyS0 no_timer_check"
		;;
	arm64)
		vm=(qemu-system-aarch64 -M virt,memory-backend=ram -cpu "${model:-neoverse-n1}")
		port="console=ttyAMA0"
		;;
	esac
	vm+=(-accel "${ETW_ACCEL:-tcg,thread=single}" -smp "${cpus:-2}" -m "${total}M"
		-object "memory-backend-file,id=ram,size=${total}M,share=$1,mem-path=$2"
		-display none -nodefaults -no-reboot -kernel "$KERNEL" -initrd "$3"
		-append "$port $params" "${extra[@]}")
}

# first_files INITRD: what a guest finds when it boots
first_files() {
	local dir=$work/first
	mkdir -p "$dir"/{bin,dev,proc,sys,tmp,w,out,etc,root,run,mnt}
	cp "$BUSYBOX" "$dir/bin/busybox"
	ln -s busybox "$dir/bin/sh"
	cp -L "$window_program" "$dir/bin/window"
	cp "$VM/init" "$dir/init"
	echo 'root:x:0:0:root:/root:/bin/sh' >"$dir/etc/passwd"
	# not compressed: an emulated CPU takes seconds to undo it
	(cd "$dir" && find . | cpio -o -H newc -R 0:0 --quiet) >"$1"
}

# into_window RAM FILES: the guest's files, and that they are there
into_window() {
	local size
	size=$(stat -c %s "$2")
	[ "$size" -lt $(((WINDOW_MB << 20) - 4096)) ] || die "$size bytes of files for the guest"
	dd if="$2" of="$1" bs=1M oflag=seek_bytes seek=$(((mb << 20) + 4096)) conv=notrunc \
		status=none
	{
		printf ETWFILES
		# its bytes, the lowest first
		printf '%016x\n' "$size" | fold -w2 | tac | tr -d '\n' |
			sed 's/../\\x&/g' | xargs -0 printf
	} |
		dd of="$1" bs=4096 oflag=seek_bytes seek=$((mb << 20)) conv=notrunc status=none
}

# monitor DIR: make QEMU's monitor, which is written to by descriptor 8; what it says
# goes to DIR/monitor.log
monitor() {
	rm -f "$1"/monitor.{in,out}
	# open for both directions: no end waits for the other
	mkfifo "$1/monitor.in" "$1/monitor.out"
	exec 8<>"$1/monitor.in" 9<>"$1/monitor.out"
	cat <&9 >"$1/monitor.log" 8>&- &
	drain=$!
}

# save DIR: boot the machine, save it in DIR; a job for cached(), in a shell of its own
save() {
	local dir=$1 boot='' i
	trap '[ -z "$boot$drain" ] || kill $boot $drain 2>/dev/null' EXIT
	trap 'exit 130' INT TERM
	say "saving a $target (once): ${dir##*/.tmp-}"
	truncate -s "${total}M" "$dir/ram"
	first_files "$dir/initrd"
	monitor "$work"
	words on "$dir/ram" "$dir/initrd"
	timeout -k 5 "$time" "${vm[@]}" -monitor "pipe:$work/monitor" \
		-serial "file:$work/boot" </dev/null 2>"$work/stderr" &
	boot=$!
	until grep -q '@@VM-READY@@' "$work/boot" 2>/dev/null; do
		kill -0 $boot 2>/dev/null || break
		sleep 0.1
	done
	# what the boot left to do
	sleep 1
	printf '%s\n' 'migrate_set_capability x-ignore-shared on' \
		"migrate \"exec:cat >'$dir/state'\"" 'info migrate' quit >&8
	i=0
	wait $boot || i=$?
	kill $drain
	trap - EXIT
	if [ $i = 0 ] && grep -q 'Migration status: completed' "$work/monitor.log"; then return; fi
	say "it ended with $i after these lines:"
	tail -n 5 "$work/boot" >&2
	cat "$work/stderr" >&2
	return 1
}

# saved: the directory of the saved machine like ours, as $saved; empty when there is to
# be none, or it could not be made: then the guest boots. Its clocks go on from the host's,
# so that another host's is of no use.
saved() {
	local key
	saved=
	[ "${ETW_SAVED:-1}" = 1 ] && [ ! "$icount$qemu$shell$verbose" ] || return 0
	[[ ${ETW_ACCEL:-tcg} = tcg* ]] || return 0
	words on ram initrd
	key=$({
		printf '%s\n' "${vm[@]}"
		cat /proc/sys/kernel/random/boot_id "$BUSYBOX" "$window_program" "$VM/init" \
			"$VM/machine.sh"
		"${vm[0]}" --version
	} | sha256sum | cut -c1-12)
	find "$CACHE" -maxdepth 1 -name "saved-*" -mmin +2880 -exec rm -rf {} + 2>/dev/null || :
	if (ETW_CACHE_ONLY='' cached "saved-$target-$key" save); then
		saved=$CACHE/saved-$target-$key
		touch "$saved"
	fi
}
