"""The ASGI application: routes, middleware, error handlers."""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

from .headers import SecurityHeaders, put_headers
from .hosts import HostCheck, hosts_of
from .invitations import Invitations
from .pages import SCREENS, Pages
from .requests import ApiError
from .server import Server

__all__ = ["create_app"]


def create_app(server: Server) -> Starlette:
    """The application of a server."""
    routes: list[Route | WebSocketRoute] = [
        Route(
            operation.path,
            server.admission.guarded(operation.handler),
            methods=[operation.method],
        )
        for operation in server.operations
    ]
    routes += [
        WebSocketRoute("/api/tables/{table}/socket", server.connections),
        # Not rate-limited like API requests: a page loads a dozen files, all served from memory.
        Route(SCREENS["table"], Invitations(server.pages, server.hub).get_table),
        *(Route(path, server.pages.get_index) for path in SCREENS.values()),
        *(Route(f"/{name}", server.pages.get_file) for name in server.pages.files),
    ]
    return Starlette(
        routes=routes,
        lifespan=server.lifespan,
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(HostCheck, hosts=hosts_of(server.config)),
        ],
        exception_handlers={HTTPException: _NotFound(server.pages).answer, Exception: _failed},
    )


class _NotFound:
    """Answers unknown paths and unsupported methods in the form of every error."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    async def answer(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        is_page = "text/html" in request.headers.get("accept", "")
        if error.status_code == 404 and is_page and not request.url.path.startswith("/api/"):
            return await self._pages.get_index(request, 404)
        code = "not_found" if error.status_code == 404 else "not_here"
        response = ApiError(error.status_code, code).answer(request)
        response.headers.update(error.headers or {})
        return response


async def _failed(request: Request, _error: Exception) -> Response:
    """Answer an unhandled exception, which Starlette logs; the middleware does not run."""
    response = ApiError(500, "server_failed").answer(request)
    put_headers(response.headers)
    return response
