"""Which machines may be reached: public ones, and those that somebody has allowed.

A URL in a plan may come from a model or a page. Left alone, it could name a service that listens
on this machine only, a router, or the address where a cloud hands out credentials. So a name is
resolved here, every address is looked at, and the address that was looked at is the one that is
connected to: a name that means something else a moment later changes nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from callsheet.errors import DeniedError, InvalidError, NotDoneError

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Block: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

_NUMBERS = re.compile(r"(0x[0-9a-f]*|\d+)(\.(0x[0-9a-f]*|\d+))*\.?\Z", re.IGNORECASE)
_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\Z")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_GLOBAL = ipaddress.ip_network("2000::/3")
"""All that is public in version 6, but for what stands below."""
# Our own, not the interpreter's: what counts as public must not depend on its version.
_NOT_PUBLIC_4 = tuple(
    ipaddress.IPv4Network(block)
    for block in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # behind a provider's gateway
        "127.0.0.0/8",
        "168.63.129.16/32",  # the host of an Azure machine
        "169.254.0.0/16",  # where clouds hand out credentials
        "172.16.0.0/12",
        "192.0.0.0/24",  # another such place
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_NOT_PUBLIC_6 = tuple(
    ipaddress.IPv6Network(block)
    for block in (
        "2001::/23",  # tunnels and other things of the protocol's own
        "2001:db8::/32",
        "2002::/16",  # tunnels to addresses of version 4
        "3fff::/20",
    )
)


class Network(msgspec.Struct, frozen=True, kw_only=True):
    """What may be reached beside public addresses."""

    everything: bool = False
    hosts: frozenset[str] = frozenset()
    """Names, in lower case: wherever they lead."""
    blocks: tuple[Block, ...] = ()
    own_port: int | None = None
    """Where this process serves others: no tool reaches that, whatever else is allowed."""

    async def addresses(self, host: str, port: int) -> list[str]:
        """The addresses of a host that may be connected to, the best first.

        Raises:
            DeniedError: there is none among its addresses.
            InvalidError: it is a number that is no address as one writes them.
            NotDoneError: there is no such name, or nobody to ask.
        """
        host = host.rstrip(".").lower()
        if _NUMBERS.match(host) and not _is_address(host):
            raise InvalidError(f"The host {host!r} is not an address. Write it like 192.0.2.1.")
        found = await _resolve(host, port)
        if port == self.own_port:
            found = self._others(host, found)
        if self.everything or host in self.hosts:
            return found
        allowed = [text for text in found if self._allows(ipaddress.ip_address(_bare(text)))]
        if not allowed:
            what = f"{host} is at {found[0]}, which" if host != found[0] else host
            msg = (
                f"{what} is not a public address. Whoever runs the engine can allow it: "
                f"allow_private = [{host!r}] in the configuration, or --allow-private."
            )
            raise DeniedError(msg)
        return allowed

    def _others(self, host: str, found: list[str]) -> list[str]:
        others = [text for text in found if not _is_ours(_bare(text))]
        if not others:
            raise DeniedError(f"{host}:{self.own_port} is the service that runs this: no plan may.")
        return others

    def _allows(self, address: Address) -> bool:
        if any(address in block for block in self.blocks):
            return True
        return is_public(address)

    def plus(self, other: Network) -> Network:
        """What either of them allows."""
        return Network(
            everything=self.everything or other.everything,
            hosts=self.hosts | other.hosts,
            blocks=(*self.blocks, *other.blocks),
            own_port=self.own_port or other.own_port,
        )


def network_of(allowed: object) -> Network:
    """From a flag, or from names of hosts, addresses and blocks (`10.0.0.0/8`).

    Raises:
        ValueError: one of them is none of these.
    """
    if isinstance(allowed, Network):
        return allowed
    if isinstance(allowed, bool):
        return Network(everything=allowed)
    if isinstance(allowed, str) or not isinstance(allowed, Iterable):
        msg = "must be true, false, or a list of hosts and blocks of addresses"
        raise ValueError(msg)  # noqa: TRY004 -- as in all declarations
    hosts: set[str] = set()
    blocks: list[Block] = []
    for each in allowed:
        text = str(each).strip().lower().rstrip(".")
        try:
            blocks.append(ipaddress.ip_network(text))
        except ValueError as exc:
            if _NUMBERS.match(text) or not _NAME.match(text):
                msg = f"has {each!r}, which is no host ('localhost') and no block ('10.0.0.0/8')"
                raise ValueError(msg) from exc
            hosts.add(text)
    return Network(hosts=frozenset(hosts), blocks=tuple(blocks))


def _is_ours(address: str) -> bool:
    """Whether an address is one of this machine's: only those can be bound to."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as tried:
        try:
            tried.bind((address, 0))
        except OSError:
            return False
    return True


def is_public(address: Address) -> bool:
    """Whether it is somewhere on the internet, also when it is wrapped in another address."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in block for block in _NOT_PUBLIC_4)
    if address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if address in _NAT64:
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
    return address in _GLOBAL and not any(address in block for block in _NOT_PUBLIC_6)


async def _resolve(host: str, port: int) -> list[str]:
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as exc:
        raise NotDoneError(f"{host} cannot be reached: {exc.strerror}.") from exc
    except UnicodeError as exc:
        raise InvalidError(f"{host!r} is not the name of a host.") from exc
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _bare(address: str) -> str:
    """Without the zone of a link-local address."""
    return address.partition("%")[0]
