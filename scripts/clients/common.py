"""What the trials of clients for Python share: steps, each of which says what it found."""

import base64
import inspect
import json
import os
import pathlib
import traceback

# The account and the addresses, as run.py hands them over.
GIVEN = json.loads(pathlib.Path(os.environ["CLIENTS_GIVEN"]).read_text())
# A picture of two colours, made by run.py.
PICTURE = base64.b64decode(GIVEN["picture"])


async def step(name, action):
    """Takes one step and prints what came of it; the value of a step that failed is None."""
    try:
        value = action()
        if inspect.isawaitable(value):
            value = await value
    except Exception as error:  # whatever a client raises is what it found
        if os.environ.get("CLIENTS_TRACE"):
            traceback.print_exc()
        print(f"DIFFERS {name}: {type(error).__name__}: {error}".splitlines()[0], flush=True)
        return None
    print(f"ok {name}", flush=True)
    return value


def same(found, wanted, what):
    """Fails unless the two are the same."""
    if found != wanted:
        raise AssertionError(f"{what} is {found!r}, not {wanted!r}")


async def refused(kind, action):
    """Makes a call that must be refused, and returns what the client made of the refusal."""
    try:
        value = action()
        if inspect.isawaitable(value):
            await value
    except kind as error:
        return error
    raise AssertionError("the call was not refused")
