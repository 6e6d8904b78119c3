"""Without JAX, importing the game says what to install."""

import subprocess
import sys


def test_a_missing_jax_is_one_sentence() -> None:
    """``sanssouci.jax`` names the extra if JAX is not installed."""
    code = "import sys; sys.modules['jax'] = None\nimport sanssouci.jax"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (
        done.stderr.splitlines()[-1]
        == "ImportError: sanssouci.jax needs JAX: pip install 'sanssouci-game[jax]'"
    )
