-- The tables of a new database; an older one is migrated to the same, and a test compares the two.
--
-- `journal` is the truth; `runs`, `artifact_uses`, `cache` and `reservations` are indexes derived
-- from it, changed in the same transaction. Times are ISO 8601 text in UTC, as in journals, so that
-- no driver has a say in them. VARCHAR is for names and ids, TEXT for everything else.
--
-- This is SQLite's spelling. PostgreSQL knows no WITHOUT ROWID, and would sort names as a language
-- does, where we sort by code point: there a VARCHAR has COLLATE "C" (see `statements.py`).
-- What differs more than that is written twice, the second time for `(postgresql)` only.

-- name: journal
-- The primary key is the clustered order: the entries of a run lie together, and run ids sort by
-- the time of the start, so new runs land at the end, however many old ones there are.
CREATE TABLE journal (
    run VARCHAR NOT NULL,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    position BIGINT DEFAULT 0 NOT NULL,
    CONSTRAINT pk_journal PRIMARY KEY (run, seq)
) WITHOUT ROWID;

-- name: ux_journal_position
CREATE UNIQUE INDEX ux_journal_position ON journal (position);

-- name: positions
-- The last position that was given in the order over all runs; never given again.
CREATE TABLE positions (
    name VARCHAR NOT NULL,
    last BIGINT NOT NULL,
    CONSTRAINT pk_positions PRIMARY KEY (name)
) WITHOUT ROWID;

-- name: runs
CREATE TABLE runs (
    run VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    "plan" VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    tenant VARCHAR NOT NULL,
    "key" VARCHAR,
    started_at VARCHAR NOT NULL,
    ended VARCHAR,
    ended_at VARCHAR,
    subject VARCHAR,
    parent VARCHAR,
    root VARCHAR,
    owner BIGINT,
    CONSTRAINT pk_runs PRIMARY KEY (run)
) WITHOUT ROWID;

-- name: ux_runs_tenant_key
CREATE UNIQUE INDEX ux_runs_tenant_key ON runs (tenant, "key") WHERE key IS NOT NULL;

-- name: ix_runs_subject
CREATE INDEX ix_runs_subject ON runs (subject, run) WHERE subject IS NOT NULL;

-- name: ix_runs_tenant
CREATE INDEX ix_runs_tenant ON runs (tenant, run);

-- name: ix_runs_open
CREATE INDEX ix_runs_open ON runs (run) WHERE ended IS NULL;

-- name: inbox
-- Without AUTOINCREMENT SQLite would give the number of a deleted last row again: order would lie.
CREATE TABLE inbox (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id VARCHAR NOT NULL,
    run VARCHAR NOT NULL,
    body TEXT NOT NULL,
    settled TEXT,
    CONSTRAINT uq_inbox_id UNIQUE (id)
);

-- name: inbox (postgresql)
CREATE TABLE inbox (
    seq SERIAL NOT NULL,
    id VARCHAR NOT NULL,
    run VARCHAR NOT NULL,
    body TEXT NOT NULL,
    settled TEXT,
    CONSTRAINT pk_inbox PRIMARY KEY (seq),
    CONSTRAINT uq_inbox_id UNIQUE (id)
);

-- name: ix_inbox_pending
CREATE INDEX ix_inbox_pending ON inbox (seq) WHERE settled IS NULL;

-- name: ix_inbox_run
CREATE INDEX ix_inbox_run ON inbox (run);

-- name: plans
CREATE TABLE plans (
    name VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    digest VARCHAR NOT NULL,
    body TEXT NOT NULL,
    saved_at VARCHAR NOT NULL,
    tenant VARCHAR NOT NULL,
    CONSTRAINT pk_plans PRIMARY KEY (tenant, name, version)
) WITHOUT ROWID;

-- name: artifact_uses
-- Which entries name which artifacts. Clustered by artifact: the question is where one occurs.
CREATE TABLE artifact_uses (
    digest VARCHAR NOT NULL,
    run VARCHAR NOT NULL,
    seq INTEGER NOT NULL,
    step VARCHAR NOT NULL,
    role VARCHAR NOT NULL,
    CONSTRAINT pk_artifact_uses PRIMARY KEY (digest, run, seq, role)
) WITHOUT ROWID;

-- name: ix_artifact_uses_run
CREATE INDEX ix_artifact_uses_run ON artifact_uses (run, seq, role, digest);

-- name: uploads
-- Who has put which artifacts, beside those that runs and context items name.
CREATE TABLE uploads (
    digest VARCHAR NOT NULL,
    tenant VARCHAR NOT NULL,
    at VARCHAR NOT NULL,
    CONSTRAINT pk_uploads PRIMARY KEY (digest, tenant)
) WITHOUT ROWID;

