# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=bash
# Completion of the etw command for bash.

# Sessions, quoted for the shell: a name may contain blanks or characters that the shell expands,
# and any user that may start sessions chooses names. compgen -W would split and expand it, too.
_etw_sessions() {
	local name typed quote=''
	# shellcheck disable=SC2162 # a backslash quotes here, too
	IFS= read typed <<<"$cur"
	case $cur in [\"\']*) quote=1 typed=${cur:1} ;; esac
	while IFS= read -r name; do
		[[ $name == "$typed"* ]] || continue
		if [ -z "$quote" ]; then
			printf -v name %q "$name"
		# what these quotes do not quote is better typed without
		elif [[ $name == *[\"\'\`\$\\!]* ]]; then
			continue
		fi
		COMPREPLY+=("$name")
	done < <(etw list 2>/dev/null | sed -E 's/^ *([0-9]+) [a-z]+ [0-9]+ lost (.*)/\1\n\2/')
}

# The last of the names that are joined by +, a comma or @: out of these lists
_etw_joined() {
	local prefix='' names list
	names=$(for list; do etw list "$list" 2>/dev/null; done | cut -d' ' -f1)
	# systems of Linux, behind whose colon _etw_linux_events goes on
	[ "$1" != events ] || names+=" $(etw list events '*:*' 2>/dev/null | sed 's/:.*/:/' | uniq)"
	case $cur in *[+,@]*) prefix=${cur%[+,@]*} prefix=${cur:0:${#prefix}+1} ;; esac
	mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$names" -- "${cur##*[+,@]}")
	compopt -o nospace
}

# The last of the names that are joined by commas: of users (-u), of groups (-g); those of the
# other kind have an @ before them
_etw_accounts() {
	local last=${cur##*,}
	local prefix=${cur:0:${#cur}-${#last}}
	mapfile -t COMPREPLY < <(
		compgen -P "$prefix" "$1" -- "$last"
		case $2:$last in
		-g: | -g:@*) compgen -P "$prefix@" -g -- "${last#@}" ;;
		esac
	)
}

# The name of an event of Linux behind its system and the colon, at which bash breaks words
_etw_linux_events() {
	local system=${1##*[+,]} names
	names=$(etw list events "$system:${2#:}*" 2>/dev/null | cut -d: -f2)
	mapfile -t COMPREPLY < <(compgen -W "$names" -- "${2#:}")
}

_etw() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	local verb=${COMP_WORDS[1]} words='' kind='' at
	local verbs='record start update snapshot watch top stop status list flush rundown close dump check stat annotate
		report merge import finalize symbols unwind export doctor enable disable providers log mark tmf mc help'
	local filters='--events --filter --pid --children --exclude-self --hook --probe --stackwalk
		--stack-caching --syscalls --pool-tags --uprobe --usdt --frequency --interval --flush-timer --max-buffers
		--profile --dry-run'
	local session='--buffer-size --buffers --min-buffers --mode --max-file --flight --clock
		--name --owner --reader-mode --allow-user --allow-group --no-addresses
		--no-rundown --counters --sample --pebs --providers --provider-rate
		--provider-timestamps --no-provider-timestamps --provider-wnodes --provider-kernel
		--no-provider-kernel --sequence --unwind'

	COMPREPLY=()
	# bash breaks words at @, which is among what our answer takes the place of all the same
	case $prev:$cur in
	@:* | *:@*)
		[ "$prev" != @ ] || cur=@$cur
		for ((at = COMP_CWORD - 1; at > 1; at--)); do
			[[ ${COMP_WORDS[at]} != -* ]] || break
		done
		prev=${COMP_WORDS[at]}
		;;
	esac
	at=$COMP_CWORD
	[ "$cur" = : ] || at=$((at - 1))
	if ((at > 2)) && [ "${COMP_WORDS[at]}" = : ]; then
		case ${COMP_WORDS[at-2]} in
		-e | --events | events | =) _etw_linux_events "${COMP_WORDS[at-1]}" "$cur"; return ;;
		esac
	fi
	# and at =: --clock=qpc are three words, and nothing is typed yet where = is the last
	if [ "$cur" = = ]; then
		cur=''
	elif [ "$prev" = = ] && ((COMP_CWORD > 2)); then
		prev=${COMP_WORDS[COMP_CWORD-2]}
	fi
	if ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "$verbs --help --version" -- "$cur")
		return
	fi
	case $prev in
	-e|--events) _etw_joined events groups; return ;;
	--hook|--stackwalk) _etw_joined hooks; return ;;
	-c|--counters|--sample|--pebs|--interval)
		case $prev:$cur in
		-c:*@*|--counters:*@*) _etw_joined hooks ;;
		# how many of them
		*@*) ;;
		*) _etw_joined counters ;;
		esac
		return ;;
	-p|--profile|--priority)
		case $verb in
		log) words='crit err warning notice info debug' ;;
		*) words=$(etw list profiles 2>/dev/null | cut -d' ' -f1) ;;
		esac ;;
	--by) words='thread process cpu container function module reason caller waker' ;;
	--sequence) words='local global none' ;;
	--unwind) words='tables fp' ;;
	-s|--sort) [ "$verb" != top ] || words='cpu switches wait ready ipc disk' ;;
	-w|--when) [ "$verb" != watch ] || words='wait: ready: run: event: mark: lost signal:' ;;
	--uprobe|--usdt) compopt -o nospace; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	--probe) return ;;
	--exec) mapfile -t COMPREPLY < <(compgen -c -- "$cur"); return ;;
	-l|--level) words='critical error warning information verbose' ;;
	-g|--guid) words=$(etw providers 2>/dev/null | cut -d' ' -f1 | uniq) ;;
	--clock) words='qpc system cycle' ;;
	--mode) words='realtime sequential circular newfile buffering' ;;
	--owner) mapfile -t COMPREPLY < <(compgen -u -- "$cur"); return ;;
	--providers) _etw_accounts -u -g; return ;;
	--allow-user) _etw_accounts -u; return ;;
	--sysroot) mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
	--kallsyms) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	--allow-group) _etw_accounts -g; return ;;
	# log's is the event's text
	-d|--data) [ "$verb" = log ] || mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	-o|--output|-f|--file|--save|--tmf|--manifest|--messages)
		if [ "$verb" = symbols ]; then
			mapfile -t COMPREPLY < <(compgen -d -- "$cur")
			return
		fi
		mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
	esac
	if [ -z "$words" ]; then
		case $verb in
		record) words="--output --quiet --duration --dotnet --dotnet-provider --finalize --raw --no-module $filters $session" kind='command' ;;
		start) words="--file $filters $session" ;;
		update) words="$filters --no-pid --no-children --no-exclude-self --no-hook --no-linux-events
			--no-stackwalk --no-stack-caching --no-pool-tags" kind='session' ;;
		snapshot) words='--output --raw --quiet' kind='session' ;;
		watch) words='--when --output --pid --process --limit --debounce --count --exec --flight
			--profile --events --json --quiet --raw' kind='session' ;;
		top) words='--interval --sort --processes --top --batch --count --once --json' ;;
		stop) words='--save --finalize --raw --discard --quiet' kind='session' ;;
		status) words='--json --cpu' kind='session' ;;
		enable) words='--guid --level --flags --keywords --all-keywords --capture-state
			--container-id --filter-event --filter-event-name --filter-exe --filter-not-event
			--filter-not-event-name --filter-pid --stack' kind='session' ;;
		disable) words='--guid' kind='session' ;;
		log) words='--guid --type --level --priority --version --message --data --wide
			--hex --file' kind='session' ;;
		mark) kind='session' ;;
		tmf) words='--output' kind='object' ;;
		mc) words='--output --binary --messages' kind='object' ;;
		providers) words='--json' ;;
		flush) kind='session' ;;
		rundown) words='--wait' kind='session' ;;
		list) words='--fields --json events groups hooks profiles counters' ;;
		close) words='--ours' kind='file' ;;
		dump) words='--json --csv --output --xml --count --range --hook --pid --tid --process
			--container --cpu --activity --tmf --manifest --symbols --names --sysroot --kallsyms --verbose --unordered' kind='file' ;;
		check) words='--ours --filtered --all --rules --json' kind='file' ;;
		stat) words='--top --cpus --by --at-least --range --pid --tid --process --container
			--cpu --manifest --idle --json --csv --ends --filtered --folded --inline --waiting --hook
			--sysroot --kallsyms' kind='file' ;;
		annotate) words='--all --intel --range --pid --tid --process --container --cpu --idle --json
			--csv --sysroot --kallsyms' kind='file' ;;
		report) words='--diff --range --pid --tid --process --container --cpu --idle --sysroot
			--kallsyms --output' kind='file' ;;
		merge) words='--output' kind='file' ;;
		import) words='--output --json --quiet' kind='perf' ;;
		finalize) words='--output --sysroot --kallsyms --no-kallsyms --quiet' kind='file' ;;
		symbols) words='--output --sysroot --kallsyms --no-lines --json --quiet' kind='file' ;;
		export) words='--chrome --perfetto --folded --flamegraph --speedscope --pprof
			--firefox --sqlite --diff --diff-range --range --pid --tid --process --container
			--cpu --manifest --idle --hook --inline --waiting --sysroot --kallsyms
			--output' kind='file' ;;
		unwind) words='--rows --send --json' kind='object' ;;
		doctor) words='--fix --json' ;;
		help) words=$verbs ;;
		esac
		words="$words --help"
	fi
	case $cur:$kind in
	-*:*) ;;
	*:session) _etw_sessions; return ;;
	*:file) compopt -o filenames
		if [ "$verb" = stat ] && [[ $prev == *.etl || $prev == - ]]; then
			mapfile -t COMPREPLY < <(compgen -W 'counters profile cpu faults disk dpc memory power processes providers stacks syscalls waits' -- "$cur")
			return
		fi
		mapfile -t COMPREPLY < <(compgen -f -X '!*.etl' -- "$cur"; compgen -d -- "$cur")
		return ;;
	*:object | *:perf) compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return ;;
	*:command) mapfile -t COMPREPLY < <(compgen -c -- "$cur"); return ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _etw etw
