"""Time of the verifier in a real browser: a whole proof, from its bytes to what is shown.

``python -m benchmarks.pages.verifier`` prints a line.
"""

from __future__ import annotations

import json

from tests.api.audit.corpus.proofs import KEY, proof_of, written
from tests.support.browser.in_browser import bring, opened, running

TIMES = 20
TIMED = """async (times) => {
  const key = document.getElementById("key");
  const taken = [];
  for (let n = 0; n < times; n += 1) {
    const begun = performance.now();
    key.dispatchEvent(new Event("input"));
    taken.push(performance.now() - begun);
  }
  return taken.sort((one, other) => one - other)[Math.floor(times / 2)];
}"""


def main() -> None:
    """Bring a proof, and time how long each further look at it takes."""
    content = written(proof_of())
    events = len(json.loads(content)["events"])
    with running() as browser, opened(browser, offline=True) as page:
        bring(page, content, KEY.public.text)
        median = page.evaluate(TIMED, TIMES)
    print(f"{events} events, {len(content):,} bytes: {median:.0f} ms")


if __name__ == "__main__":
    main()
