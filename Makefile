# Two commands do everything on a fresh machine: `make play` and `make test`.
# They need Python 3.11 or newer with venv, and make; the rest they install into .venv themselves.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
NPM := $(BIN)/python hatch_build.py npm
WEB := $(shell find web -name node_modules -prune -o -type f -print)

.PHONY: help play test browser chromium lint pages types screenshots soak faults load speed bench strength package clean

help: ## say what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

play: .venv/for-play ## open the game in the browser; ARGS=--terminal for one in the terminal
	@$(BIN)/sanssouci $(if $(filter --terminal,$(ARGS)),play $(filter-out --terminal,$(ARGS)),$(ARGS))

test: lint chromium ## run every check and every test
	$(BIN)/python -c 'from sanssouci.kernel import JOBS, warm_up; [warm_up(job) for job in JOBS]'
	$(NPM) test --silent
	$(BIN)/python -m pytest --numprocesses auto

lint: .venv/for-test pages ## style, types, and the order of the rooms
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m sanssouci.server.description.document build/openapi.json
	@$(NPM) run --silent types:check || { echo "web/src/api/schema.d.ts is not what the server says; make types"; exit 1; }
	$(NPM) run --silent check

chromium:
	@{ command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	    { apt-get -qq update && \
	      apt-get -qq install --yes --no-install-recommends chromium fonts-liberation; } >/dev/null 2>&1; } || \
	  echo "there is no Chromium, and it cannot be installed here: the tests in tests/browser are left out"

pages: .venv/for-test ## build the pages of the browser game, if web/ has changed
	$(BIN)/python hatch_build.py

types: .venv/for-test ## write web/src/api/schema.d.ts anew, from what the server says of itself
	$(BIN)/python -m sanssouci.server.description.document build/openapi.json
	$(NPM) run --silent types

soak: .venv/for-test ## many more random games than `make test` plays
	SANSSOUCI_EXAMPLES=3000 $(BIN)/python -m pytest tests/rules/test_machine.py
	SANSSOUCI_GAMES=500000 $(BIN)/python -m pytest --numprocesses auto tests/kernel/test_equality.py

browser: .venv/for-test pages chromium ## play in a real browser: whole games, every screen, every language
	$(BIN)/python -m pytest --numprocesses auto tests/browser

screenshots: .venv/for-test pages chromium ## pictures of every screen, into build/screenshots
	@$(BIN)/python -m tests.browser.screenshots $(ARGS)

faults: .venv/for-test ## what may go wrong under the server, in full length; ARGS="kill disk" for some
	@$(BIN)/python -m tests.faults $(ARGS)

load: .venv/for-test ## the server under load, five minutes; ARGS=--soak for its memory, 25 minutes
	@$(BIN)/python -m benchmarks.load $(ARGS)

speed: .venv/for-test pages chromium ## the game in a browser: size, opening, clicks, frames, answers; ten minutes
	@$(BIN)/python -m benchmarks.browser $(ARGS)

bench: .venv/for-play ## how fast it is on this machine
	$(BIN)/sanssouci bench $(ARGS)

strength: .venv/for-play ## how strong the computer players are: 40 minutes on two cores, ARGS=--long for more
	$(BIN)/sanssouci strength $(ARGS)

package: .venv/for-test chromium ## build sdist and wheel, install the wheel alone, and use it
	rm -rf dist build/wheel-only
	$(BIN)/python -m build --outdir dist .
	$(PYTHON) -m venv build/wheel-only
	build/wheel-only/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt dist/*.whl
	cd build && wheel-only/bin/sanssouci simulate --games 3 --seed 1 --expansions rewards
	$(BIN)/python -m tests.packaged build/wheel-only/bin

clean: ## remove what was made
	rm -rf .venv build dist web/node_modules src/sanssouci/static .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Sanssouci needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv is missing; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@echo "setting up .venv (only the first time)"
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/for-play: .venv/made pyproject.toml constraints.txt hatch_build.py $(WEB)
	@echo "installing sanssouci into .venv, with the pages of the game built from web/"
	@$(PIP) --editable .
	@touch $@

.venv/for-test: .venv/made pyproject.toml constraints.txt hatch_build.py
	@echo "installing sanssouci and what its tests need into .venv"
	@$(PIP) --editable '.[dev]'
	@node=$$($(BIN)/python hatch_build.py needs) && { [ -z "$$node" ] || $(PIP) "$$node"; }
	@touch $@ .venv/for-play
