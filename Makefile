# Two commands do everything on a fresh machine: `make play` and `make test`.
# They need Python 3.11 or newer with venv, and make; the rest they install into .venv themselves.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# The distribution was once called sanssouci; a .venv of that time still lists it.
FORMER := $(BIN)/python -m pip uninstall --quiet --yes sanssouci 2>/dev/null
NPM := $(BIN)/python hatch_build.py npm
WEB := $(shell find web -name node_modules -prune -o -type f -print)

# Every process of the tests would recompile its modules.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help play test announce vitest kernel lint chromium ray env jax learning spin databases pages types browser test-all exhaustive mutants coverage \
  screenshots faults load speed bench strength package requirements clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 13

play: .venv/for-play ## open the game in the browser; ARGS=--terminal plays in the terminal
	@$(BIN)/sanssouci $(if $(filter --terminal,$(ARGS)),play $(filter-out --terminal,$(ARGS)),$(ARGS))

# One more than there are cores: a test in a browser often waits for it.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

# Steps that do not depend on each other run two at a time; each prints its output when it is done.
STEPS := $(MAKE) --no-print-directory --jobs 2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

# Tests in a browser are among those that ARGS chooses if it names them, or names no folder: ARGS="-k clock".
IN_BROWSER := $(or $(findstring tests/browser,$(ARGS)),$(if $(findstring tests/,$(ARGS)),,any))

ifdef ARGS
test: .venv/for-test $(if $(IN_BROWSER),pages chromium)
	$(BIN)/python -m pytest $(ARGS)
else
test: announce .venv/for-test ## run all checks and tests; ARGS=tests/rules for some tests only
	@$(STEPS) lint kernel vitest chromium
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal --durations=10 --durations-min=3
	@echo "Everything passed."
endif

announce:
	@echo "On two cores:"
	@echo "1. install what is missing into .venv: 1 to 2 minutes the first time"
	@echo "2. lint, compile the kernel, build the pages, install Chromium if it is missing; vitest: 1 minute"
	@echo "3. pytest in $(WORKERS) processes, a third of it in a real browser: about 13 minutes"

kernel: .venv/for-test
	@echo "compiling the kernel, where it is not compiled yet"
	@$(BIN)/python -c 'import sanssouci.env.vector_games, sanssouci.network; from sanssouci.kernel import COMPILE_UNITS, precompile; [precompile(unit) for unit in COMPILE_UNITS]'

vitest: pages
	$(NPM) test --silent

test-all: test exhaustive ## release check: make test, then everything that takes hours

exhaustive: .venv/for-test pages chromium ray env jax learning spin databases ## full fault tests, every screen in every combination, mutants; SHARE=3/10 for a share
	@$(BIN)/python -m tests.exhaustive --share "$(or $(SHARE),1/1)"

coverage: .venv/for-test pages chromium ## line and branch coverage of Python and TypeScript
	$(BIN)/python -m coverage erase
	-$(BIN)/python -m coverage run -m pytest --numprocesses $(WORKERS) --dist worksteal $(ARGS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report --skip-covered --skip-empty
	$(NPM) test --silent -- --coverage

lint: .venv/for-test pages ## lint, types, import contracts, requirements*.txt
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.requirements
	$(BIN)/python -m sanssouci.server.wire.openapi_file build/openapi.json
	@$(NPM) run --silent types:check || { echo "web/src/net/schema.d.ts is out of date; run make types"; exit 1; }
	$(NPM) run --silent check

# The headless shell is smaller and twice as fast as the whole browser; where there is no package for it, the full browser is used.
chromium:
	@{ command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || \
	   command -v google-chrome; } >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "installing Chromium" && apt-get -qq update && \
	    for browser in chromium-headless-shell chromium; do \
	      apt-get -qq install --yes --no-install-recommends $$browser fonts-liberation && break; \
	    done; } >/dev/null 2>&1 || \
	  echo "Chromium is missing and cannot be installed here: the tests in tests/browser are skipped"

# 80 MB, and not for every Python, so it is not among the packages that all tests need.
ray: .venv/for-test
	@$(BIN)/python -c 'import ray' 2>/dev/null || { echo "installing Ray"; $(PIP) 'ray[client]' 2>/dev/null; } || \
	  echo "Ray cannot be installed here: the tests in tests/arena/test_ray.py are skipped"

# Some of it has no wheel for some Pythons, so it is not among the packages that all tests need.
env: .venv/for-test
	@$(BIN)/python -c 'import gymnasium, pettingzoo, pyspiel' 2>/dev/null || \
	  { echo "installing PettingZoo, Gymnasium and OpenSpiel"; $(PIP) gymnasium pettingzoo open-spiel 2>/dev/null; } || \
	  echo "PettingZoo, Gymnasium or OpenSpiel cannot be installed here: some tests in tests/env are skipped"
	@$(BIN)/python -c 'import duckdb, polars' 2>/dev/null || \
	  { echo "installing DuckDB and polars"; $(PIP) duckdb polars 2>/dev/null; } || \
	  echo "DuckDB or polars cannot be installed here: two tests in tests/env/test_docs.py are skipped"

