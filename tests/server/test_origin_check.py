"""Origin checks: pages of other sites are refused, also with DNS rebinding."""

import pytest

from sanssouci.server.middleware.origin_check import AllowedOrigins, site

LOCAL = AllowedOrigins.of("127.0.0.1", 8017)
PUBLIC = AllowedOrigins.of("10.0.0.5", 8017, "https://play.example.org", ("https://garden.example:8443",))
OPEN = AllowedOrigins.of("0.0.0.0", 8017)

OWN_HOSTS = ["localhost:8017", "127.0.0.1:8017", "[::1]:8017", "LOCALHOST:8017"]
FOREIGN_HOSTS = [
    None,
    "",
    "localhost",
    "localhost:8018",
    "localhost:80170",
    "localhost.:8017",
    "evil.example:8017",
    "127.0.0.1.evil.example:8017",
    "192.168.1.5:8017",
    "localhost:8017, evil.example",
    "localhost:8017@evil.example",
    "[::1:8017",
    "[::2]:8017",
    "localhost:",
]


@pytest.mark.parametrize("host", OWN_HOSTS)
def test_own_hosts_are_allowed(host: str) -> None:
    """Own hosts are allowed, and so are origins with the same host."""
    assert LOCAL.allowed_host(host)
    assert LOCAL.allowed_origin(f"http://{host}", host)


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_foreign_hosts_are_refused(host: str | None) -> None:
    """A foreign host is refused even if the origin agrees with it, as with DNS rebinding."""
    assert not LOCAL.allowed_host(host)
    assert not LOCAL.allowed_origin(f"http://{host}", host)
    assert not LOCAL.allows(f"http://{host}", host, cookie=False, changes=False)
    assert not LOCAL.allows(None, host, cookie=False, changes=False)


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://evil.example",
        "http://localhost:8018",
        "http://localhost",
        "https://localhost:8017",
        "http://127.0.0.1:8017",
        "http://localhost:8017/",
        "http://localhost:8017.evil.example",
        "http://evil.example#http://localhost:8017",
        "http://user@localhost:8017",
        "http://localhost:8017, http://evil.example",
        "ws://localhost:8017",
        "file://",
    ],
)
def test_foreign_origins_are_refused(origin: str) -> None:
    """Foreign origins are refused, also similar ones and those of another own name."""
    assert not LOCAL.allowed_origin(origin, "localhost:8017")
    assert not LOCAL.allows(origin, "localhost:8017", cookie=False, changes=False)


def test_public_sites_need_https() -> None:
    """Public sites are allowed origins by HTTPS only, with any own host."""
    for host in ("play.example.org", "garden.example:8443", "10.0.0.5:8017", "localhost:8017"):
        assert PUBLIC.allowed_host(host)
        assert PUBLIC.allowed_origin("https://play.example.org", host)
        assert PUBLIC.allowed_origin("https://garden.example:8443", host)
        assert not PUBLIC.allowed_origin("http://play.example.org", host)
    assert PUBLIC.allowed_origin("https://play.example.org:443", "play.example.org:443")
    assert not PUBLIC.allowed_host("play.example.org:8443")
    assert not PUBLIC.allowed_host("garden.example")


@pytest.mark.parametrize(
    "origin",
    [
        "https://play.example.org.evil.example",
        "https://play.example.org:8443",
        "https://evil.play.example.org",
        "https://evil-play.example.org",
        "https://garden.example",
    ],
)
def test_origins_that_contain_a_public_site_are_refused(origin: str) -> None:
    """Sites are compared as a whole, not by prefix or suffix."""
    assert not PUBLIC.allowed_origin(origin, "play.example.org")
    assert not PUBLIC.allows(origin, "play.example.org", cookie=True, changes=True)


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("192.168.1.5:8017", True),
        ("[2001:db8::1]:8017", True),
        ("192.168.1.5:8018", False),
        ("192.168.1.5", False),
        ("box.local:8017", False),
    ],
)
def test_bound_to_all_addresses_any_ip_is_allowed(host: str, own: bool) -> None:
    """Bound to all addresses, any IP address is an own host, but no other name."""
    assert OPEN.allowed_host(host) is own
    assert OPEN.allowed_origin(f"http://{host}", host) is own


def test_the_default_port_may_be_omitted() -> None:
    """Port 80 may be missing from host and origin."""
    plain = AllowedOrigins.of("::", 80)
    for host in ("localhost", "localhost:80", "192.0.2.7"):
        assert plain.allowed_host(host)
        assert plain.allowed_origin(f"http://{host.removesuffix(':80')}", host)


@pytest.mark.parametrize("changes", [False, True])
@pytest.mark.parametrize("cookie", [False, True])
def test_changes_by_cookie_need_an_origin(cookie: bool, changes: bool) -> None:
    """Without an Origin header, only changes by cookie are refused."""
    assert LOCAL.allows(None, "localhost:8017", cookie=cookie, changes=changes) is not (cookie and changes)
    assert LOCAL.allows("http://localhost:8017", "localhost:8017", cookie=cookie, changes=changes)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("HTTPS://Play.Example.org:443", "https://play.example.org"),
        ("http://[::1]:8017", "http://[::1]:8017"),
        ("http://a:0", None),
        ("http://a:65536", None),
        ("http://a/b", None),
        ("https://ä.example", None),
        ("play.example.org", None),
    ],
)
def test_site_normalisation(text: str, found: str | None) -> None:
    """A site is lower case, without default port, and invalid with a path."""
    assert site(text) == found
