# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=bash
# The corpus of START blocks, one file a block, is kept as one archive. Files with the same blocks
# make the same archive, so that a run of --minimise that changes nothing leaves no difference.
archive=tests/stress/fuzz/corpus.tar.zst

# unpack_corpus FOLDER: all blocks, in a new FOLDER
unpack_corpus() {
	rm -rf "$1"
	mkdir -p "$1"
	zstd -dcq $archive | tar -C "$1" -xf -
}

# pack_corpus FOLDER: make the files of FOLDER the corpus
pack_corpus() {
	tar -C "$1" --sort=name --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner \
		--mode=644 -cf - -T <(cd "$1" && find . -type f -printf '%P\n' | LC_ALL=C sort) |
		zstd -19 -q -f -o $archive
}
