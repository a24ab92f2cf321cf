"""What each further delivered fact costs: the smallest budget that delivers it, and the step from the fact before."""

from __future__ import annotations

from collections.abc import Mapping

from tieout.instruments import InstrumentRefused, Rows, refuse_unknown
from tieout.instruments.description import Description
from tieout.instruments.retrieval_context import INPUTS, Study, needed_budget, read, settings

PARAMETERS = ("truncation", "preface_tokens")
DESCRIPTION = Description(
    title="Marginal cost of delivered facts",
    says="For each query, retriever and required fact: the smallest budget under which it is delivered, its place "
    "among the facts by that budget, and how many tokens more it took than the one before.",
    source="retrieval-recall",
    inputs=INPUTS,
    output={
        "query_id": "string, the query",
        "retriever": "string, the retriever",
        "fact_id": "string, the required fact",
        "needed_budget": "integer or null, smallest budget that delivers it; null where an item of it was not selected "
        "and no budget does",
        "place": "integer or null, its place from 1 as the budget grows, facts of one budget in order of their names",
        "marginal_tokens": "integer or null, tokens from the budget of the place before, for the first from 0",
    },
    parameters={
        "truncation": "string, cut (default) or whole, as of retrieval-recall",
        "preface_tokens": "integer, tokens before the first item, by default 0",
    },
)


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row a query, retriever and required fact, as DESCRIPTION says.

    Raises InstrumentRefused for an unknown parameter, a seed, and tables that contradict each other.
    """
    refuse_unknown(parameters, PARAMETERS)
    if seed is not None:
        raise InstrumentRefused("draws nothing at random: takes no seed")
    truncation, preface = settings(parameters)
    study = read(inputs, preface)
    return [
        row
        for query in study.queries
        for retriever in study.retrievers
        for row in _rows(study, query, retriever, truncation)
    ]


def _rows(study: Study, query: str, retriever: str, truncation: str) -> list[dict[str, object]]:
    blocks = study.blocks[query, retriever]
    needed = {
        fact: needed_budget(blocks, spans, truncation) for fact, spans in sorted(study.facts[query].items())
    }
    order = sorted((budget, fact) for fact, budget in needed.items() if budget is not None)
    before = [0, *(budget for budget, _ in order)]
    places = {fact: place for place, (_, fact) in enumerate(order, 1)}
    rows: list[dict[str, object]] = []
    for fact, budget in needed.items():
        place = places.get(fact)
        rows.append(
            {
                "query_id": query,
                "retriever": retriever,
                "fact_id": fact,
                "needed_budget": budget,
                "place": place,
                "marginal_tokens": None if budget is None or place is None else budget - before[place - 1],
            }
        )
    return rows
