"""What the words of a conversation's judgement mean: outcomes, checks, grades."""

from __future__ import annotations

from ..registry.explanation import CATALOGUE, Sort, explained

_OUTCOMES = (
    (
        "converged",
        "The last answer keeps the contract.",
        "It says something about the recording; the check `carried` says whether the feedback did it.",
        "attempt 1 lacks `priority`, attempt 2 is valid",
        "Nothing needs to be done.",
    ),
    (
        "exhausted",
        "The last allowed attempt still breaks the contract.",
        "The budget was not enough, or the feedback does not help.",
        "three attempts, and the third still has duplicate steps",
        "Read what changed between the attempts; improve prompt or feedback before you raise the budget.",
    ),
    (
        "stuck",
        "An answer equals an earlier one of the conversation, and the last one is not valid.",
        "A model that sees its bad answer often repeats it.",
        "attempt 2 is attempt 1, word for word",
        "Leave the bad answer out of the retry, or raise the temperature.",
    ),
    (
        "oscillating",
        "The same sets of findings alternate: A, B, A.",
        "Fixing one rule breaks the other, so the two may contradict each other.",
        "too short, too long, too short",
        "Feed back both rules at once, and look whether both can hold.",
    ),
    (
        "no_progress",
        "The last two answers differ and have the same findings.",
        "The feedback was not understood, or did not arrive.",
        "another title, and `priority` is still missing",
        "Look at the check `carried`; say in the feedback what is expected.",
    ),
    (
        "regressed",
        "The last answer breaks something that an earlier one had right.",
        "The model fixes what it is told and forgets the rest.",
        "attempt 1 had two steps, attempt 2 has one",
        "Repeat the whole task in the retry, beside the findings.",
    ),
    (
        "false_convergence",
        "Valid by the schema, but copied from the prompt, an example or the feedback.",
        "A copied example passes every check of form and answers another task.",
        "the ticket's step is the worked example's",
        "Use examples that are further from the tasks, and keep `not_copied` in the contract.",
    ),
    (
        "rejected",
        "A finding has severity fail: no retry was due.",
        "The contract says that asking again would not make it acceptable.",
        "a refusal, or a constraint of severity fail",
        "Hand the case to a person, or lower the severity.",
    ),
    (
        "stopped",
        "The app gave up before its budget was spent, or asking again was rightly not done.",
        "Truncation and refusals do not get better by asking again; anything else might.",
        "two attempts of three, the last one invalid",
        "Look why the loop ended; raise the token limit after a truncation.",
    ),
    (
        "escalated",
        "The task was handed over to another model, a tool or a person, as the test declares it.",
        "It is an accepted end, and no answer of the first model.",
        '`escalates="gpt-large"`, and the third request goes there',
        "Nothing needs to be done; the check `valid` warns.",
    ),
    (
        "stale",
        "The recording no longer fits what the app sends.",
        "A recorded answer is no evidence for a prompt that was never sent.",
        "the system prompt was edited after the recording",
        "Record again: `pytest --planguard-record=stale`.",
    ),
    (
        "ambiguous",
        "Which conversation a request belongs to cannot be told from the traffic.",
        "Two tasks sent the same prompt at the same time.",
        "two parallel calls with equal messages",
        "Name the tasks: `with planguard.conversation(task.id):`.",
    ),
)
_CHECKS = (
    (
        "carried",
        "Each retry's request carries the findings of the attempt before it.",
        "A loop that drops the feedback asks blindly, and looks like one that works.",
        "attempt 1 lacks `priority`, and request 2 does not say so",
        "Put the findings into the next request: `build_feedback`, `next_messages`.",
    ),
    (
        "stops",
        "The budget is kept, and nobody asks again where that cannot help.",
        "Retries after a refusal or at the same token limit only cost.",
        "four attempts where three are allowed",
        "Bound the loop, and ask `verdict.reask` before each retry.",
    ),
    (
        "valid",
        "The last answer keeps the contract.",
        "It is what the app works with.",
        "the third answer still has two equal steps",
        "Read its findings; they say what is wrong and where.",
    ),
    (
        "agreed",
        "The app and the contract judge every answer alike.",
        "An app that is stricter than its contract retries for rules that no test knows.",
        "the contract takes a fenced answer, and the app asks again",
        'Use `extract="whole"`, or move the app\'s rule into the contract.',
    ),
    (
        "fresh",
        "No retry sends the body of an earlier attempt again.",
        "The same request says nothing about what was wrong.",
        "request 2 equals request 1, byte for byte",
        "Add the feedback to the messages that are sent.",
    ),
    (
        "addressed",
        "The bad answer stands once in the retry, as the model's own turn or call, and calls have their results.",
        "Providers refuse calls without results, and models confuse a quoted answer with the task.",
        "the bad answer is pasted into a user message",
        "Send it as the assistant's turn: `next_messages` does.",
    ),
    (
        "clean",
        "The feedback has no traceback, API error, secret or URL in it.",
        "The model cannot act on those, and secrets leave the house.",
        "`Traceback (most recent call last): …` in a user message",
        "Build the feedback from findings and not from `str(exception)`.",
    ),
    (
        "bounded",
        "A retry's request grows by no more than the answers so far and a bounded feedback.",
        "Feedback that quotes everything makes each retry dearer.",
        "request 4 has ten times the characters of request 1",
        "Clip values in the feedback; send the last answer only.",
    ),
    (
        "shrinking",
        "Within a phase no retry brings new findings, and none falls back to an earlier phase.",
        "It shows whether the feedback helps before the last attempt tells.",
        "one finding after attempt 1, three after attempt 2",
        "Feed back all findings of a phase at once.",
    ),
    (
        "task_kept",
        "Every retry still says what the task is.",
        "A model that sees only the errors answers the errors.",
        "request 2 holds the findings and not the task",
        "Keep the first user message in each retry.",
    ),
    (
        "accounted",
        "Every attempt says how many tokens it took.",
        "What is not counted cannot be budgeted.",
        "a stream without a usage event",
        "Ask the provider for usage: `stream_options={'include_usage': True}`.",
    ),
    (
        "copied",
        "The valid last answer copies neither a worked example nor the feedback.",
        "Such an answer passes the schema and is about another task.",
        "a title that is the text of the error message",
        'Add `not_copied("…")` to the contract, which makes it a finding.',
    ),
)
_GRADES = (
    (
        "proven",
        "Run again on the answer without the finding, the app left out words that are about the finding.",
        "It is the strongest evidence: the words come and go with the finding, and hold its place, value or rule.",
        "`prove=True`, and request 2 no longer says `priority is low, medium or high`",
        "Nothing needs to be done.",
    ),
    (
        "reacts",
        "Run again on the answer without the finding, the app left out words that nobody can read.",
        "The app knows of the finding; whether its words say what is wrong, only a person can tell. It counts as weak.",
        "request 2 no longer says `Could you think of one more tongue?`",
        "Nothing, or name the place or the value; `planguard_unread = fail` lets none pass.",
    ),
    (
        "verbatim",
        "The finding's own message stands in the new words of the next request, with its path.",
        "Nothing was lost on the way.",
        "`priority: required, missing`",
        "Nothing needs to be done.",
    ),
    (
        "located",
        "An entry of the feedback agrees in path and in code or message.",
        "The app words errors in its own way, and the place is right.",
        "`priority - Field required`",
        "Nothing needs to be done.",
    ),
    (
        "weak",
        "Only keywords agree.",
        "Feedback about the whole answer has no place to compare.",
        "`Please return valid JSON.`",
        "Name the place and the rule where there are some.",
    ),
    (
        "placed",
        "The exact place is named, with words that were not understood.",
        "It counts as weak: what is said about the place is unknown.",
        "`Look at steps[2] once more`",
        "Say which rule is broken there.",
    ),
    (
        "unread",
        "There are new words that could be about the finding, and nobody can tell by reading.",
        "A guess would call correct loops broken, or broken ones correct.",
        "feedback that another model has summarised",
        "Run the test again with `prove=True`, which tells.",
    ),
    (
        "lost",
        "There is evidence that the next request does not say it; the reason tells which.",
        "The model cannot fix what it is not told.",
        "the request says nothing new",
        "Put the finding into the feedback.",
    ),
    (
        "not judged",
        "Nobody can know: no contract, no text, server-held state, a foreign validator's rule.",
        "It is never counted as a pass.",
        "a request that only names a `previous_response_id`",
        "Give the test a contract, or send the messages.",
    ),
)
_STATUSES = (
    ("pass", "The check holds.", "It was looked at.", "`carried: pass`", "Nothing needs to be done."),
    (
        "warn",
        "The check is violated, and the conversation may still be ok.",
        "Real, correct clients break it now and then.",
        "`bounded: warn`",
        "Read the evidence; `checks=` of the marker makes it fail.",
    ),
    (
        "fail",
        "The check is violated, and the conversation is not ok.",
        "The loop or the last answer is at fault.",
        "`carried: fail`",
        "Read the evidence, one line for each place.",
    ),
    (
        "not judged",
        "Nobody can know.",
        "It is never a pass.",
        "no retry's findings can be read",
        "Read the message, which says what is lacking.",
    ),
    (
        "not applicable",
        "There is nothing that the check could look at.",
        "A conversation of one attempt has no retry.",
        "`fresh` on a first answer that is valid",
        "Nothing needs to be done.",
    ),
)
_CODES = (
    (
        "file_not_written",
        "A command ended well and did not write the file that the contract is about.",
        "Code downstream reads that file, or an older one in its place.",
        "`I have written plan.md`, and there is no plan.md",
        "Name the file in the prompt; look where the agent ran and what it wrote instead.",
    ),
    (
        "call_not_made",
        "A tool call that the contract demands was not made for this answer.",
        "An answer that the agent did not validate may be good by chance only.",
        '`must_call=called("Bash", "make check-plan")`, and the agent only wrote the file',
        "Feed the finding back; say in the prompt that the agent has to make the call.",
    ),
)
CATALOGUE.register(
    [
        *explained(Sort.OUTCOME, _OUTCOMES),
        *explained(Sort.CHECK, _CHECKS),
        *explained(Sort.GRADE, _GRADES),
        *explained(Sort.STATUS, _STATUSES),
        *explained(Sort.CODE, _CODES),
    ]
)
