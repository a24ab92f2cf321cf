"""The engine that needs nothing but Python packages: jupytext, kernels, Pandoc, templates."""
