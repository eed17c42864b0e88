.PHONY: run test mutants histories honest long lock pages vendor

run:
	python3 dev.py run

test:
	python3 dev.py test

mutants: ## mutation testing of referee/rules, outside CI; goes on where it was stopped
	.venv/bin/python tests/support/mutation/mutation_workspace.py
	ulimit -v 4000000; cd mutants && CI=1 ../.venv/bin/mutmut run --max-children 1
	ulimit -v 4000000; .venv/bin/python tests/support/mutation/mutation_second_look.py
	PYTHONPATH=. .venv/bin/python tests/support/mutation/mutation_score.py

histories: ## the tests of evidence over fifty times as many deals; hours, outside CI
	GUINOTE_RUNS=50 .venv/bin/python -m pytest -n 2 tests/referee/table/test_evidence_deals.py \
	    tests/referee/table/test_evidence_worlds.py tests/referee/table/test_slips.py

honest: ## audits of thousands of honest histories: no difference in any; outside CI
	PYTHONPATH=. .venv/bin/python tests/support/records/honest.py 5000

long: ## tests of pages with everything in every language; outside CI
	GUINOTE_RUNS=2 .venv/bin/python -m pytest -n 2 -m page

lock: ## pins and hashes from pyproject.toml
	.boot/bin/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 \
	    --generate-hashes --no-header --no-annotate -q -o requirements.lock

pages: ## pages of docs/ that are generated
	PYTHONPATH=. .venv/bin/python docs/generate_profiles.py
	PYTHONPATH=. .venv/bin/python docs/generate_rules.py
	PYTHONPATH=. .venv/bin/python docs/generate_rooms.py
	PYTHONPATH=. .venv/bin/python docs/draw_cards.py
	PYTHONPATH=. .venv/bin/python docs/draw_icons.py

vendor: ## the one file of libraries that pages use; needs npm, whoever runs the service does not
	cd docs/vendor && npm install --no-save --no-package-lock && npx esbuild ui.js --bundle --minify \
	    --format=esm --outfile=../../api/tablet/static/tablet/vendor/ui.js
