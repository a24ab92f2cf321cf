"""The site: pages' numbers, tables and figures, and the engines that render them."""
