"""Checks that two programs print the same text and the same numbers. A number may differ by one in its last digit.

same_output.py PROGRAM [ARGUMENT ...] -- PROGRAM [ARGUMENT ...]
"""
import re
import subprocess
import sys
from decimal import Decimal

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?!\w)")


def output(command):
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f"exit status {run.returncode} of {' '.join(command)}")
    return run.stdout


def difference(first, second):
    """What is not the same, or None."""
    if NUMBER.sub("#", first).split() != NUMBER.sub("#", second).split():
        return "other text"
    for one, other in zip(map(Decimal, NUMBER.findall(first)), map(Decimal, NUMBER.findall(second))):
        if abs(one - other) > Decimal(1).scaleb(one.as_tuple().exponent):
            return f"{one} and {other}"
    return None if NUMBER.search(first) else "no numbers"


split = sys.argv.index("--")
first, second = output(sys.argv[1:split]), output(sys.argv[split + 1 :])
if reason := difference(first, second):
    sys.exit(f"not the same: {reason}\n{first}{second}")
