# make play    a card room on http://localhost:8080 (PORT= for another)
# make test    all tests
# make check   lint and types        make fix    what can be mended by itself
# make bench   figures               make clean  removes what the above have installed, and no data

.DELETE_ON_ERROR:
.PHONY: play test test-environment check check-client fix fix-client bench clean

PYTHON ?= $(firstword $(foreach each,python3 python3.14 python3.13 python3.12 python3.11,$(if $(call runs,$(each) -c 'import sys; assert sys.hexversion >= 0x30b0000'),$(each))))
export HEARTLINE_DATA_DIR ?= $(CURDIR)/.heartline

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Whether a command can be run.
runs = $(shell $(1) >/dev/null 2>&1 && echo yes)
# Stops with one line unless a command can be run.
need = $(if $(call runs,$(1)),,$(error $(2)))

play: $(VENV)/installed
	@exec $(BIN)/python -m server.commands.front $(BIN)/heartline serve $(if $(PORT),--port $(PORT))

test: test-environment
	@$(BIN)/pytest --numprocesses=auto --dist=worksteal $(TESTS)

test-environment: $(VENV)/installed-dev
	$(call need,command -v chromium,The tests drive a browser: install the package chromium)

check: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(if $(call runs,npm --version),@$(MAKE) --no-print-directory check-client,@echo "The client is not checked: that takes npm.")

check-client: client/node_modules/installed
	npm --prefix client run --silent check

fix: $(VENV)/installed-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(if $(call runs,npm --version),@$(MAKE) --no-print-directory fix-client)

fix-client: client/node_modules/installed
	npm --prefix client run --silent fix

bench: $(VENV)/installed-dev
	@$(BIN)/heartline bench

clean:
	rm -rf $(VENV) client/node_modules *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	$(if $(PYTHON),,$(error Heartline needs Python 3.11 or newer: install the package python3))
	$(call need,$(PYTHON) -c 'import ensurepip; import venv',Python cannot make environments: install the package python3-venv)
	@$(PYTHON) -m venv --clear $(VENV)

$(VENV)/installed: $(BIN)/python pyproject.toml setup.py constraints.txt
	$(call need,$(BIN)/python -m pip --version,Python cannot install packages: install the package python3-pip)
	@echo "Installing what the server needs into $(VENV) (once)."
	@$(PIP) --editable .
	@touch $@

$(VENV)/installed-dev: $(BIN)/python pyproject.toml setup.py constraints.txt
	$(call need,$(BIN)/python -m pip --version,Python cannot install packages: install the package python3-pip)
	@echo "Installing what tests and checks need into $(VENV) (once)."
	@$(PIP) --editable '.[dev]'
	@touch $(VENV)/installed $@

client/node_modules/installed: client/package-lock.json
	npm --prefix client ci --loglevel=error --no-audit --no-fund
	@touch $@
