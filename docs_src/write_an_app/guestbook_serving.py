from guestbook import VISIT, guests, note

from callsheet.apps.mcp import Brought, Call, Resource, Row, Told, gives, takes, told_of, waited
from callsheet.apps.routes import (
    APIRouter,
    Body,
    Request,
    Response,
    begin,
    needs,
    routes_of,
    start_answers,
    started,
    tenant_of,
    told,
    with_example,
)
from callsheet.types import Tenant

# Over REST

routes = routes_of("guestbook")


class Visit(Body):
    guest: str


@routes.post(
    "/guestbook",
    status_code=201,
    responses=start_answers(),
    openapi_extra=with_example({"guest": "Ada"}),
)
@needs("runs:write")
async def sign(request: Request, body: Visit) -> Response:
    """Greet a guest, and write the name down."""
    tenant = tenant_of(request)
    run = await begin(request, lambda key: tenant.start(VISIT, {"guest": body.guest}, key=key))
    await note(tenant, run.id, body.guest)
    return await started(request, run)


@routes.get("/guestbook")
@needs("runs:read")
async def list_guests(request: Request) -> Response:
    """Who was here."""
    return told(await guests(tenant_of(request)))


def brought_routes() -> APIRouter:
    return routes


# For agents


async def greet(call: Call) -> Told:
    guest, tenant = call.args["guest"], call.door.tenant
    run = await call.begin(lambda key: tenant.start(VISIT, {"guest": guest}, key=key))
    await note(tenant, run.id, guest)
    return await told_of(call.door, run, await waited(call, run, 10))


async def read_book(tenant: Tenant, name: str) -> str:
    return "\n".join(guest for guest in await guests(tenant) if guest.startswith(name))


def brought_to_agents() -> Brought:
    return Brought(
        tools=(
            Row(
                name="guestbook_sign",
                about="Greet a guest, and write the name down.",
                takes=takes("guest", guest={"type": "string"}, key={"type": "string"}),
                gives=gives(run="text", state="text", output="any"),
                do=greet,
            ),
        ),
        resources=(
            Resource(
                uri="guestbook://{name}",
                about="The guests whose names begin so.",
                read=read_book,
                media_type="text/plain",
            ),
        ),
    )
