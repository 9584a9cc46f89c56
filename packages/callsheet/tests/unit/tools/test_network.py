"""Which addresses may be reached."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest

from callsheet.errors import DeniedError, NotDoneError
from callsheet.tools.outside.network import Network, is_public, network_of

PUBLIC = ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
INSIDE = {
    "loopback": ["127.0.0.1", "127.8.8.8", "::1"],
    "private": ["10.0.0.1", "172.16.0.1", "192.168.1.1", "fd12::1", "fec0::1"],
    "shared": ["100.64.0.1", "100.100.100.200"],
    "link-local": ["169.254.1.1", "fe80::1"],
    "metadata": ["169.254.169.254", "fd00:ec2::254", "168.63.129.16"],
    "multicast": ["224.0.0.1", "239.1.1.1", "ff02::1", "ff0e::1"],
    "reserved": ["240.0.0.1", "255.255.255.255", "192.0.2.1", "2001:db8::1", "198.18.0.1"],
    "nowhere": ["0.0.0.0", "0.1.2.3", "::"],
    "wrapped": ["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1"],
    "tunnels": ["2002:7f00:1::", "2001:0:1::1", "64:ff9b:1::1"],
}


@pytest.mark.requirement("E6")
@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.requirement("E6")
@pytest.mark.parametrize("address", [each for group in INSIDE.values() for each in group])
async def test_any_other_address_is_refused_and_may_be_allowed(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    with pytest.raises(DeniedError):
        await Network().addresses(address, 80)
    for allowed in ([address], True):
        assert await network_of(allowed).addresses(address, 80)


async def test_what_is_allowed_is_not_more_than_was_said() -> None:
    network = network_of(["10.0.0.0/8", "Intranet.example."])
    assert network.hosts == {"intranet.example"}
    assert await network.addresses("10.200.3.4", 80) == ["10.200.3.4"]
    for address in ("11.0.0.1", "192.168.0.1", "127.0.0.1"):
        if not is_public(ipaddress.ip_address(address)):
            with pytest.raises(DeniedError):
                await network.addresses(address, 80)
    both = network.plus(network_of(["127.0.0.1"]))
    assert await both.addresses("127.0.0.1", 80)
    assert await both.addresses("10.0.0.1", 80)
    with pytest.raises(DeniedError):
        await both.addresses("127.0.0.2", 80)


async def test_a_name_that_does_not_exist_was_not_reached() -> None:
    with pytest.raises(NotDoneError, match="cannot be reached"):
        await Network().addresses("no-such-host.invalid", 80)


@pytest.mark.parametrize(
    "wrong", ["10.0.0.0/8", 7, None, ["10.0.0.0/33"], ["a b"], ["0x7f.1"], [""]]
)
def test_what_is_neither_host_nor_block_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="block"):
        network_of(wrong)
