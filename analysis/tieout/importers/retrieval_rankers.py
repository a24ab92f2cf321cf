"""Two retrievers of other authors, run as they are: TF-IDF of scikit-learn and BM25 of bm25s, over the same words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

WORD = re.compile(r"\b\w\w+\b")
MILLIONTH = 10**6
BM25_METHOD, BM25_K1, BM25_B = "lucene", 1.5, 0.75  # the library's own defaults, written down


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranked:
    """A record's place; `score` is in millionths, rounded before ranking so that no last bit decides a place."""

    record: str
    score: int


Ranker = Callable[[str], list[Ranked]]
"""From a question to all records that share a word with it, best first; equal scores in order of the records' names."""


def words(text: str) -> list[str]:
    """The words that both retrievers see: lower case, two characters or more, no stop word of Lucene's list."""
    from bm25s.stopwords import STOPWORDS_EN

    return [word for word in WORD.findall(text.lower()) if word not in STOPWORDS_EN]


def tfidf(records: Mapping[str, str]) -> Ranker:
    """Cosine of TF-IDF vectors with scikit-learn's default weights."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(analyzer=words)
    matrix = vectorizer.fit_transform(records.values())

    def rank(question: str) -> list[Ranked]:
        cosines = (matrix @ vectorizer.transform([question]).T).toarray().ravel()
        return _ranked(list(records), cosines.tolist())

    return rank


def bm25(records: Mapping[str, str]) -> Ranker:
    """BM25 in Lucene's form, in double precision."""
    from bm25s import BM25

    index = BM25(method=BM25_METHOD, k1=BM25_K1, b=BM25_B, dtype="float64")
    index.index([words(text) for text in records.values()], show_progress=False)

    def rank(question: str) -> list[Ranked]:
        known = index.get_tokens_ids(words(question))
        scores = index.get_scores_from_ids(known).tolist() if known else [0.0] * len(records)
        return _ranked(list(records), scores)

    return rank


RANKERS: Mapping[str, Callable[[Mapping[str, str]], Ranker]] = {"bm25": bm25, "tfidf": tfidf}


def _ranked(names: Sequence[str], scores: Sequence[float]) -> list[Ranked]:
    ranked = [
        Ranked(record=name, score=round(score * MILLIONTH)) for name, score in zip(names, scores, strict=True)
    ]
    return sorted((one for one in ranked if one.score > 0), key=lambda one: (-one.score, one.record))
