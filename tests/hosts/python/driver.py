"""Answers the cases of tests/hosts over stdin and stdout, a line of JSON each; the host is claim_check.py."""

import json
import sys
import time

from wasmtime.component import Variant

from claim_check import ClaimCheck, Shelf, record


class Expiring(Shelf):
    """A shelf whose claims expire, and which fails when it is told to."""

    def __init__(self):
        super().__init__()
        self.expiries, self.broken = {}, None

    def put(self, store, scope, handle, claim, ttl_seconds):
        if self.broken == "raises":
            raise RuntimeError("the database has gone away")
        if self.broken:
            return Variant(self.broken, "the database has gone away")
        super().put(store, scope, handle, claim, ttl_seconds)
        self.expiries[scope.tenant, scope.run, handle] = time.monotonic() + ttl_seconds

    def fetch(self, store, scope, handle, first_page, page_count):
        if self.expiries.get((scope.tenant, scope.run, handle), 0) <= time.monotonic():
            return Variant("not-found")
        return super().fetch(store, scope, handle, first_page, page_count)


def settings(keep):
    policy = record(threshold_chars=4096, head_chars=512, tail_chars=0, ttl_seconds=keep)
    return record(
        policy=policy, per_tool=[], fetch_tool="fetch_result", find_tool="find_in_result", window_chars=4096, neutralise=True
    )


def gone(error):
    """Whether a fetch-error says that there is nothing to read."""
    return isinstance(error, Variant) and error.tag == "claim-unavailable"


class Driver:
    def __init__(self, path):
        self.path, self.shelf = path, Expiring()
        self.restart()

    def restart(self):
        self.claims = ClaimCheck(self.path, self.shelf)

    def check_in(self, run, content, keep):
        made = self.claims.call("check-in", "check-in", settings(keep), record(tenant="acme", run=run), "tool", content)
        if isinstance(made, Variant):
            return {"refused": made.tag, "why": getattr(made.payload, "tag", None)}
        return {"handle": made.handle} if hasattr(made, "handle") else {"refused": "carried"}

    def fetch(self, run, handle, offset):
        window = self.claims.call("fetch", "fetch", record(tenant="acme", run=run), handle, offset, 0)
        if isinstance(window, Variant):
            return {"gone": gone(window), "why": window.tag}
        return {"text": window.text, "next": getattr(window, "next-offset")}

    def find(self, run, handle, text):
        finding = self.claims.call("fetch", "find", record(tenant="acme", run=run), handle, text, 0, 0)
        if not hasattr(finding, "matches"):
            return {"gone": gone(finding) or gone(getattr(finding, "payload", None))}
        return {"offsets": [match.offset for match in finding.matches]}

    def forget(self, run):
        return {"forgotten": self.claims.call("forget", "forget", record(tenant="acme", run=run))}

    def break_store(self, how):
        self.shelf.broken = how
        return {}

    def bench(self, content, times):
        """The fastest check-in, in milliseconds."""
        took = []
        for number in range(times):
            begin = time.perf_counter()
            self.check_in(f"bench {number}", content, 60)
            took.append((time.perf_counter() - begin) * 1000)
        return {"ms": min(took)}


def main():
    driver = Driver(sys.argv[1])
    for line in sys.stdin:
        call = json.loads(line)
        try:
            answer = getattr(driver, call.pop("call"))(**call) or {}
        except Exception as error:  # whatever it is, the other side has to see it
            answer = {"raised": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


main()
