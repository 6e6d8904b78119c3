"""Origins: strangers' pages stay outside, also where a stranger's name was made to point here."""

import pytest

from sanssouci.server.middleware.allowed_origins import AllowedOrigins, site

LOCAL = AllowedOrigins.of("127.0.0.1", 8017)
PUBLIC = AllowedOrigins.of("10.0.0.5", 8017, "https://play.example.org", ("https://garden.example:8443",))
OPEN = AllowedOrigins.of("0.0.0.0", 8017)

OWN = ["localhost:8017", "127.0.0.1:8017", "[::1]:8017", "LOCALHOST:8017"]
NOT_OWN = [
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


@pytest.mark.parametrize("host", OWN)
def test_a_server_knows_its_own_names(host: str) -> None:
    """And a page from there may ask it, by the name that it was loaded from."""
    assert LOCAL.allowed_host(host)
    assert LOCAL.allowed_origin(f"http://{host}", host)


@pytest.mark.parametrize("host", NOT_OWN)
def test_a_name_that_is_not_ours_is_refused_whatever_the_page_says(host: str | None) -> None:
    """DNS rebinding: origin and host agree, and are a stranger's."""
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
def test_a_strangers_page_is_refused(origin: str) -> None:
    """Also one that nearly looks like ours, or comes from another of our names."""
    assert not LOCAL.allowed_origin(origin, "localhost:8017")
    assert not LOCAL.allows(origin, "localhost:8017", cookie=False, changes=False)


def test_public_sites_are_ours_by_https_only() -> None:
    """A proxy may pass on its own name or ours; a page that came unprotected is a stranger's."""
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
def test_a_page_whose_site_contains_a_public_one_is_refused(origin: str) -> None:
    """A site is compared as a whole: a prefix or a suffix of it is another site."""
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
def test_bound_to_all_addresses_any_number_is_ours(host: str, own: bool) -> None:
    """But no name: only a name can be made to point here."""
    assert OPEN.allowed_host(host) is own
    assert OPEN.allowed_origin(f"http://{host}", host) is own


def test_the_port_of_http_is_not_written() -> None:
    """Browsers leave it out of host and origin."""
    plain = AllowedOrigins.of("::", 80)
    for host in ("localhost", "localhost:80", "192.0.2.7"):
        assert plain.allowed_host(host)
        assert plain.allowed_origin(f"http://{host.removesuffix(':80')}", host)


@pytest.mark.parametrize("changes", [False, True])
@pytest.mark.parametrize("cookie", [False, True])
def test_who_names_no_page_may_not_change_by_cookie(cookie: bool, changes: bool) -> None:
    """A program shows its token itself; a cookie is sent by a browser, whoever asked it to."""
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
def test_a_site_is_written_as_a_browser_does(text: str, found: str | None) -> None:
    """Small letters, no path, no port that goes without saying."""
    assert site(text) == found
