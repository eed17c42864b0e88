SEED ?= 1

.PHONY: run test mutants mutants-sample planted-faults planted-options histories honest chaos coverage analysis windows pipx pythons another-day long lock engine pages pictures vendor

run:
	python3 dev.py run

test:
	python3 dev.py test

mutants: ## mutation testing of the rules and the table, outside CI; goes on where it was stopped
	.venv/bin/python tests/mutation/workspace.py
	ulimit -v 6000000; PYTHONPATH=. .venv/bin/python tests/mutation/count.py all

mutants-sample: ## the same of 200 mutants of the table and 120 of the rules: make mutants-sample SEED=1
	.venv/bin/python tests/mutation/workspace.py
	ulimit -v 6000000; PYTHONPATH=. .venv/bin/python tests/mutation/count.py $(SEED)

planted-faults: ## 30 faults in the scripts of the pages, and the test that finds each; outside CI
	PYTHONPATH=. .venv/bin/python -m tests.javascript.planted_faults

planted-options: ## the contrary of each option that a paper states, and the test that finds it; outside CI
	PYTHONPATH=. .venv/bin/python -m tests.referee.profiles.planted_options

histories: ## tests of random histories, RUNS (10) times as many, and every request of the fuzzer
	GUINOTE_RUNS=$(or $(RUNS),10) .venv/bin/python -m pytest -n 2 -m "not page" \
	    $(shell grep -rlE 'long_runs|@given' tests --include='test_*.py')

honest: ## audits of thousands of honest histories: no difference in any; outside CI
	PYTHONPATH=. .venv/bin/python tests/referee/audit/logs/honest.py 3000

chaos: ## each fault of tests/chaos, a line each; views may take WITHIN (5) seconds; outside CI
	BAD_FOLDERS=all .venv/bin/python -m pytest -q -n 2 tests/api/server/test_bad_folders.py
	PYTHONPATH=. .venv/bin/python -m tests.chaos --within $(or $(WITHIN),5)

coverage: ## of the whole program, by all tests without a browser
	.venv/bin/python -m pytest -n 2 -m "not page" --cov=referee --cov=api --cov=projections --cov-report=
	.venv/bin/python -m coverage report --skip-covered --fail-under=88

analysis: ## ENDINGS (10000) others than those of the tests, each card by minimax; outside CI
	PYTHONPATH=. .venv/bin/python -m tests.referee.analysis.compare $(or $(ENDINGS),10000)

long: histories honest analysis windows pipx pythons planted-faults planted-options another-day coverage chaos ## what `make test` leaves out, and tests of pages in every language; outside CI
	GUINOTE_RUNS=2 .venv/bin/python -m pytest -n 2 -m page

windows: ## evenings from guinote-windows.zip under Wine, which root gets from the distribution; outside CI
	.venv/bin/python -m pytest -n 0 tests/wine/evening.py

pipx: ## the wheel as pipx installs it from PyPI, and the browser that `guinote` opens; outside CI
	.venv/bin/python -m pytest -n 0 tests/deploy/by_pipx.py

pythons: ## guinote-law on each Python of PYTHONS that uv finds or fetches; outside CI
	for one in $(or $(PYTHONS),3.11 3.12 3.13 3.14); do echo $$one; \
	    LIBRARY_PYTHON=$$one .venv/bin/python -m pytest -n 0 tests/deploy/test_library.py || exit 1; done

another-day: ## all tests as if it were another MOMENT, or the last minutes of a February in Spain; outside CI
	PYTHONPATH=. .venv/bin/python -m tests.support.faults.faulty_libc $(or $(MOMENT),2028-02-29T22:50Z) \
	    .venv/bin/python -m pytest -n 3 --dist=worksteal

engine: ## engine.wasm of the analysis with its hash, and the frozen nodes; needs clang-16 and lld-16
	PYTHONPATH=. .venv/bin/python -m tests.support.analysis.building
	PYTHONPATH=. .venv/bin/python -m tests.referee.analysis.freeze

lock: ## pins and hashes: all of pyproject.toml, those of a house alone, those of the documentation
	.boot/bin/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 \
	    --generate-hashes --no-header --no-annotate -q -o requirements.lock
	.boot/bin/uv pip compile pyproject.toml --extra postgres --extra analysis --universal --python-version 3.11 \
	    --generate-hashes --no-header --no-annotate -q -c requirements.lock -o deploy/requirements.lock
	.boot/bin/uv pip compile docs/site/requirements.in --universal --python-version 3.11 \
	    --generate-hashes --no-header --no-annotate -q -o docs/site/requirements.lock

pages: ## pages of docs/ that are generated, and pictures of the manual that grew old
	PYTHONPATH=. .venv/bin/python docs/generate_profiles.py
	PYTHONPATH=. .venv/bin/python docs/generate_records.py
	PYTHONPATH=. .venv/bin/python docs/generate_rules.py
	PYTHONPATH=. .venv/bin/python docs/generate_sentences.py
	PYTHONPATH=. .venv/bin/python docs/generate_rooms.py
	PYTHONPATH=. .venv/bin/python docs/generate_forgeries.py
	PYTHONPATH=. .venv/bin/python docs/run_notebook.py
	PYTHONPATH=. .venv/bin/python docs/draw_cards.py
	PYTHONPATH=. .venv/bin/python docs/draw_icons.py
	.venv/bin/python -m pytest -q -n 0 tests/api/help/test_tasks.py --renew-pictures

pictures: ## pictures of the README, from a server of their own in Chromium
	PYTHONPATH=. .venv/bin/python docs/take_pictures.py

vendor: ## the one file of libraries that pages use; needs npm, whoever runs the service does not
	cd docs/vendor && npm install --no-save --no-package-lock && npx esbuild ui.js --bundle --minify \
	    --format=esm --outfile=../../api/tablet/static/tablet/vendor/ui.js
