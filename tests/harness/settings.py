"""Settings of test servers, with limits so high that only tests which set a limit reach it."""

from sanssouci.server.rate_limits import Limit, read_rates

_MANY = "1000000"
_RATES = ",".join(f"{limit}={_MANY}/minute" for limit in Limit)
RATES = read_rates(_RATES)
ENVIRONMENT = {
    "SANSSOUCI_WORKERS": "1",
    "SANSSOUCI_RATES": _RATES,
    "SANSSOUCI_ADDRESS_FACTOR": "1000",
    "SANSSOUCI_TABLES_PER_GUEST": _MANY,
    "SANSSOUCI_SEATS_PER_GUEST": _MANY,
    "SANSSOUCI_SOCKETS_PER_GUEST": "100000",
    "SANSSOUCI_SOCKETS_PER_ADDRESS": "100000",
    "SANSSOUCI_CONNECTIONS_PER_ADDRESS": "100000",
    "SANSSOUCI_MEGABYTES_PER_ADDRESS": _MANY,
    "PYTHONDONTWRITEBYTECODE": "",
}
"""For servers in separate processes. They may write bytecode, because an installed server has it too."""
