-- Every statement that the SQL store makes, by its name, with a sentence on what it does.
--
-- `:name` is a value that is bound by this name. Only inserts are executed with bare rows, many at a
-- time: their values are in the order in which they stand here. Both databases are told the same; a
-- statement they cannot share is written twice, the second time for `(postgresql)` only.

-- Journals, and the index of runs.

-- name: append
-- Add an entry to a journal.
INSERT INTO journal (run, seq, body) VALUES (:run, :seq, :body);

-- name: length
-- How many entries a run has; NULL for none.
SELECT max(seq) FROM journal WHERE run = :run;

-- name: entries
-- The entries of a run after a number, in order.
SELECT seq, body FROM journal WHERE run = :run AND seq > :after ORDER BY seq LIMIT :limit;

-- name: forget_entries
-- Remove a run's journal.
DELETE FROM journal WHERE run = :run;

-- name: start
-- Add a run to the index.
INSERT INTO runs (run, name, plan, content, tenant, key, started_at, ended, ended_at)
VALUES (:run, :name, :plan, :content, :tenant, :key, :started_at, :ended, :ended_at);

-- name: end
-- Say in the index how a run ended; NULL: it is open again.
UPDATE runs SET ended = :state, ended_at = :at WHERE run = :run;

-- name: forget_run
-- Remove a run from the index.
DELETE FROM runs WHERE run = :run;

-- name: head
-- What the index says of a run.
SELECT run, name, plan, content, tenant, key, started_at, ended, ended_at
FROM runs
WHERE run = :run;

-- name: find
-- The run of a start key.
SELECT run, name, plan, content, tenant, key, started_at, ended, ended_at
FROM runs
WHERE tenant = :tenant AND key = :key;

-- name: heads
-- Runs, newest first.
SELECT run, name, plan, content, tenant, key, started_at, ended, ended_at
FROM runs
ORDER BY run DESC LIMIT :limit;

-- name: heads_before
-- Runs started before one, newest first.
SELECT run, name, plan, content, tenant, key, started_at, ended, ended_at
FROM runs
WHERE run < :before
ORDER BY run DESC LIMIT :limit;

-- name: open_heads
-- Runs that have not ended, newest first.
SELECT run, name, plan, content, tenant, key, started_at, ended, ended_at
FROM runs
WHERE ended IS NULL
ORDER BY run DESC LIMIT :limit;

-- name: open_heads_before
-- Runs that have not ended and were started before one, newest first.
SELECT run, name, plan, content, tenant, key, started_at, ended, ended_at
FROM runs
WHERE ended IS NULL AND run < :before
ORDER BY run DESC LIMIT :limit;

-- Requests.

-- name: put
-- Leave a request.
INSERT INTO inbox (id, run, body) VALUES (:id, :run, :body);

-- name: request
-- What became of a request; no row: there is none; NULL: nothing yet.
SELECT settled FROM inbox WHERE id = :id;

-- name: pending
-- Requests that are not settled, oldest first.
SELECT body FROM inbox WHERE settled IS NULL ORDER BY seq;

-- name: settle
-- Say what became of a request, unless it has been said.
UPDATE inbox SET settled = :verdict WHERE id = :request AND settled IS NULL;

-- name: forget_requests
-- Remove a run's requests.
DELETE FROM inbox WHERE run = :run;

-- Saved plans.

-- name: save
-- Add a version of a plan.
INSERT INTO plans (name, version, digest, body, saved_at)
VALUES (:name, :version, :digest, :body, :saved_at);

-- name: versions
-- All versions of a plan, oldest first.
SELECT name, version, digest, body, saved_at FROM plans WHERE name = :name ORDER BY version;

-- name: version
-- One version of a plan.
SELECT name, version, digest, body, saved_at FROM plans WHERE name = :name AND version = :version;

