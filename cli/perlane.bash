# SPDX-License-Identifier: MIT
#
# Completes the command line of perlane in bash: source this file, or install it as
# share/bash-completion/completions/perlane. What there is to choose from comes from the help, and
# from what the command expects of an option without its value. Only the perlane of PATH is run,
# whatever path was typed: a folder may have come from anywhere. Works with bash 3.2 and without the
# package bash-completion.

# Appends to COMPREPLY what begins with the current word, of a list with one word a line.
_perlane_offer() {
    local word
    while IFS= read -r word; do
        case $word in
        '') ;;
        "$1"*) COMPREPLY+=("$word") ;;
        esac
    done <<<"$2"
}

_perlane_files() {
    local file
    while IFS= read -r file; do
        [ -n "$file" ] && COMPREPLY+=("$file")
    done < <(compgen -f -- "$1")
    # So that bash quotes names and puts a slash behind folders; outside of a completion it cannot.
    compopt -o filenames 2>/dev/null || true
}

_perlane() {
    local program word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} help expected
    COMPREPLY=()
    program=$(type -P perlane) || return
    case $program in
    /*) ;;
    *) return ;; # of a folder in PATH that changes with the current one
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        _perlane_offer "$word" \
            "$("$program" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')"
        _perlane_offer "$word" $'--help\n--version'
        return
    fi
    help=$("$program" "$command" --help 2>/dev/null) || return
    # Bash takes --hash=la for three words.
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    # An option that takes a value says which; others might run the command.
    case $before in
    -*) if sed -En 's/^  (-.,|   ) (--[a-z-]*) [A-Z].*/\1 \2/p' <<<"$help" | tr ', ' '\n\n' |
        grep -qxF -e "$before"; then
        expected=$("$program" "$command" "$before" 2>&1 </dev/null |
            sed -n 's/.*: its value .* is missing; expected //p')
    fi ;;
    esac
    case $expected:$command:$word in
    'the name of a file'*) _perlane_files "$word" ;;
    'one of '*) _perlane_offer "$word" "$(tr -d ' ' <<<"${expected#one of }" | tr , '\n')" ;;
    :verify:[!-]*) _perlane_files "$word" ;;
    :*) _perlane_offer "$word" "$(sed -En 's/^  (-.,|   ) (--[a-z-]*).*/\2/p' <<<"$help")" ;;
    esac
}

complete -F _perlane perlane
