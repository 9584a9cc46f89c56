from fastapi import APIRouter as APIRouter
from fastapi import Query as Query
from starlette.requests import Request as Request
from starlette.responses import Response as Response

from callsheet.serve.http.route import needs as needs
from callsheet.serve.routes.beginning import answered as answered
from callsheet.serve.routes.beginning import begin as begin
from callsheet.serve.routes.beginning import late_answers as late_answers
from callsheet.serve.routes.beginning import start_answers as start_answers
from callsheet.serve.routes.beginning import started as started
from callsheet.serve.routes.beginning import stream_answers as stream_answers
from callsheet.serve.routes.beginning import streamed as streamed
from callsheet.serve.routes.beginning import with_example as with_example
from callsheet.serve.routes.documented import answers as answers
from callsheet.serve.routes.models import Body as Body
from callsheet.serve.routes.shared import routes_of as routes_of
from callsheet.serve.routes.shared import tenant_of as tenant_of
from callsheet.serve.routes.shared import told as told

__all__: list[str]
