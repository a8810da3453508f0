# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=bash
# The judge (Program.cs), built with both versions of TraceEvent, in the cache.

VERSIONS='4.0.0 3.1.21'
JUDGE_SOURCES=(tests/unit/traceevent/*.cs tests/unit/traceevent/judge.csproj)
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_gcServer=0

# has_dotnet NAME: whether the SDK is here; without it NAME is skipped, and fails where
# ETW_REQUIRE_DOTNET is set, as in continuous integration
has_dotnet() {
	! command -v dotnet >/dev/null || return 0
	if [ "${ETW_REQUIRE_DOTNET:-}" ]; then
		not_ok "$1: there is no dotnet"
	else
		skip "$1" 'NO .NET SDK: nothing was judged by TraceEvent (install the .NET SDK 10)'
	fi
	return 1
}

# fill_judge VERSION DIR: called by cached
# shellcheck disable=SC2317
fill_judge() {
	mkdir "$2/source"
	cp "${JUDGE_SOURCES[@]}" "$2/source"
	dotnet build "$2/source/judge.csproj" -c Release -o "$2/bin" -p:TraceEvent="$1" >"$2/log" 2>&1 ||
		{ tail -n 30 "$2/log" >&2; return 1; }
	rm -r "$2/source"
}

# judge_folder VERSION: where the judge of that version is
judge_folder() {
	local version=$1 name
	name=traceevent-$version-$({ dotnet --version; cat "${JUDGE_SOURCES[@]}"; } |
		sha256sum | cut -c1-12)
	# no target of tests/infra/vm/prepare makes it
	ETW_CACHE_ONLY='' cached "$name" fill_judge "$version"
	printf '%s\n' "$CACHE/$name/bin"
}

# judge VERSION WORD...: runs it over libetw-win32
judge() {
	local folder
	folder=$(judge_folder "$1")
	shift
	ETW_WIN32=$PWD/build/host/tools/libetw-win32/etw/win32 \
		build/host/tools/libetw-win32/etw-dotnet "$folder/judge.dll" "$@"
}

# judged_traces WORK FILE...: as judged, of a test whose subject is another one; skips without .NET
judged_traces() {
	has_dotnet 'the traces read by TraceEvent' || return 0
	judged "$@"
}

# judged WORK FILE...: every version agrees with etw dump about the files
judged() {
	local work=$1 version status
	shift
	for version in $VERSIONS; do
		status=0
		judge "$version" read tests/unit/traceevent/fields.txt "$work" "$@" \
			>"$work/judged-$version" || status=$?
		check "TraceEvent $version reads all files" [ $status = 0 ]
	done
	python3 -B tests/unit/traceevent/judged.py "$work" "$@"
}
