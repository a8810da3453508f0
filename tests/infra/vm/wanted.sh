# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Which of the guest's programs and scripts a command needs: what it names, and what that
# names. All of them together would take longer to load than many a test to run.

# sources PROGRAM: a guest program's file, or those of its folder, in one of $folders
sources() {
	local folder
	for folder in "${folders[@]}"; do
		compgen -G "$folder/$1.c" || compgen -G "$folder/$1/*.c" || continue
		break
	done
}

# literals PROGRAM: the strings in its sources, but for headers: none starts a program
literals() {
	local -a sources
	mapfile -t sources < <(sources "$1")
	[ ${#sources[@]} -gt 0 ] || return 0
	grep -ohE '"([^"\\]|\\.)*"' "${sources[@]}"
}

# wanted DIR COMMAND [FILE...]: the files, of the programs in DIR and the scripts in the
# guest folders of tests, that the command or those files name; a line each
wanted() {
	local dir=$1 word file text=$2
	local -A there=() taken=()
	local -a folders
	shift 2
	mapfile -t folders < <(guest_folders)
	while read -r file; do there[${file##*/}]=$file; done < <(
		printf '%s\n' "$dir"/*
		guest_scripts
	)
	for file; do
		file=${file%%:*}
		[ ! -f "$file" ] || ! grep -qI . "$file" || text+=" $(cat "$file")"
	done
	while [ "$text" ]; do
		local next=
		while read -r word; do
			[ "$word" ] || continue
			file=${there[$word]:-}
			if [ ! "$file" ] || [ "${taken[$word]:-}" ]; then continue; fi
			taken[$word]=1
			printf '%s\n' "$file"
			case $word in
			*.sh) next+=" $(cat "$file")" ;;
			*) next+=" $(literals "$word")" ;;
			esac
		done < <(tr -cs 'A-Za-z0-9_.' '\n' <<<"$text" | sort -u)
		text=$next
	done
}
