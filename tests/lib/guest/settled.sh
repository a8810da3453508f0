# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=sh
# For scripts to read in: wait until a session has written its rundown.

# settled SESSION: what is there is recorded; what comes now is the script's own
settled() {
	until etw status --json "$1" | grep -q '"rundown": *false'; do sleep 0.05; done
}
