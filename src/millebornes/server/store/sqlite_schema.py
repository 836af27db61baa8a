"""The schema of the SQLite database, as a list of migrations."""

import apsw

from .store import StoreError

__all__ = ["MIGRATIONS", "migrate"]

MIGRATIONS = (
    """
    CREATE TABLE guests (id TEXT PRIMARY KEY, created INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE tokens (
        hash TEXT PRIMARY KEY, guest TEXT NOT NULL REFERENCES guests, created INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE tables (
        id TEXT PRIMARY KEY, game_id TEXT NOT NULL UNIQUE, created INTEGER NOT NULL,
        settings BLOB NOT NULL, rules_version INTEGER NOT NULL,
        closed INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;
    CREATE INDEX tables_running ON tables (closed, created);
    CREATE TABLE log (
        table_id TEXT NOT NULL REFERENCES tables, seq INTEGER NOT NULL,
        guest TEXT, now INTEGER NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) WITHOUT ROWID;
    CREATE TABLE members (
        guest TEXT NOT NULL, table_id TEXT NOT NULL REFERENCES tables, joined INTEGER NOT NULL,
        PRIMARY KEY (guest, table_id)
    ) WITHOUT ROWID;
    CREATE INDEX members_of ON members (table_id);
    CREATE TABLE games (
        id TEXT PRIMARY KEY, table_id TEXT NOT NULL, ended INTEGER NOT NULL,
        record TEXT NOT NULL, guests TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE players (
        guest TEXT NOT NULL, ended INTEGER NOT NULL, game_id TEXT NOT NULL REFERENCES games,
        PRIMARY KEY (guest, ended, game_id)
    ) WITHOUT ROWID;
    CREATE INDEX games_ended ON games (ended);
    CREATE INDEX players_of ON players (game_id);
    CREATE INDEX tokens_of ON tokens (guest);
    """,
    "ALTER TABLE games ADD COLUMN summary BLOB",
    """
    ALTER TABLE tokens ADD COLUMN label TEXT NOT NULL DEFAULT '';
    ALTER TABLE tokens ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
    UPDATE tokens SET seen = created;
    """,
    "CREATE INDEX members_newest ON members (guest, joined)",
)
"""Each migrates to the schema version of its position, from 1. Never change a released one."""


def migrate(connection: apsw.Connection) -> None:
    """Migrate the database to the newest schema, each step in its own transaction."""
    for number, step in enumerate(MIGRATIONS, start=1):
        connection.execute("BEGIN IMMEDIATE")  # another server may run the same migration
        try:
            if int(connection.pragma("user_version")) < number:
                connection.execute(step)
                connection.pragma("user_version", number)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    version = int(connection.pragma("user_version"))
    if version > len(MIGRATIONS):
        raise StoreError(f"it was created by a newer version of the program (schema {version})")
