# SPDX-License-Identifier: GPL-2.0
# What OpenTrace() and ProcessTrace() take of libetl

etl_sources += given_time.c grid.c guids.c logfile_header.c losses.c lznt1.c plain.c reader.c \
	text.c xpress.c xpress_huffman.c