-- name: newest
-- The newest version of a plan.
SELECT name, version, digest, body, saved_at
FROM plans
WHERE name = :name
ORDER BY version DESC LIMIT 1;

-- name: shelf
-- The newest version of each plan, by name.
SELECT name, version, digest, body, saved_at
FROM plans
WHERE NOT EXISTS (
    SELECT 1 FROM plans AS later WHERE later.name = plans.name AND later.version > plans.version
)
ORDER BY name;

-- name: user_of_plan
-- An open run of any version of a plan.
SELECT run
FROM runs
WHERE ended IS NULL AND plan IN (SELECT digest FROM plans WHERE plans.name = :name)
LIMIT 1;

-- name: forget_plan
-- Remove all versions of a plan.
DELETE FROM plans WHERE name = :name;

-- Lineage and cache.

-- name: use
-- Note that an entry names an artifact.
INSERT INTO artifact_uses (digest, run, seq, step, role)
VALUES (:digest, :run, :seq, :step, :role);

-- name: uses
-- Where an artifact occurs.
SELECT digest, run, seq, step, role
FROM artifact_uses
WHERE digest = :digest
ORDER BY run, seq, role;

-- name: uses_of_run
-- Which artifacts a run names, in order.
SELECT digest, run, seq, step, role
FROM artifact_uses
WHERE run = :run
ORDER BY seq, role, digest;

-- name: forget_uses
-- Remove what a run names.
DELETE FROM artifact_uses WHERE run = :run;

-- name: named
-- Those of some digests, a JSON array, that an entry or a context item names.
SELECT digest FROM artifact_uses WHERE digest IN (SELECT value FROM json_each(:digests))
UNION
SELECT digest FROM context_uses WHERE digest IN (SELECT value FROM json_each(:digests));

-- name: named (postgresql)
-- As an array: whatever the planner believes, each digest is looked up in the index.
SELECT digest
FROM artifact_uses
WHERE digest = ANY (ARRAY(SELECT json_array_elements_text(CAST(:digests AS json))))
UNION
SELECT digest
FROM context_uses
WHERE digest = ANY (ARRAY(SELECT json_array_elements_text(CAST(:digests AS json))));

-- name: reuse
-- Note that a call may serve again.
INSERT INTO cache (key, at, run, seq, step) VALUES (:key, :at, :run, :seq, :step);

-- name: youngest_call
-- The youngest call of a key: its run, and its entry.
SELECT cache.run, cache.seq, journal.body
FROM cache JOIN journal ON journal.run = cache.run AND journal.seq = cache.seq
WHERE cache.key = :key
ORDER BY cache.at DESC, cache.run DESC, cache.seq DESC LIMIT 1;

-- name: forget_calls
-- Remove a run's calls from the cache.
DELETE FROM cache WHERE run = :run;

-- The ledger.

-- name: open_account
-- Add an account.
INSERT INTO accounts (
    tenant,
    granted_usd, granted_credits, granted_tokens,
    available_usd, available_credits, available_tokens,
    reserved_usd, reserved_credits, reserved_tokens,
    spent_usd, spent_credits, spent_tokens,
    postings, posted_at
) VALUES (
    :tenant,
    :granted_usd, :granted_credits, :granted_tokens,
    :available_usd, :available_credits, :available_tokens,
    :reserved_usd, :reserved_credits, :reserved_tokens,
    :spent_usd, :spent_credits, :spent_tokens,
    :postings, :posted_at
);

-- name: account
-- Where a tenant stands.
SELECT
    tenant,
    granted_usd, granted_credits, granted_tokens,
    available_usd, available_credits, available_tokens,
    reserved_usd, reserved_credits, reserved_tokens,
    spent_usd, spent_credits, spent_tokens,
    postings, posted_at
FROM accounts
WHERE tenant = :tenant;

