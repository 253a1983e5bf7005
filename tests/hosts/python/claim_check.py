"""The claim check in Python, over a store of your own. Needs the package `wasmtime`."""

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, Variant

CONTRACT = "claim-check:tool-results/%s@0.1.0"


def record(**fields):
    made = Record()
    made.__dict__.update({name.replace("_", "-"): value for name, value in fields.items()})
    return made


class Shelf:  # yours: a table, a bucket, a folder
    def __init__(self):
        self.claims = {}

    def put(self, _, scope, handle, claim, ttl_seconds):
        self.claims[scope.tenant, scope.run, handle] = claim

    def fetch(self, _, scope, handle, first_page, page_count):
        claim = self.claims.get((scope.tenant, scope.run, handle))
        if claim is None:
            return Variant("not-found")
        return record(manifest=claim.manifest, pages=claim.pages[first_page : first_page + page_count])

    def forget(self, _, what):  # a tenant's name, or the scope of one run
        covered = [key for key in self.claims if what == key[0] or getattr(what, "run", 0) == key[1] and what.tenant == key[0]]
        return len([self.claims.pop(key) for key in covered])


class ClaimCheck:
    def __init__(self, path, shelf):
        self.store = Store(Engine())
        linker = Linker(self.store.engine)
        with linker.root() as root, root.add_instance(CONTRACT % "store") as store:
            for name in ["put", "fetch", "forget"]:
                store.add_func(name, getattr(shelf, name))
        self.instance = linker.instantiate(self.store, Component.from_file(self.store.engine, path))

    def call(self, interface, function, *arguments):
        interface = self.instance.get_export_index(self.store, CONTRACT % interface)
        function = self.instance.get_export_index(self.store, function, interface)
        return self.instance.get_func(self.store, function)(self.store, *arguments)