-- name: cache
-- Calls that may serve again; the youngest of a key is the last of its rows.
CREATE TABLE cache (
    "key" VARCHAR NOT NULL,
    at VARCHAR NOT NULL,
    run VARCHAR NOT NULL,
    seq INTEGER NOT NULL,
    step VARCHAR NOT NULL,
    CONSTRAINT pk_cache PRIMARY KEY ("key", at, run, seq)
) WITHOUT ROWID;

-- name: ix_cache_run
CREATE INDEX ix_cache_run ON cache (run);

-- name: accounts
-- USD and credits in billionths, tokens one by one: whole numbers add up.
CREATE TABLE accounts (
    tenant VARCHAR NOT NULL,
    granted_usd BIGINT NOT NULL,
    granted_credits BIGINT NOT NULL,
    granted_tokens BIGINT NOT NULL,
    available_usd BIGINT NOT NULL,
    available_credits BIGINT NOT NULL,
    available_tokens BIGINT NOT NULL,
    reserved_usd BIGINT NOT NULL,
    reserved_credits BIGINT NOT NULL,
    reserved_tokens BIGINT NOT NULL,
    spent_usd BIGINT NOT NULL,
    spent_credits BIGINT NOT NULL,
    spent_tokens BIGINT NOT NULL,
    postings BIGINT NOT NULL,
    posted_at VARCHAR NOT NULL,
    CONSTRAINT pk_accounts PRIMARY KEY (tenant)
) WITHOUT ROWID;

-- name: postings
CREATE TABLE postings (
    tenant VARCHAR NOT NULL,
    number BIGINT NOT NULL,
    at VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    usd BIGINT NOT NULL,
    credits BIGINT NOT NULL,
    tokens BIGINT NOT NULL,
    run VARCHAR,
    note TEXT NOT NULL,
    "by" VARCHAR,
    CONSTRAINT pk_postings PRIMARY KEY (tenant, number)
) WITHOUT ROWID;

-- name: reservations
-- What runs that are kept hold of their tenants' accounts, and have been charged.
CREATE TABLE reservations (
    run VARCHAR NOT NULL,
    tenant VARCHAR NOT NULL,
    held_usd BIGINT NOT NULL,
    held_credits BIGINT NOT NULL,
    held_tokens BIGINT NOT NULL,
    charged_usd BIGINT NOT NULL,
    charged_credits BIGINT NOT NULL,
    charged_tokens BIGINT NOT NULL,
    CONSTRAINT pk_reservations PRIMARY KEY (run)
) WITHOUT ROWID;

-- name: context
CREATE TABLE context (
    scope VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    size INTEGER NOT NULL,
    saved_at VARCHAR NOT NULL,
    expires_at VARCHAR,
    "key" VARCHAR,
    body TEXT NOT NULL,
    tenant VARCHAR NOT NULL,
    CONSTRAINT pk_context PRIMARY KEY (tenant, scope, name, version)
);

-- name: ux_context_key
CREATE UNIQUE INDEX ux_context_key ON context ("key") WHERE key IS NOT NULL;

-- name: ix_context_expires
CREATE INDEX ix_context_expires ON context (expires_at) WHERE expires_at IS NOT NULL;

-- name: context_uses
-- Which context items name which artifacts.
CREATE TABLE context_uses (
    digest VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    tenant VARCHAR NOT NULL,
    CONSTRAINT pk_context_uses PRIMARY KEY (digest, tenant, scope, name, version)
) WITHOUT ROWID;

-- name: ix_context_uses_item
CREATE INDEX ix_context_uses_item ON context_uses (tenant, scope, name, version);

-- name: drivers
-- Everyone who ever opened this to drive it, by number. Whoever takes over says so of those before
-- it, and every transaction of a driver sees whether that has happened to it.
CREATE TABLE drivers (
    id BIGINT NOT NULL,
    process VARCHAR NOT NULL,
    since VARCHAR NOT NULL,
    replaced_by BIGINT,
    CONSTRAINT pk_drivers PRIMARY KEY (id)
) WITHOUT ROWID;

-- name: places
-- Where what lies beside the database is: artifacts, and what undos need. `mark` is what a file
-- there says, so that another directory of the same name is not taken for it.
CREATE TABLE places (
    name VARCHAR NOT NULL,
    place TEXT NOT NULL,
    mark VARCHAR NOT NULL,
    CONSTRAINT pk_places PRIMARY KEY (name)
) WITHOUT ROWID;

-- name: writes
-- Writes that clients made under a key of their own, and what came of each.
CREATE TABLE writes (
    scope VARCHAR NOT NULL,
    "key" VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    answer TEXT NOT NULL,
    at VARCHAR NOT NULL,
    CONSTRAINT pk_writes PRIMARY KEY (scope, "key")
) WITHOUT ROWID;

-- name: alembic_version
-- Alembic's own table, exactly as Alembic makes it: a new database is created and an up-to-date one
-- recognised without importing Alembic, which would cost every start 0.4 s and 10 MB.
CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
