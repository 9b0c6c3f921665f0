-- One seal as the database sees it, for pgbench: the statements of commit 97845c1, which is what every later Signet is
-- held against. They no longer follow the app's own: else whoever makes them better makes the floor higher too.
-- The variables are a table's, from bench_tables (benchmarks/statements.py).
\set press random(1, 9000000000000000000)
SELECT campaigns.id, campaigns.slug, campaigns.title, campaigns.about, campaigns.settings, campaigns.demo,
campaigns.made_at, members.campaign_id, members.id AS id_1, members.handle, members.name, members.role,
members.way_back, members.removed_at, members.joined_at, members.seen_at, sessions.campaign_id AS campaign_id_1,
sessions.id AS id_2, sessions.member_id, sessions.token_hash, sessions.label, sessions.made_at AS made_at_1,
sessions.seen_at AS seen_at_1, sessions.revoked_at, sessions.seen_at < now() - '5 minutes'::interval AS anon_1 FROM
campaigns JOIN members ON members.campaign_id = campaigns.id JOIN sessions ON sessions.campaign_id =
members.campaign_id AND sessions.member_id = members.id WHERE campaigns.id = :campaign::UUID AND campaigns.slug =
:slug::VARCHAR AND members.handle = 'alice'::VARCHAR AND members.removed_at IS NULL AND sessions.token_hash =
:token_hash AND sessions.revoked_at IS NULL AND sessions.seen_at > now() - '180 days'::interval;
BEGIN;
SELECT scenes.campaign_id, scenes.id, scenes.title, scenes.ruleset, scenes.kind, scenes.rules_version, scenes.status,
scenes.settings, scenes.setup, scenes.setup_salt, scenes.state, scenes.last_event, scenes.orders, scenes.root,
scenes.anchor, scenes.changes, scenes.carried, scenes.head, scenes.records, scenes.public_events, scenes.links_used,
scenes.thread, scenes.next_due_at, scenes.paused_at, scenes.made_in, scenes.stopped, scenes.made_at, scenes.ended_at,
statement_timestamp() AS statement_timestamp_1 FROM scenes WHERE scenes.campaign_id = :campaign::UUID AND scenes.id =
:scene::UUID FOR UPDATE;
SELECT seats.campaign_id, seats.scene_id, seats.seat, seats.position, seats.name, seats.role, seats.characters FROM
seats WHERE seats.campaign_id = :campaign::UUID AND seats.scene_id = :scene::UUID ORDER BY seats.position;
SELECT step.spec, step.status, step.due_at, holder.member_id IS NOT NULL AS holds, asks.statuses, newest.revision,
newest.ready, newest.wax, newest.box, newest.opened, newest.written_at, newest.salted_by, press.step_key AS
press_step, press.seat AS press_seat, press.revision AS press_revision, press.wax AS press_wax, press.ready AS
press_ready, press.order_no AS press_order, press.status AS press_status FROM (SELECT 1) AS one LEFT JOIN steps AS
step ON step.campaign_id = :campaign AND step.scene_id = :scene AND step.key = 'r1/declare' LEFT JOIN seat_holders AS
holder ON holder.campaign_id = :campaign AND holder.scene_id = :scene AND holder.seat = 'alice' AND holder.member_id =
:member LEFT JOIN LATERAL ( SELECT jsonb_object_agg(ask.seat, ask.status) AS statuses FROM asks AS ask WHERE
ask.campaign_id = :campaign AND ask.scene_id = :scene AND ask.step_key = 'r1/declare') AS asks ON true LEFT JOIN
LATERAL ( SELECT * FROM envelopes AS e WHERE e.campaign_id = :campaign AND e.scene_id = :scene AND e.step_key =
'r1/declare' AND e.seat = 'alice' ORDER BY e.revision DESC LIMIT 1) AS newest ON true LEFT JOIN LATERAL ( SELECT e.*,
s.status FROM envelopes AS e JOIN steps AS s ON s.campaign_id = e.campaign_id AND s.scene_id = e.scene_id AND s.key =
e.step_key WHERE e.campaign_id = :campaign AND e.scene_id = :scene AND e.request_id = lpad(:press::text, 32,
'0')::uuid AND e.author_id = :member) AS press ON true \gset now_
\set seen :now_revision
\set next :seen + 1
WITH emptied AS ( UPDATE envelopes SET box = NULL WHERE campaign_id = :campaign AND scene_id = :scene AND step_key =
'r1/declare' AND seat = 'alice' AND revision = :next - 1), asked AS ( UPDATE asks SET status = 'ready' WHERE
campaign_id = :campaign AND scene_id = :scene AND step_key = 'r1/declare' AND seat = 'alice' AND status <> 'ready')
INSERT INTO envelopes (campaign_id, scene_id, step_key, seat, revision, author_id, request_id, ready, use_draft,
order_no, salted_by, wax, box, written_at) VALUES (:campaign, :scene, 'r1/declare', 'alice', :next, :member,
lpad(:press::text, 32, '0')::uuid, true, false, 4, 'server', decode(repeat('5a', 32), 'hex'), decode(repeat('5a',
1056), 'hex'), coalesce(CAST(NULL AS timestamptz), clock_timestamp()));
UPDATE scenes SET orders=4::BIGINT, changes=4::BIGINT WHERE scenes.campaign_id = :campaign::UUID AND scenes.id =
:scene::UUID;
SELECT pg_notify('signet', :hint);
COMMIT;
