"""How the weights of the bots are made."""

from .contest import Contest, leads
from .cross_entropy import Cloud, average, next_cloud

__all__ = ["Cloud", "Contest", "average", "leads", "next_cloud"]
