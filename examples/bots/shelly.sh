#!/bin/sh
# A bot in the shell: it says the first of its lines.
#
# BlueBear writes one JSON object a line. The list of lines comes after the view, and no line has a
# quotation mark in it, so cutting is enough here; a bot that looks at the view wants a real parser.
while IFS= read -r message; do
    case $message in
    '{"do":"hello"'*)
        echo '{"name":"Shelly"}'
        ;;
    '{"do":"choose"'*)
        lines=${message##*'"lines":["'}
        echo "${lines%%'"'*}"
        ;;
    '{"do":"bye"'*)
        exit 0
        ;;
    esac
done
