-- Every statement that the SQL store makes, by its name, with a sentence on what it does.
--
-- `:name` is a value that is bound by this name. Only inserts are executed with bare rows, many at a
-- time: their values are in the order in which they stand here. Both databases are told the same; a
-- statement they cannot share is written twice, the second time for `(postgresql)` only.

-- Journals, and the index of runs.

-- name: advance
-- Set aside positions for so many entries. Whoever has done so is alone until the commit, so that
-- positions are in the order of commits.
INSERT INTO positions (name, last) VALUES ('journal', :count)
ON CONFLICT (name) DO UPDATE SET last = positions.last + excluded.last;

-- name: append
-- Add an entry to a journal, so many positions before the last that was set aside.
INSERT INTO journal (run, seq, body, position)
VALUES (:run, :seq, :body, (SELECT last FROM positions WHERE name = 'journal') - :back);

-- name: append (postgresql)
-- The same; a parameter in a sum needs its type.
INSERT INTO journal (run, seq, body, position)
VALUES (:run, :seq, :body, (SELECT last FROM positions WHERE name = 'journal') - CAST(:back AS BIGINT));

-- name: position
-- The last position that was given.
SELECT last FROM positions WHERE name = 'journal';

-- name: since
-- Entries of all runs after a position, in the order of commits.
SELECT
    journal.position, journal.seq, journal.body,
    runs.run, runs.name, runs.plan, runs.content, runs.tenant, runs.key, runs.started_at,
    runs.ended, runs.ended_at, runs.subject, runs.parent, runs.root, runs.owner
FROM journal JOIN runs ON runs.run = journal.run
WHERE
    journal.position > :after
    AND (runs.tenant = :tenant OR :tenant IS NULL)
    AND (runs.name = :plan OR :plan IS NULL)
    AND (runs.subject = :subject OR :subject IS NULL)
    AND (runs.key = :key OR :key IS NULL)
    AND (runs.ended = :ended OR :ended IS NULL)
    AND (runs.started_at >= :since OR :since IS NULL)
    AND (runs.parent IS NULL OR :top_level = 0)
    AND (runs.ended IS NULL OR :open_only = 0)
ORDER BY journal.position LIMIT :limit;

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
INSERT INTO runs (
    run, name, plan, content, tenant, key, started_at, ended, ended_at, subject, parent, root,
    owner
)
VALUES (
    :run, :name, :plan, :content, :tenant, :key, :started_at, :ended, :ended_at, :subject, :parent,
    :root, :owner
);

-- name: end
-- Say in the index how a run ended; NULL: it is open again.
UPDATE runs SET ended = :state, ended_at = :at WHERE run = :run;

-- name: forget_run
-- Remove a run from the index.
DELETE FROM runs WHERE run = :run;

-- name: head
-- What the index says of a run.
SELECT
    run, name, plan, content, tenant, key, started_at, ended, ended_at, subject, parent, root,
    owner
FROM runs
WHERE run = :run;

-- name: find
-- The run of a start key.
SELECT
    run, name, plan, content, tenant, key, started_at, ended, ended_at, subject, parent, root,
    owner
FROM runs
WHERE tenant = :tenant AND key = :key;

-- name: heads
-- Runs started before one, newest first; what is NULL is not asked about.
SELECT
    run, name, plan, content, tenant, key, started_at, ended, ended_at, subject, parent, root,
    owner
FROM runs
WHERE
    run < :before
    AND (tenant = :tenant OR :tenant IS NULL)
    AND (name = :plan OR :plan IS NULL)
    AND (subject = :subject OR :subject IS NULL)
    AND (key = :key OR :key IS NULL)
    AND (started_at >= :since OR :since IS NULL)
    AND (parent IS NULL OR :top_level = 0)
    AND (ended = :ended OR :ended IS NULL)
ORDER BY run DESC LIMIT :limit;

-- name: open_heads
-- The same of those that have not ended.
SELECT
    run, name, plan, content, tenant, key, started_at, ended, ended_at, subject, parent, root,
    owner
FROM runs
WHERE
    ended IS NULL AND run < :before
    AND (tenant = :tenant OR :tenant IS NULL)
    AND (name = :plan OR :plan IS NULL)
    AND (subject = :subject OR :subject IS NULL)
    AND (key = :key OR :key IS NULL)
    AND (started_at >= :since OR :since IS NULL)
    AND (parent IS NULL OR :top_level = 0)
ORDER BY run DESC LIMIT :limit;

-- name: tenant_heads
-- The same of those of a tenant.
SELECT
    run, name, plan, content, tenant, key, started_at, ended, ended_at, subject, parent, root,
    owner