-- name: account_to_change
-- The same, for a transaction: until it ends nobody else changes it.
SELECT
    tenant,
    granted_usd, granted_credits, granted_tokens,
    available_usd, available_credits, available_tokens,
    reserved_usd, reserved_credits, reserved_tokens,
    spent_usd, spent_credits, spent_tokens,
    postings, posted_at
FROM accounts
WHERE tenant = :tenant;

-- name: account_to_change (postgresql)
-- Of SQLite there is only one who writes.
SELECT
    tenant,
    granted_usd, granted_credits, granted_tokens,
    available_usd, available_credits, available_tokens,
    reserved_usd, reserved_credits, reserved_tokens,
    spent_usd, spent_credits, spent_tokens,
    postings, posted_at
FROM accounts
WHERE tenant = :tenant
FOR UPDATE;

-- name: change_account
-- Say where a tenant stands now.
UPDATE accounts SET
    granted_usd = :granted_usd,
    granted_credits = :granted_credits,
    granted_tokens = :granted_tokens,
    available_usd = :available_usd,
    available_credits = :available_credits,
    available_tokens = :available_tokens,
    reserved_usd = :reserved_usd,
    reserved_credits = :reserved_credits,
    reserved_tokens = :reserved_tokens,
    spent_usd = :spent_usd,
    spent_credits = :spent_credits,
    spent_tokens = :spent_tokens,
    postings = :postings,
    posted_at = :posted_at
WHERE tenant = :tenant;

-- name: accounts
-- All accounts, by tenant.
SELECT
    tenant,
    granted_usd, granted_credits, granted_tokens,
    available_usd, available_credits, available_tokens,
    reserved_usd, reserved_credits, reserved_tokens,
    spent_usd, spent_credits, spent_tokens,
    postings, posted_at
FROM accounts
ORDER BY tenant;

-- name: post
-- Add a line to an account.
INSERT INTO postings (tenant, number, at, kind, usd, credits, tokens, run, note, by)
VALUES (:tenant, :number, :at, :kind, :usd, :credits, :tokens, :run, :note, :by);

-- name: posting
-- A line of an account.
SELECT tenant, number, at, kind, usd, credits, tokens, run, note, by
FROM postings
WHERE tenant = :tenant AND number = :number;

-- name: postings
-- The lines of an account between two times, in order.
SELECT tenant, number, at, kind, usd, credits, tokens, run, note, by
FROM postings
WHERE tenant = :tenant AND at >= :since AND at < :until
ORDER BY number;

-- name: hold
-- Add what a run holds.
INSERT INTO reservations (
    run, tenant,
    held_usd, held_credits, held_tokens,
    charged_usd, charged_credits, charged_tokens
) VALUES (
    :run, :tenant,
    :held_usd, :held_credits, :held_tokens,
    :charged_usd, :charged_credits, :charged_tokens
);

-- name: held
-- What a run holds, and has been charged.
SELECT
    run, tenant,
    held_usd, held_credits, held_tokens,
    charged_usd, charged_credits, charged_tokens
FROM reservations
WHERE run = :run;

-- name: change_hold
-- Say what a run holds now, and has been charged.
UPDATE reservations SET
    tenant = :tenant,
    held_usd = :held_usd,
    held_credits = :held_credits,
    held_tokens = :held_tokens,
    charged_usd = :charged_usd,
    charged_credits = :charged_credits,
    charged_tokens = :charged_tokens
WHERE run = :run;

-- name: forget_hold
-- Remove what a run held; its postings stay.
DELETE FROM reservations WHERE run = :run;

-- Context.

-- name: put_item
-- Add a version of an item.
INSERT INTO context (scope, name, version, size, saved_at, expires_at, key, body, tenant)
VALUES (:scope, :name, :version, :size, :saved_at, :expires_at, :key, :body, :tenant);

-- name: item
-- A version of an item, if it has not expired.
SELECT scope, name, version, size, saved_at, expires_at, key, body, tenant
FROM context
WHERE tenant = :tenant AND scope = :scope AND name = :name AND version = :version
    AND (expires_at IS NULL OR expires_at > :at);

