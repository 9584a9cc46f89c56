"""Eight slow calls in a stream, as LangGraph's ToolNode makes them: `URL TIMES`."""

from __future__ import annotations

import asyncio
import sys

from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition


@tool
async def slow(at: str) -> str:
    """Look at something."""
    await asyncio.sleep(1.0)
    return at


async def main() -> None:
    url, times = sys.argv[1], int(sys.argv[2])
    model = ChatOpenAI(model="gpt-4o", base_url=url, api_key="none", streaming=True)
    asked = model.bind_tools([slow])

    async def answer(state: MessagesState) -> dict[str, list[object]]:
        return {"messages": [await asked.ainvoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("answer", answer)
    graph.add_node("tools", ToolNode([slow]))
    graph.add_edge(START, "answer")
    graph.add_conditional_edges("answer", tools_condition)
    graph.add_edge("tools", "answer")
    agent = graph.compile()
    for _ in range(times):
        async for _ in agent.astream({"messages": [HumanMessage("Go!")]}):
            pass


asyncio.run(main())
