"""One page of each kind, and claims that between them show every part that a claim's page can have."""

from __future__ import annotations

CLAIMS = (
    "claims/part-ii/embedding-1600-multi-hop-accepted.html",
    "claims/part-i-tables/policies.selective.reduction.html",
    "claims/part-i-tables/retained.californication.ids.html",
    "claims/buffer-lab/program-sum.html",
    "claims/buffer-lab/position-matters.html",
)
KINDS = (
    "index.html",
    "part-ii.html",
    "part-i.html",
    "tau-bench.html",
    "buffer-lab.html",
    "retrieval-recall.html",
    "tiered-memory.html",
    "ledger.html",
    "audit.html",
    "artifacts.html",
    "method.html",
    "packages/album-memory-2.html",
    *CLAIMS,
)
