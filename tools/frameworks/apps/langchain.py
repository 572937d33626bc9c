"""LangChain: with_structured_output and a loop, ToolStrategy in an agent, OutputFixing and RetryWithError parsers."""

from pydantic import ValidationError
from task import ORIGIN, Ticket, prompt

PACKAGES = ["langchain", "langchain-openai", "langchain-anthropic", "langchain-classic", "langgraph"]
SHOWN = ["langchain", "langchain-core", "langchain-openai", "langchain-anthropic", "langchain-classic", "openai"]
SCRIPTS = {
    "function_calling": {"tool": "Ticket"},
    "anthropic": {"tool": "Ticket"},
    "tool_strategy": {"tool": "Ticket"},
    "tool_strategy_anthropic": {"tool": "Ticket"},
}
CASES = [
    "function_calling", "json_schema", "json_mode", "anthropic", "tool_strategy", "tool_strategy_anthropic",
    "output_fixing", "retry_with_error",
]  # fmt: skip


def chat(case):
    if "anthropic" in case:
        from langchain_anthropic import ChatAnthropic

        return ChatAnthropic(model="m", base_url=ORIGIN, api_key="test", max_tokens=500)
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model="m", base_url=f"{ORIGIN}/v1", api_key="test")


def run(case, feedback):
    """One conversation."""
    if case.startswith("tool_strategy"):
        return strategy(case, feedback)
    if case == "output_fixing":
        return fixing(case, feedback)
    if case == "retry_with_error":
        return retrying(case, feedback)
    return structured(case, feedback)


def structured(case, feedback):
    """The answer and its error are kept with include_raw; with_retry() asks the same again."""
    method = {} if case == "anthropic" else {"method": case}
    if not feedback:
        return chat(case).with_structured_output(Ticket, **method).with_retry(stop_after_attempt=3).invoke(prompt(case))
    ask = chat(case).with_structured_output(Ticket, include_raw=True, **method)
    messages = [("user", f"{prompt(case)}. Answer in JSON.")]
    for _ in range(3):
        try:
            done = ask.invoke(messages)
        except ValidationError as error:  # json_schema: the SDK's own parser raises, and the answer is gone
            messages.append(("user", f"Your last answer was not valid:\n{error}"))
            continue
        if done["parsing_error"] is None:
            return done["parsed"]
        messages += [done["raw"], *reply(done["raw"], str(done["parsing_error"]))]
    return None


def reply(raw, text):
    from langchain_core.messages import HumanMessage, ToolMessage

    if raw.tool_calls:
        return [ToolMessage(text, tool_call_id=call["id"]) for call in raw.tool_calls]
    return [HumanMessage(text)]


def strategy(case, feedback):
    from langchain.agents import create_agent
    from langchain.agents.structured_output import ToolStrategy

    asked = ToolStrategy(Ticket) if feedback else ToolStrategy(Ticket, handle_errors="Please try again.")
    agent = create_agent(chat(case), tools=[], response_format=asked)
    said = {"messages": [{"role": "user", "content": prompt(case)}]}
    return agent.invoke(said, {"recursion_limit": 6})["structured_response"]


def parser():
    from langchain_core.output_parsers import PydanticOutputParser

    return PydanticOutputParser(pydantic_object=Ticket)


FIX = "Instructions:\n{instructions}\nCompletion:\n{completion}\nThe completion was not good. Please try again:"


def fixing(case, feedback):
    from langchain_classic.output_parsers import OutputFixingParser
    from langchain_core.prompts import PromptTemplate

    own = {} if feedback else {"prompt": PromptTemplate.from_template(FIX)}
    made = OutputFixingParser.from_llm(llm=chat(case), parser=parser(), max_retries=2, **own)
    return (chat(case) | made).invoke(prompt(case))


def retrying(case, feedback):
    from langchain_classic.output_parsers import RetryOutputParser, RetryWithErrorOutputParser
    from langchain_core.prompt_values import StringPromptValue

    kind = RetryWithErrorOutputParser if feedback else RetryOutputParser
    made = kind.from_llm(llm=chat(case), parser=parser(), max_retries=2)
    first = chat(case).invoke(prompt(case)).content
    return made.parse_with_prompt(first, StringPromptValue(text=prompt(case)))