-- name: newest_item
-- The newest version of an item that has not expired.
SELECT scope, name, version, size, saved_at, expires_at, key, body, tenant
FROM context
WHERE tenant = :tenant AND scope = :scope AND name = :name AND (expires_at IS NULL OR expires_at > :at)
ORDER BY version DESC LIMIT 1;

-- name: newest_version
-- The number of the newest version of an item that has not expired; NULL: none.
SELECT max(version)
FROM context
WHERE tenant = :tenant AND scope = :scope AND name = :name AND (expires_at IS NULL OR expires_at > :at);

-- name: last_version
-- The highest number of an item, expired or not; NULL: none.
SELECT max(version) FROM context WHERE tenant = :tenant AND scope = :scope AND name = :name;

-- name: items
-- The newest version of each item in a scope that has not expired, by name.
SELECT scope, name, version, size, saved_at, expires_at, key, body, tenant
FROM context
WHERE tenant = :tenant AND scope = :scope
    AND (expires_at IS NULL OR expires_at > :at)
    AND NOT EXISTS (
        SELECT 1
        FROM context AS later
        WHERE later.tenant = context.tenant AND later.scope = context.scope AND later.name = context.name
            AND later.version > context.version
            AND (later.expires_at IS NULL OR later.expires_at > :at)
    )
ORDER BY name;

-- name: other_bytes
-- How many bytes the newest versions of all other items in a scope have; NULL: none.
SELECT sum(size)
FROM context
WHERE tenant = :tenant AND scope = :scope AND name != :name
    AND (expires_at IS NULL OR expires_at > :at)
    AND NOT EXISTS (
        SELECT 1
        FROM context AS later
        WHERE later.tenant = context.tenant AND later.scope = context.scope AND later.name = context.name
            AND later.version > context.version
            AND (later.expires_at IS NULL OR later.expires_at > :at)
    );

-- name: item_of_call
-- The version that a call wrote.
SELECT scope, name, version, size, saved_at, expires_at, key, body, tenant
FROM context
WHERE key = :key;

-- name: expire_item
-- Have the version that a call wrote expire.
UPDATE context SET expires_at = :at WHERE key = :call;

-- name: forget_item
-- Remove all versions of an item.
DELETE FROM context WHERE tenant = :tenant AND scope = :scope AND name = :name;

-- name: forget_scope
-- Remove everything in a scope.
DELETE FROM context WHERE tenant = :tenant AND scope = :scope;

-- name: prune_context
-- Remove what has expired, but for the last number of an item that is still there.
DELETE FROM context
WHERE expires_at <= :at AND (
    EXISTS (
        SELECT 1
        FROM context AS later
        WHERE later.tenant = context.tenant AND later.scope = context.scope AND later.name = context.name
            AND later.version > context.version
    )
    OR NOT EXISTS (
        SELECT 1
        FROM context AS kept
        WHERE kept.tenant = context.tenant AND kept.scope = context.scope AND kept.name = context.name
            AND (kept.expires_at IS NULL OR kept.expires_at > :at)
    )
);

-- name: name_in_context
-- Note that a context item names an artifact.
INSERT INTO context_uses (digest, scope, name, version, tenant)
VALUES (:digest, :scope, :name, :version, :tenant);

-- name: forget_names
-- Remove what items name that are not there any more.
DELETE FROM context_uses
WHERE NOT EXISTS (
    SELECT 1
    FROM context
    WHERE context.tenant = context_uses.tenant AND context.scope = context_uses.scope AND context.name = context_uses.name
        AND context.version = context_uses.version
);

-- Migrations.

-- name: revisions
-- The migrations the database is at: one for each branch.
SELECT version_num FROM alembic_version;

-- name: stamp
-- Say which migration the database is at.
INSERT INTO alembic_version (version_num) VALUES (:version_num);
