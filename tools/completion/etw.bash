# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Completion of the etw command for bash.

_etw_sessions() {
	etw list 2>/dev/null | while read -r id _ _ _ name; do
		printf '%s\n%s\n' "$id" "$name"
	done
}

# The last of the names that are joined by +
_etw_events() {
	local prefix='' names
	names=$(etw list events 2>/dev/null | cut -d' ' -f1)
	case $cur in *+*) prefix=${cur%+*}+ ;; esac
	mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$names" -- "${cur##*+}")
	compopt -o nospace
}

_etw() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	local verb=${COMP_WORDS[1]} words='' kind=''
	local verbs='record start stop status list flush close dump check stat doctor help'

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "$verbs --help --version" -- "$cur")
		return
	fi
	case $prev in
	-e|--events) _etw_events; return ;;
	--clock) words='qpc system cycle' ;;
	--mode) words='realtime buffering' ;;
	-o|--output) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	esac
	if [ -z "$words" ]; then
		case $verb in
		record) words='--output --events --buffer-size --buffers --name --clock --quiet'
			kind='command' ;;
		start) words='--events --buffer-size --buffers --clock --mode --flush-timer' ;;
		stop) words='--discard' kind='session' ;;
		status) words='--json --cpu' kind='session' ;;
		flush) kind='session' ;;
		list) words='--json events' ;;
		close) kind='file' ;;
		dump) words='--json --csv --count --unordered' kind='file' ;;
		check) words='--ours --all --rules' kind='file' ;;
		stat) words='--top --cpus' kind='file' ;;
		help) words=$verbs ;;
		esac
		words="$words --help"
	fi
	case $cur:$kind in
	-*:*) ;;
	*:session) words=$(_etw_sessions) ;;
	*:file) compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -X '!*.etl' -- "$cur"; compgen -d -- "$cur")
		return ;;
	*:command) mapfile -t COMPREPLY < <(compgen -c -- "$cur"); return ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _etw etw