FROM runs
WHERE
    tenant = :tenant AND run < :before
    AND (name = :plan OR :plan IS NULL)
    AND (key = :key OR :key IS NULL)
    AND (started_at >= :since OR :since IS NULL)
    AND (parent IS NULL OR :top_level = 0)
    AND (ended = :ended OR :ended IS NULL)
ORDER BY run DESC LIMIT :limit;

-- name: subject_heads
-- The same of those that are about something.
SELECT
    run, name, plan, content, tenant, key, started_at, ended, ended_at, subject, parent, root,
    owner
FROM runs
WHERE
    subject = :subject AND run < :before
    AND (tenant = :tenant OR :tenant IS NULL)
    AND (name = :plan OR :plan IS NULL)
    AND (key = :key OR :key IS NULL)
    AND (started_at >= :since OR :since IS NULL)
    AND (parent IS NULL OR :top_level = 0)
    AND (ended = :ended OR :ended IS NULL)
    AND (ended IS NULL OR :open_only = 0)
ORDER BY run DESC LIMIT :limit;

-- Requests.

-- name: put
-- Leave a request.
INSERT INTO inbox (id, run, body) VALUES (:id, :run, :body);

-- name: request
-- What became of a request; no row: there is none; NULL: nothing yet.
SELECT settled, body FROM inbox WHERE id = :id;

-- name: pending
-- Requests that are not settled, oldest first.
SELECT id, run, body FROM inbox WHERE settled IS NULL ORDER BY seq;

-- name: requests_to
-- What was asked of a run, oldest first, and what became of it.
SELECT id, run, body, settled FROM inbox WHERE run = :run ORDER BY seq;

-- name: deal_with
-- Say what became of a request, and whether nobody had before: then there is a row.
UPDATE inbox SET settled = :verdict WHERE id = :request AND settled IS NULL RETURNING id;

-- name: settle
-- Say what became of a request, unless it has been said.
UPDATE inbox SET settled = :verdict WHERE id = :request AND settled IS NULL;

-- name: forget_requests
-- Remove a run's requests.
DELETE FROM inbox WHERE run = :run;

-- name: over
-- What was settled and belongs to no run, newest first.
SELECT id, run, body, settled
FROM inbox
WHERE
    settled IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.run = inbox.run)
ORDER BY seq DESC;

-- name: forget_request
-- Remove what is settled, unless there is another one.
DELETE FROM inbox
WHERE
    id = :request
    AND settled IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM inbox AS later WHERE later.id = :unless)
RETURNING id;

-- Saved plans.

-- name: save
-- Add a version of a plan.
INSERT INTO plans (name, version, digest, body, saved_at, tenant)
VALUES (:name, :version, :digest, :body, :saved_at, :tenant);

-- name: versions
-- All versions of a tenant's plan, oldest first.
SELECT name, version, digest, body, saved_at, tenant
FROM plans
WHERE tenant = :tenant AND name = :name
ORDER BY version;

-- name: version
-- One version of a tenant's plan.
SELECT name, version, digest, body, saved_at, tenant
FROM plans
WHERE tenant = :tenant AND name = :name AND version = :version;

-- name: newest
-- The newest version of a tenant's plan.
SELECT name, version, digest, body, saved_at, tenant
FROM plans
WHERE tenant = :tenant AND name = :name
ORDER BY version DESC LIMIT 1;

-- name: shelf
-- The newest version of each plan, by name, of a tenant or of all of them.
SELECT name, version, digest, body, saved_at, tenant
FROM plans
WHERE (tenant = :tenant OR :tenant IS NULL)
    AND NOT EXISTS (
        SELECT 1
        FROM plans AS later
        WHERE later.tenant = plans.tenant AND later.name = plans.name
            AND later.version > plans.version
    )
ORDER BY tenant, name;

-- name: user_of_plan
-- An open run of a tenant of any version of a plan of its. Of open runs, which are few.
SELECT run
FROM runs
WHERE ended IS NULL AND (tenant = :tenant OR :tenant IS NULL) AND plan IN (
    SELECT digest FROM plans WHERE plans.tenant = :tenant AND plans.name = :name
)
LIMIT 1;

-- name: forget_plan
-- Remove all versions of a tenant's plan.
DELETE FROM plans WHERE tenant = :tenant AND name = :name;

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

-- name: uses_of_tenant
-- Where an artifact occurs in the runs of a tenant.
SELECT uses.digest, uses.run, uses.seq, uses.step, uses.role
FROM artifact_uses AS uses JOIN runs ON runs.run = uses.run
WHERE uses.digest = :digest AND runs.tenant = :tenant
ORDER BY uses.run, uses.seq, uses.role;

