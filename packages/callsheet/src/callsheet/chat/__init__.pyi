from callsheet.agents.turn import Turn as Turn
from callsheet.chat.apps import app_tools as app_tools
from callsheet.chat.chat import Chat as Chat
from callsheet.chat.chat import Choice as Choice
from callsheet.chat.steering import steering_tools as steering_tools
from callsheet.engine.conversations import Conversation as Conversation

__all__: list[str]
