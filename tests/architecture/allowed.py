"""A contract for `lint-imports`: of a package, only these modules are imported.

What is not named is forbidden, also what is added later. `lint-imports` finds this module because
it begins at the root of the repository, which is on its path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from importlinter import Contract, ContractCheck, fields, output
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grimp import ImportGraph

BELOW = ".*"


class AllowedContract(Contract):
    """`importers` import from `package` only what stands in `allowed`.

    A name that ends in `.*` stands for the module and for all that is below it. What is imported
    within `importers` is their own affair, and so is what allowed modules import.
    """

    importers = fields.ListField(subfield=fields.StringField())
    package = fields.StringField()
    allowed = fields.ListField(subfield=fields.StringField())

    @override
    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        broken = sorted(self._broken(graph))
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def _broken(self, graph: ImportGraph) -> Iterator[tuple[str, int, str]]:
        # The library's descriptors turn into values, which no type checker knows.
        package = cast("str", self.package)
        own = [f"{name}{BELOW}" for name in cast("list[str]", self.importers)]
        allowed = [*own, *cast("list[str]", self.allowed)]
        for importer in sorted(name for name in graph.modules if _is_one_of(name, own)):
            for imported in graph.find_modules_directly_imported_by(importer):
                if _is_one_of(imported, [f"{package}{BELOW}"]) and not _is_one_of(
                    imported, allowed
                ):
                    found = graph.get_import_details(importer=importer, imported=imported)
                    for each in found:
                        yield importer, each["line_number"], imported

    @override
    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, line, imported in check.metadata["broken"]:
            output.print_error(f"- {importer}:{line} imports {imported}", bold=False)
        allowed = ", ".join(cast("list[str]", self.allowed)) or "nothing"
        output.print_error(f"Of {self.package}, it may import: {allowed}.", bold=False)
        output.new_line()


def _is_one_of(name: str, allowed: list[str]) -> bool:
    for each in allowed:
        whole = each.removesuffix(BELOW)
        if name == whole or (each.endswith(BELOW) and name.startswith(f"{whole}.")):
            return True
    return False
