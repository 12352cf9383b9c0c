"""Figures as files: complete or not there at all, and equal figures as equal bytes."""
import os

ENDINGS = (".png", ".svg", ".pdf")
STAMPS = {".png": "Software", ".svg": "Date", ".pdf": "CreationDate"}  # what would differ from time to time


def save(figure, target):
    """Writes a figure under a temporary name first; ValueError if the name has an ending that is none of ENDINGS."""
    import matplotlib

    if target.suffix not in ENDINGS:
        raise ValueError(f"{target}: a plot ends in {', '.join(ENDINGS)}")
    temporary = target.with_name(target.name + ".tmp")
    try:
        with matplotlib.rc_context({"svg.hashsalt": "talus"}):  # the same names inside each time
            figure.savefig(temporary, format=target.suffix[1:], dpi=110, bbox_inches="tight",
                           metadata={STAMPS[target.suffix]: None})
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
