# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=bash
# A Debian of its own, by debootstrap, for tests that install into it; they source
# tests/lib/lib.sh and tests/infra/vm/common.sh before.

# Where it is, in the cache; gone when the test ends
root=

# shellcheck disable=SC2317 # called by the trap
leave() {
	umount -R "$root/dev" "$root/proc" "$root/sys" 2>/dev/null || :
	rm -rf --one-file-system "$root"
}

# sources: what apt knows of this Debian's archives, a line of sources.list each
sources() {
	# shellcheck disable=SC2016 # the $() are apt's
	apt-get -q indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Identifier: Packages' 'Origin: Debian' "Architecture: $(dpkg --print-architecture)" |
		grep ' main$' | sort -u
}

# fresh_debian PACKAGE,...: $root is a minimal Debian with those packages, the machine's own
# release and archives. Where there can't be one, the test is skipped, and ends.
fresh_debian() {
	local here mirror
	if ! { [ "$(id -u)" = 0 ] && command -v debootstrap && unshare -m true; } >/dev/null; then
		skip 'a fresh Debian' \
			'needs root, debootstrap (tests/infra/vm/setup proof) and a mount namespace'
		exit
	fi
	# mounts end with the namespace, whatever ends this
	[ "${ETW_FRESH:-}" ] || exec env ETW_FRESH=1 unshare -m --propagation private "$0"

	mkdir -p "$CACHE"
	root=$(mktemp -d "$CACHE/fresh.XXXXXX")
	trap leave EXIT
	here=$(. /etc/os-release && echo "$VERSION_CODENAME")
	mirror=$(sources | awk -v here="$here" '$3 == here { print $2; exit }')
	check 'debootstrap' debootstrap --variant=minbase --include="$1" \
		"$here" "$root" "$mirror" >"$root.log" 2>&1 || { tail "$root.log"; exit 1; }
	tail -n 1 "$root.log"
	rm "$root.log"
	sources >"$root/etc/apt/sources.list"
	apt-config dump Acquire >"$root/etc/apt/apt.conf.d/99mirror"
	cp -L /etc/resolv.conf "$root/etc/resolv.conf"
	mount -t proc proc "$root/proc"
	mount -t sysfs sysfs "$root/sys"
	mount --rbind /dev "$root/dev"
	mkdir "$root/root/etw"
}

# inside COMMAND...: as root of the fresh machine, in /root/etw; its checks are not ours
inside() {
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
		chroot "$root" sh -c 'cd /root/etw && "$@"' sh "$@" </dev/null 2>&1 | sed 's/^/  /'
}
