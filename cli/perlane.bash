# SPDX-License-Identifier: MIT
#
# Completes the command line of perlane in bash: source this file, or install it as
# share/bash-completion/completions/perlane. What there is to choose from comes from the help.
# Works with bash 3.2 and without the package bash-completion.

# Prints what the value of an option can be, from the help in _perlane_help: its names, one a line,
# "<file>", or nothing; fails if the option has none. Names are in a sentence, or each on a line of
# its own, indented by 32.
_perlane_values() {
    awk -v wanted="$1" '
        /^$/ { inside = 0 }
        /^  (-.,|   ) --/ {
            short = substr($0, 3, 2)
            words = split(substr($0, 7), word, " ")
            inside = wanted == word[1] || wanted == short
            if (!inside)
                next
            # More than one blank, or the end of the line, follows the name and the placeholder.
            takes = substr($0, 7 + length(word[1]), 2) ~ /^ [^ ]/
            file = word[2] ~ /^(FILE|MAP|FOLDER)$/
        }
        inside && /^                                [^ ]+:/ { sub(/:$/, "", $1); print $1; next }
        inside { $1 = $1; text = text " " $0 }
        END {
            if (!takes)
                exit 1
            if (file)
                print "<file>"
            else if (sub(/.*One of /, "", text)) {
                sub(/\.( \(default: .*)?$/, "", text)
                gsub(/, /, "\n", text)
                print text
            }
        }' <<<"$_perlane_help"
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

_perlane() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} values _perlane_help
    COMPREPLY=()
    # shellcheck disable=SC2088 # as it was typed: bash expands it when the command runs
    case $program in '~/'*) program=$HOME/${program#'~/'} ;; esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        _perlane_offer "$word" \
            "$("$program" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')"
        _perlane_offer "$word" $'--help\n--version'
        return
    fi
    _perlane_help=$("$program" "$command" --help 2>/dev/null) || return
    # Bash takes --hash=la for three words.
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if values=$(_perlane_values "$before"); then
        case $values in
        '<file>') _perlane_files "$word" ;;
        *) _perlane_offer "$word" "$values" ;;
        esac
        return
    fi
    case $command:$word in
    verify:[!-]*) _perlane_files "$word" ;;
    *) _perlane_offer "$word" "$(sed -En 's/^  (-.,|   ) (--[a-z-]*).*/\2/p' <<<"$_perlane_help")" ;;
    esac
}

complete -F _perlane perlane
