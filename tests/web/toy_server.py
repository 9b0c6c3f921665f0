"""`signet serve` with the tests' own ruleset among its rules; under TOY_SERVER_LOUD every log is as verbose as it can
be made.
"""

import logging
import os
import sys

import app.rulesets
from tests.toy import TOY

LIBRARIES = ("sqlalchemy.engine", "sqlalchemy.pool", "psycopg", "python_multipart", "fastapi", "starlette", "jinja2")


def main(port: str) -> None:
    if "TOY_SERVER_LOUD" in os.environ:
        loud = logging.StreamHandler(sys.stderr)  # what the house's own log would leave out: each statement, each row
        for name in LIBRARIES:
            logging.getLogger(name).setLevel(logging.DEBUG)
            logging.getLogger(name).addHandler(loud)
        logging.getLogger("signet").setLevel(logging.DEBUG)
    app.rulesets.RULESETS = (*app.rulesets.RULESETS, TOY)
    from app.cli import cli

    cli(["serve", "--port", port])


if __name__ == "__main__":
    main(sys.argv[1])
