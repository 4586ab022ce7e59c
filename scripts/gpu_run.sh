#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# run.sh [seconds]: runs a pack (./dev gpu-pack) on a machine with a GPU, in order of importance, in at most
# this number of seconds (480). It needs bash, coreutils, grep and tar; it uses nvidia-smi and compute-sanitizer
# if they are installed. Each program has its own process and time limit. A suite that crashes or hangs continues
# after the test at fault. Tests that failed after another failure run again in a new process, because a failed
# kernel may have broken the device for the process. Results go to $OUT (results): summary.txt, with a line when
# each program ends, and logs.tar.xz. Exit code 0: all passed; 1: a program failed or was left out; 3: there is no
# device.
set -uo pipefail
case ${OUT:-/} in /*) ;; *) OUT=$PWD/$OUT ;; esac
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
seconds=${1:-480}
out=${OUT:-results}
mkdir -p "$out"
out=$(cd "$out" && pwd)
logs=$out/logs
rm -rf "$out/summary.txt" "$logs"
mkdir -p "$logs"
export CUDA_MODULE_LOADING=LAZY GTEST_COLOR=no LC_ALL=C
wrong=no
device=yes

say() { printf '[%3d s] %s\n' "$SECONDS" "$*" | tee -a "$out/summary.txt"; }
# limit_of <seconds>: these seconds, or the remaining time if that is less.
limit_of() { echo $(($1 < seconds - SECONDS ? $1 : seconds - SECONDS)); }

# ending <exit code> <limit> <log>: how a program ended, in a few words.
ending() {
  local reason
  reason=$(grep -aohm 1 'there is no device[^;]*' "$3" | head -n 1)
  [ -n "$reason" ] || reason=$(tail -n 1 "$3")
  case $1 in
    0) echo "${reason:0:150}" ;;
    124 | 137) echo "it ran past its limit of $2 s" ;;
    *) echo "exit code $1: ${reason:0:150}" ;;
  esac
}

# program <limit> <title> <command>...: runs a program while nothing else runs.
program() {
  local limit title=$2 rc=0 began=$SECONDS
  local log=$logs/${title//[ \/]/_}.log
  limit=$(limit_of "$1")
  shift 2
  if ! command -v "$1" >/dev/null; then
    say "$title: not in this pack"
  elif [ "$limit" -lt 3 ]; then
    wrong=yes
    say "$title: left out, no time left"
  else
    { timeout -k 3 "$limit" "$@" >"$log" 2>&1 || rc=$?; } 2>/dev/null # bash reports signals
    say "$title ($((SECONDS - began)) s): $(ending $rc "$limit" "$log")"
    [ $rc = 0 ] || wrong=yes
    return $rc
  fi
  return 1
}

# table <title>: adds the table that a program printed.
table() { [ ! -e "$logs/$1.log" ] || grep '^|' "$logs/$1.log" | tee -a "$out/summary.txt"; }

# start <command>...: runs the command in the background; at most half as many as processors, and at most eight.
# While it waits for a slot, it reports suites that have ended.
slots=$(($(nproc) / 2))
slots=$((slots < 1 ? 1 : slots > 8 ? 8 : slots))
running=0
start() {
  until_running $((slots - 1))
  "$@" 2>/dev/null &
  running=$((running + 1))
}
until_running() {
  while [ $running -gt "$1" ]; do
    wait -n
    running=$((running - 1))
    report_suites
  done
}

# tests_of <suite>: the full names of its tests.
tests_of() {
  local line suite=""
  "bin/$1" --gtest_list_tests | while IFS= read -r line; do
    line=${line%%  #*}
    case $line in
      "  "*) echo "$suite${line#  }" ;;
      *.) suite=$line ;;
    esac
  done
}

# read_log <log>: sorts the tests of a GoogleTest log into the arrays passed, skipped and failed; sets last to the
# test that began last.
read_log() {
  local line
  passed=() skipped=() failed=() last=
  while IFS= read -r line; do
    case $line in
      *'[ RUN      ] '*) last=${line#*'[ RUN      ] '} ;;
      *'[       OK ] '*' ms)') passed+=("$(name_in "$line" '[       OK ] ')") ;;
      *'[  SKIPPED ] '*' ms)') skipped+=("$(name_in "$line" '[  SKIPPED ] ')") ;;
      *'[  FAILED  ] '*' ms)') failed+=("$(name_in "$line" '[  FAILED  ] ')") ;;
    esac
  done <"$1"
}
# name_in <line> <mark>: the name of the test after the mark.
name_in() {
  local name=${1#*"$2"}
  name=${name%% *}
  echo "${name%,}"
}

# shard <suite> <list>: runs the tests in the file <list>, in as many processes as needed; writes the result of each
# test to <list>.found.
shard() {
  local suite=$1 list=$2 limit log rc again name seen passed skipped failed last
  local todo process=0
  mapfile -t todo <"$list"
  while [ ${#todo[@]} != 0 ] && [ $process -lt 40 ]; do
    limit=$(limit_of 120)
    [ "$limit" -ge 3 ] || break
    process=$((process + 1))
    log=$list.$process.log
    (IFS=: && echo "--gtest_filter=${todo[*]}" >"$list.flags")
    rc=0
    timeout -k 3 "$limit" "bin/$suite" "--gtest_flagfile=$list.flags" --gtest_death_test_style=threadsafe \
      >"$log" 2>&1 || rc=$?
    read_log "$log"
    again=()
    if [ $rc -le 1 ]; then
      # A test may end the process.
      for name in "${todo[@]}"; do
        case " ${passed[*]} ${skipped[*]} ${failed[*]} " in
          *" $name "*) ;;
          *) echo "left out $name" ;;
        esac
      done
    fi
    for name in "${passed[@]}"; do echo "passed $name"; done
    for name in "${skipped[@]}"; do echo "skipped $name"; done
    if [ ${#failed[@]} != 0 ]; then
      # The first failure counts; it may have broken the device for the others.
      echo "failed ${failed[0]}"
      again=("${failed[@]:1}")
    fi
    if [ $rc != 0 ] && [ $rc != 1 ]; then
      if [ -z "$last" ]; then
        echo "crashed before the first test of ${#todo[@]}: $(ending $rc "$limit" "$log")"
        todo=()
        break
      fi
      if [ ${#failed[@]} != 0 ]; then
        again+=("$last")
      else
        echo "crashed $last: $(ending $rc "$limit" "$log")"
      fi
      seen=no
      for name in "${todo[@]}"; do
        [ $seen = no ] || again+=("$name")
        [ "$name" != "$last" ] || seen=yes
      done
    elif [ $device = no ]; then
      for name in "${again[@]}"; do echo "failed $name"; done
      again=()
    fi
    todo=("${again[@]}")
  done >"$list.found"
  for name in "${todo[@]}"; do echo "left out $name"; done >>"$list.found"
  mv "$list.found" "$list.ended"
}

# run_suite <suite>: starts its shards, each with 25 tests or more. Tests that break the device have a separate
# process.
begun=()
run_suite() {
  local suite=$1 folder=$logs/$1 all k list shards
  mkdir "$folder"
  mapfile -t all < <(tests_of "$suite" 2>"$folder/list.log")
  shards=$((${#all[@]} / 25 + 1))
  shards=$((shards > 8 ? 8 : shards))
  for k in "${!all[@]}"; do
    case ${all[k]} in
      *names_the_kernel_that_failed*) echo "${all[k]}" >"$folder/alone_$k.tests" ;;
      *) echo "${all[k]}" >>"$folder/shard_$((k % shards)).tests" ;;
    esac
  done
  if [ ${#all[@]} = 0 ]; then
    echo "crashed while listing its tests: $(ending 1 0 "$folder/list.log")" >"$folder/list.tests.ended"
  else
    for list in "$folder"/*.tests; do start shard "$suite" "$list"; done
  fi
  begun+=("$suite")
}

# report_suites: prints a line for each suite that has ended since the last call, and for each failed test.
report_suites() {
  local suite found bad passed reason waiting=()
  for suite in "${begun[@]}"; do
    if [ "$(count "$logs/$suite/*.tests")" -gt "$(count "$logs/$suite/*.ended")" ]; then
      waiting+=("$suite")
      continue
    fi
    found=$(cat "$logs/$suite"/*.ended)
    passed=$(grep -c '^passed' <<<"$found")
    bad=$(grep -cE '^(failed|crashed|left out)' <<<"$found")
    reason=$(grep -aohm 1 'there is no device[^;]*' "$logs/$suite"/*.log | head -n 1)
    say "$suite: $passed passed, $bad failed, $(grep -c '^skipped' <<<"$found") skipped${reason:+; ${reason:0:120}}"
    if [ "$bad" != 0 ]; then
      wrong=yes
      [ $device = no ] ||
        grep -E '^(failed|crashed|left out)' <<<"$found" | sort -u | head -n 40 | details
    fi
  done
  begun=("${waiting[@]}")
}
count() { compgen -G "$1" | wc -l; }
details() { sed 's/^/        /' | tee -a "$out/summary.txt"; }

# kokkos_program <name>: runs a program for Kokkos and compares its output.
kokkos_program() {
  local log=$logs/kokkos_$1.log limit rc=0
  limit=$(limit_of 20)
  if [ "$limit" -lt 3 ]; then
    echo "$1: left out, no time left"
    return
  fi
  timeout -k 3 "$limit" "bin/kokkos_$1" >"$log.printed" 2>"$log" || rc=$?
  if [ $rc = 0 ] && cmp -s "$log.printed" "expected/$1.out" && [ ! -s "$log" ]; then
    echo "$1: right"
  elif [ $rc = 0 ]; then
    echo "$1: different output, see logs"
    diff "$log.printed" "expected/$1.out" >>"$log"
  else
    echo "$1: $(ending $rc "$limit" "$log")"
  fi >"$log.found"
}

head -n 20 MANIFEST 2>/dev/null | tee -a "$out/summary.txt"
say "$(nproc) processors, $(nvidia-smi -L 2>/dev/null || echo "nvidia-smi was not found")"

# First whether a kernel runs at all, then the ladder, then each check separately.
program 30 "gpu_checks device" bin/gpu_checks device
[ $? != 3 ] || device=no
program 60 "conformance_climb" bin/conformance_climb
for check in $(bin/gpu_checks); do
  [ "$check" = device ] || program 30 "gpu_checks $check" bin/gpu_checks "$check"
done

program 150 "gpu_bench" bin/gpu_bench
table gpu_bench

# Suites: those in which devices differ from Emu first.
suites=(conformance seam backends parallel view graph containers algorithms tasks lockstep runtime)
for suite in "${suites[@]}"; do [ ! -x "bin/unit_$suite" ] || run_suite "unit_$suite"; done
for suite in bin/unit_*; do
  suite=${suite#bin/unit_}
  case " ${suites[*]} * " in
    *" $suite "*) ;;
    *) run_suite "unit_$suite" ;;
  esac
done
until_running 0

for name in bin/kokkos_*; do [ ! -x "$name" ] || start kokkos_program "${name#bin/kokkos_}"; done
until_running 0
if found=$(cat "$logs"/kokkos_*.found 2>/dev/null); then
  say "programs for Kokkos: $(grep -c ': right$' <<<"$found") right, $(grep -cv ': right$' <<<"$found") wrong"
  grep -v ": right\$" <<<"$found" | details
  grep -qv ": right\$" <<<"$found" && wrong=yes
else
  say "programs for Kokkos: not in this pack"
fi

program 120 "host_scaling" bin/host_scaling
table host_scaling

sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if [ $device = no ]; then
  say "compute-sanitizer: left out, there is no device"
elif [ -z "$sanitizer" ]; then
  say "compute-sanitizer: left out, not found"
else
  for check in for_loop team_folds tiles; do
    for tool in racecheck synccheck; do
      program 60 "$tool $check" "$sanitizer" --tool $tool --error-exitcode 9 bin/gpu_checks $check
    done
  done
  for check in for_loop scratch map graph view_after_main; do
    program 60 "memcheck $check" "$sanitizer" --tool memcheck --error-exitcode 9 bin/gpu_checks $check
  done
  for tool in memcheck initcheck; do
    program 90 "$tool conformance_climb" "$sanitizer" --tool $tool --error-exitcode 9 bin/conformance_climb
  done
fi

tar -C "$out" -cJf "$out/logs.tar.xz" logs && rm -rf "$logs"
if [ $device = no ]; then
  say "done in $SECONDS s: there is no device"
  exit 3
elif [ $wrong = yes ]; then
  say "done in $SECONDS s: a program failed or was left out"
  exit 1
fi
say "done in $SECONDS s: all passed"
