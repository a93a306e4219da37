"""uma: adjudicates the race scenes of a fan-made tabletop game, one race file at a time."""

__version__ = "0.1.0"
