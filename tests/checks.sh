# SPDX-License-Identifier: MIT
#
# Shared by the tests in shell: a line per check, and their number at the end. Needs $work, a folder
# to write in.

passed=0
failed=0

# check WHAT COMMAND...: runs the command, and prints its output if it fails.
check() {
    what=$1
    shift
    if "$@" >"$work/check.log" 2>&1; then
        echo "ok $what"
        passed=$((passed + 1))
    else
        cat "$work/check.log"
        echo "FAILED $what"
        failed=$((failed + 1))
    fi
}

# Prints the numbers. The last command of a script.
total() {
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
}
