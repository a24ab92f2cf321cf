"""The engine that needs nothing but Python packages: jupytext, one kernel, Pandoc, templates."""