-- name: artifacts_of_tenant
-- The artifacts between two digests that runs or items of a tenant name, or that it has put.
SELECT uses.digest AS digest
FROM artifact_uses AS uses JOIN runs ON runs.run = uses.run
WHERE uses.digest >= :first AND uses.digest < :after AND runs.tenant = :tenant
UNION
SELECT digest
FROM context_uses
WHERE digest >= :first AND digest < :after AND tenant = :tenant
UNION
SELECT digest
FROM uploads
WHERE digest >= :first AND digest < :after AND tenant = :tenant
ORDER BY digest;

-- name: upload
-- Note that a tenant has put an artifact.
INSERT INTO uploads (digest, tenant, at) VALUES (:digest, :tenant, :at)
ON CONFLICT (digest, tenant) DO UPDATE SET at = excluded.at;

-- name: forget_upload
-- Forget who has put an artifact.
DELETE FROM uploads WHERE digest = :digest;

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

-- name: item_history
-- All versions of an item that have not expired, oldest first.
SELECT scope, name, version, size, saved_at, expires_at, key, body, tenant
FROM context
WHERE tenant = :tenant AND scope = :scope AND name = :name
    AND (expires_at IS NULL OR expires_at > :at)
ORDER BY version;

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

-- Drivers.

-- name: last_driver
-- The number of whoever opened this to drive last; NULL: nobody has.
SELECT max(id) FROM drivers;

-- name: enter_driver
-- Note that somebody drives from now on.
INSERT INTO drivers (id, process, since)
VALUES (:id, :process, CAST(CURRENT_TIMESTAMP AS VARCHAR));

-- name: replace_driver
-- Say of one that is gone who has found out; the first word stands.
UPDATE drivers SET replaced_by = :by WHERE id = :id AND replaced_by IS NULL;

-- name: replaced_by
-- Who has found a driver gone; itself, if it has left in good order.
SELECT replaced_by FROM drivers WHERE id = :id;

-- name: process
-- Which process a driver is, and where.
SELECT process FROM drivers WHERE id = :id;

-- name: other_drivers
-- Those that nobody has found gone.
SELECT id FROM drivers WHERE id <> :id AND replaced_by IS NULL ORDER BY id;

-- name: forget_drivers
-- Remove those of long ago.
DELETE FROM drivers WHERE id < :id AND replaced_by IS NOT NULL;

-- name: owner
-- Who drives a run, or drove it last; no row: there is no such run.
SELECT owner FROM runs WHERE run = :run;

-- name: own
-- Say who drives a run.
UPDATE runs SET owner = :driver WHERE run = :run;

-- name: orphans
-- Open runs whose drivers are gone.
SELECT run
FROM runs
WHERE
    ended IS NULL
    AND (owner IS NULL OR owner NOT IN (SELECT id FROM drivers WHERE replaced_by IS NULL))
ORDER BY run;

-- name: newest_orphans
-- The newest of them.
SELECT run
FROM runs
WHERE
    ended IS NULL
    AND (owner IS NULL OR owner NOT IN (SELECT id FROM drivers WHERE replaced_by IS NULL))
ORDER BY run DESC LIMIT :limit;

-- name: fence
-- A row if a driver has not been replaced.
SELECT id FROM drivers WHERE id = :id AND replaced_by IS NULL;

-- name: fence (postgresql)
-- Fails (a division by zero) if a driver has been replaced, so that nothing behind it is done, not
-- even a commit whose answer nobody waits for. Nobody replaces one whose session is alive.
SELECT 1 / count(*) FROM drivers WHERE id = :id AND replaced_by IS NULL;

-- name: successor
-- Who has replaced a driver; no row: nobody has.
SELECT later.id, later.process, later.since
FROM drivers AS mine JOIN drivers AS later ON later.id = mine.replaced_by
WHERE mine.id = :id;

-- What lies beside the database.

-- name: places
-- Where it is.
SELECT name, place, mark FROM places;

-- name: forget_place
-- Forget where something is.
DELETE FROM places WHERE name = :name;

-- name: settle_place
-- Say where something is.
INSERT INTO places (name, place, mark) VALUES (:name, :place, :mark);

-- name: forget_directories
-- Forget all that is in a directory: a copy has its own.
DELETE FROM places WHERE place NOT LIKE '%://%';

-- name: any_artifact
-- An artifact that is named by something.
SELECT digest FROM artifact_uses LIMIT 1;

-- Writes under keys.

-- name: write_of_key
-- What was written under a key, and what came of it.
SELECT content, answer FROM writes WHERE scope = :scope AND key = :key;

-- name: keep_write
-- Note what came of a write under a key.
INSERT INTO writes (scope, key, content, answer, at)
VALUES (:scope, :key, :content, :answer, :at);

-- Migrations.

-- name: revisions
-- The migrations the database is at: one for each branch.
SELECT version_num FROM alembic_version;

-- name: stamp
-- Say which migration the database is at.
INSERT INTO alembic_version (version_num) VALUES (:version_num);
