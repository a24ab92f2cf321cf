"""Static reproducibility reports: printed numbers tied to frozen receipts."""

__version__ = "0.1.0"
