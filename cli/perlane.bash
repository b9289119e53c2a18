# SPDX-License-Identifier: MIT
#
# Completes the command line of perlane in bash: source this file, or install it as
# share/bash-completion/completions/perlane. What there is to choose from comes from the command
# itself, `perlane list-options`. Works with bash 3.2 and without the package bash-completion.

# What the value of an option can be, as its line in _perlane_table says.
_perlane_values() {
    local kind name letter values _ wanted=$1
    while IFS=$'\t' read -r kind name letter _ values _; do
        [ "$kind" = option ] || continue
        if [ "$wanted" = "--$name" ] || [ "$wanted" = "-$letter" ]; then
            printf '%s\n' "$values"
            return 0
        fi
    done <<<"$_perlane_table"
    return 1
}

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

_perlane_options() {
    local kind name letter rest
    while IFS=$'\t' read -r kind name letter rest; do
        [ "$kind" = option ] && _perlane_offer "$1" "--$name"
    done <<<"$_perlane_table"
}

_perlane() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} values _perlane_table
    COMPREPLY=()
    # shellcheck disable=SC2088 # as it was typed: bash expands it when the command runs
    case $program in '~/'*) program=$HOME/${program#'~/'} ;; esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        _perlane_offer "$word" "$("$program" list-options 2>/dev/null | cut -f 1)"
        _perlane_offer "$word" $'--help\n--version'
        return
    fi
    _perlane_table=$("$program" list-options "$command" 2>/dev/null) || return
    # Bash takes --hash=la for three words.
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    values=$(_perlane_values "$before") || values=-
    case $values in
    names\ *) _perlane_offer "$word" "$(printf '%s' "${values#names }" | tr ' ' '\n')" ;;
    file) _perlane_files "$word" ;;
    text) ;;
    *)
        case $command:$word in
        verify:[!-]*) _perlane_files "$word" ;;
        *) _perlane_options "$word" ;;
        esac
        ;;
    esac
}

complete -F _perlane perlane
