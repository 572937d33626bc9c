// Asks for a ticket until it is valid, by Go's standard library: agent [json|stream] [blind].
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type choice struct{ Message, Delta message }

type reply struct{ Choices []choice }

func has(word string) bool {
	for _, argument := range os.Args[1:] {
		if argument == word {
			return true
		}
	}
	return false
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func ask(messages []message) string {
	body := map[string]any{"model": "m", "messages": messages}
	if has("stream") {
		body["stream"] = true
	}
	sent, err := json.Marshal(body)
	must(err)
	response, err := http.Post(os.Getenv("OPENAI_BASE_URL")+"/chat/completions", "application/json", bytes.NewReader(sent))
	must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(err)
	if response.StatusCode != 200 {
		must(fmt.Errorf("%s: %s", response.Status, text))
	}
	if !has("stream") {
		var whole reply
		must(json.Unmarshal(text, &whole))
		return whole.Choices[0].Message.Content
	}
	answer := ""
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "data: {") {
			var event reply
			must(json.Unmarshal([]byte(line[6:]), &event))
			answer += event.Choices[0].Delta.Content
		}
	}
	return answer
}

func errors(text string) string {
	var value struct {
		Priority string
		Steps    []string
	}
	must(json.Unmarshal([]byte(text), &value))
	wrong := []string{}
	if value.Priority != "low" && value.Priority != "medium" && value.Priority != "high" {
		wrong = append(wrong, "priority: Input should be 'low', 'medium' or 'high'")
	}
	if len(value.Steps) == 0 {
		wrong = append(wrong, "steps: List should have at least 1 item")
	}
	return strings.Join(wrong, "\n")
}

func main() {
	messages := []message{{"user", "Write a ticket for the printer. Answer with JSON only."}}
	answer := ""
	for attempt := 0; attempt < 3; attempt++ {
		answer = ask(messages)
		wrong := errors(answer)
		if wrong == "" {
			break
		}
		again := "That is not valid:\n" + wrong
		if has("blind") {
			again = "Try again."
		}
		messages = append(messages, message{"assistant", answer}, message{"user", again})
	}
	fmt.Println(answer)
}
