#!/bin/sh
# Asks for a ticket until it is valid, by curl and sed: agent.sh [json|stream] [blind]. Texts stay escaped as in JSON.
stream='' blind=''
for word in "$@"; do
    case $word in stream) stream=', "stream": true' ;; blind) blind=yes ;; esac
done
messages='{"role": "user", "content": "Write a ticket for the printer. Answer with JSON only."}'
for attempt in 1 2 3; do
    # In a variable of its own, so that a refusal ends the script.
    reply=$(curl -sS --fail-with-body -H 'content-type: application/json' -H 'authorization: Bearer unused' \
        --data "{\"model\": \"m\", \"messages\": [$messages]$stream}" "$OPENAI_BASE_URL/chat/completions") || {
        echo "$reply" >&2
        exit 1
    }
    answer=$(printf '%s\n' "$reply" | sed -nE 's/.*"content": ?"(([^"\\]|\\.)*)".*/\1/p' | tr -d '\n')
    wrong=''
    printf '%s' "$answer" | grep -qE 'priority\\": ?\\"(low|medium|high)\\"' ||
        wrong="\\npriority: Input should be 'low', 'medium' or 'high'"
    printf '%s' "$answer" | grep -qE 'steps\\": ?\[\]' && wrong="$wrong\\nsteps: List should have at least 1 item"
    [ -z "$wrong" ] && break
    again="That is not valid:$wrong"
    [ -n "$blind" ] && again='Try again.'
    messages="$messages, {\"role\": \"assistant\", \"content\": \"$answer\"}, {\"role\": \"user\", \"content\": \"$again\"}"
done
printf '%s\n' "$answer"