# 200 MB with SciPy.
jax: .venv/for-test
	@$(BIN)/python -c 'import jax' 2>/dev/null || { echo "installing JAX"; $(PIP) jax 2>/dev/null; } || \
	  echo "JAX cannot be installed here: the tests in tests/jax are skipped"

# 750 MB, or several GB where PyPI's build for CUDA is chosen, so it is not among the packages that all tests need.
learning: .venv/for-test
	@$(BIN)/python -c 'import torch' 2>/dev/null || { echo "installing PyTorch"; $(PIP) torch 2>/dev/null; } || \
	  echo "PyTorch cannot be installed here: the tests in tests/learning/test_run.py are skipped"

spin:
	@command -v spin >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "installing spin" && \
	    apt-get -qq install --yes --no-install-recommends spin gcc libc6-dev; } >/dev/null 2>&1 || \
	  echo "spin is missing and cannot be installed here: tests/store/test_commit_model.py is skipped"

# Only their programs: tests start servers of their own.
databases:
	@{ command -v redis-server && ls /usr/lib/postgresql/*/bin/postgres; } >/dev/null 2>&1 || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "installing PostgreSQL and Redis" && apt-get -qq update && \
	    apt-get -qq install --yes --no-install-recommends postgresql redis-server >/dev/null 2>&1; } || \
	  echo "PostgreSQL or Redis is missing and cannot be installed here: some tests in tests/cluster are skipped"

pages: .venv/for-test ## build the web pages if web/ has changed
	$(BIN)/python hatch_build.py

types: .venv/for-test ## regenerate web/src/net/schema.d.ts from the server's OpenAPI document
	$(BIN)/python -m sanssouci.server.wire.openapi_file build/openapi.json
	$(NPM) run --silent types

browser: .venv/for-test pages chromium ## browser tests: whole games, every screen, every language
	$(BIN)/python -m pytest --numprocesses auto tests/browser

screenshots: .venv/for-test pages chromium ## screenshots of every screen, into build/screenshots
	@$(BIN)/python -m tests.browser.screenshots $(ARGS)

faults: .venv/for-test ## full fault tests of the server; ARGS="kill disk" for some
	@$(BIN)/python -m tests.faults $(ARGS)

mutants: .venv/for-test chromium ## plant known faults one at a time; tests must catch each; ARGS="--area store" for some
	@$(BIN)/python -m tests.mutants $(ARGS)

load: .venv/for-test ## load test of the server, 5 minutes; ARGS=--soak for memory growth, 25 minutes
	@$(BIN)/python -m benchmarks.load $(ARGS)

speed: .venv/for-test pages chromium ## browser performance: size, load time, clicks, frames; 10 minutes
	@$(BIN)/python -m benchmarks.browser $(ARGS)

bench: .venv/for-play ## speed of the rules and the kernel on this machine
	$(BIN)/sanssouci bench $(ARGS)

strength: .venv/for-play ## strength of the computer players: two to three hours on two cores; ARGS=--long for more
	$(BIN)/sanssouci strength $(ARGS)

package: .venv/for-test chromium ## build sdist and wheel, install the wheel on its own and use it
	rm -rf dist build/wheel-only
	SANSSOUCI_PINNED_NODE=1 $(BIN)/python -m build --outdir dist .
	$(PYTHON) -m venv build/wheel-only
	build/wheel-only/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.txt
	build/wheel-only/bin/python -m pip install --quiet --disable-pip-version-check --no-deps dist/*.whl
	cd build && wheel-only/bin/sanssouci simulate --games 3 --seed 1 --expansions rewards
	$(BIN)/python -m tests.packaged build/wheel-only/bin

# For every platform and every Python that pyproject.toml allows; the index is the one that uv is configured for.
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
  --annotation-style line --custom-compile-command "make requirements" --constraint constraints.txt
requirements: .venv/for-test ## write requirements*.txt after changing pyproject.toml or constraints.txt; needs the network
	$(PIP) uv
	$(COMPILE) --output-file requirements.txt pyproject.toml
	$(COMPILE) --extra cluster --output-file requirements-cluster.txt pyproject.toml

clean: ## remove build output
	rm -rf .venv build dist sbom web/node_modules src/sanssouci/static .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

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
	@$(FORMER)
	@$(PIP) --editable .
	@touch $@

.venv/for-test: .venv/made pyproject.toml constraints.txt hatch_build.py
	@echo "installing sanssouci and what its tests need into .venv"
	@$(FORMER)
	@$(PIP) --editable '.[dev]'
	@node=$$($(BIN)/python hatch_build.py needs) && { [ -z "$$node" ] || $(PIP) "$$node"; }
	@touch $@ .venv/for-play
