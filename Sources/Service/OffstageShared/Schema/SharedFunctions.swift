/// The functions of the schema. They do the work of several statements in one round trip, with the caller's rights.
enum SharedFunctions {
    /// The functions of the schema's first version.
    static let all = [claim(), blobs, wake, finish, fail, put(withOwner: false), submit(bySource: false)].joined(
        separator: "\n")

    /// Replaces the first version's `submit`. A job names its source, and a failed job is drawn again with its newest
    /// files.
    static let submitBySource =
        "DROP FUNCTION offstage.submit(text, text, integer, text, integer, boolean, integer, double precision, bytea[], bytea[]);\n"
        + submit(bySource: true)

    /// Replaces the first version's `put`. A picture has an owner.
    static let putWithOwner =
        "DROP FUNCTION offstage.put(text, bytea[], integer[], bytea[], bytea, bigint, text);\n" + put(withOwner: true)

    /// Replaces the second version's functions. A dead job is tried again after an hour.
    static let forgetDead = [claim(forgetsDead: true), submit(bySource: true, forgetsDead: true)].joined(
        separator: "\n"
    )
    .replacing("CREATE FUNCTION", with: "CREATE OR REPLACE FUNCTION")

    /// True for a dead job `j` that has expired, because the processes may have ended by accident.
    private static let isForgotten = "j.state = 'dead' AND j.changed < now() - \(SharedTimes.deadAge)"

    private static func function(_ head: String, _ body: String) -> String {
        """
        CREATE FUNCTION offstage.\(head)
        LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        \(body)
        $function$;
        """
    }

    /// Takes the right to draw for a key. Each statement of the loop sees the commits before it, so a caller that
    /// waited for another commit sees its pictures. Locking a job that another node owns makes the end of that job wait
    /// until this caller's wait is recorded.
    private static func claim(forgetsDead: Bool = false) -> String {
        let (reset, orForgotten) =
            forgetsDead
            ? (", crashes = CASE WHEN j.state = 'dead' THEN 0 ELSE j.crashes END", " OR \(isForgotten)") : ("", "")
        return function(
            "claim(the_key bytea, keys bytea[], the_class text, the_node text) RETURNS text",
            """
            DECLARE found_state text;
            BEGIN
                LOOP
                    INSERT INTO offstage.job AS j (key, class, priority, turn, client, state, node)
                    VALUES (the_key, the_class, 0, 0, '', 'taken', the_node)
                    ON CONFLICT (key) DO UPDATE SET state = 'taken', node = the_node, changed = now()\(reset)
                        WHERE j.state IN ('waiting', 'failed') OR j.state = 'taken' AND j.node = the_node\(orForgotten)
                    RETURNING state INTO found_state;
                    IF FOUND THEN
                        RETURN CASE WHEN (SELECT count(DISTINCT p.key) FROM offstage.picture p WHERE p.key = ANY (keys))
                            = cardinality(keys) THEN 'stored' ELSE 'mine' END;
                    END IF;
                    SELECT state INTO found_state FROM offstage.job WHERE key = the_key FOR SHARE;
                    IF FOUND THEN
                        IF found_state = 'dead' THEN RETURN 'dead'; END IF;
                        INSERT INTO offstage.waiter VALUES (the_key, the_node) ON CONFLICT DO NOTHING;
                        RETURN 'other';
                    END IF;
                END LOOP;
            END
            """)
    }

    /// Inserts in the order of digests to avoid deadlocks.
    private static let blobs = function(
        "blobs(digests bytea[], parts integer[], contents bytea[]) RETURNS void",
        """
        BEGIN
            INSERT INTO offstage.blob AS b (digest, part, bytes)
            SELECT DISTINCT ON (d, p) d, p, c FROM unnest(digests, parts, contents) AS u (d, p, c) ORDER BY d, p
            ON CONFLICT (digest, part) DO UPDATE SET used = now() WHERE b.used < now() - interval '10 minutes';
        END
        """)

    /// Ends the waits for keys. A notification has at most 8000 bytes, and PostgreSQL sends those of all transactions
    /// in sequence. So one notification covers up to 100 keys, and keys without waiters get none.
    private static let wake = function(
        "wake(keys bytea[]) RETURNS void",
        """
        DECLARE woken text[];
        BEGIN
            WITH gone AS (DELETE FROM offstage.waiter w WHERE w.key = ANY (keys) RETURNING w.key)
            SELECT array_agg(DISTINCT encode(key, 'hex')) INTO woken FROM gone;
            FOR i IN 0 .. coalesce((cardinality(woken) - 1) / 100, -1) LOOP
                PERFORM pg_notify('offstage_done', array_to_string(woken[100 * i + 1 : 100 * i + 100], ','));
            END LOOP;
        END
        """)

    /// Stores pictures and ends jobs. The first picture of a key stays, and a different one is counted.
    private static let finish = function(
        """
        finish(jobs bytea[], the_node text, the_class text, digests bytea[], parts integer[], contents bytea[],
            keys bytea[], files bytea[], numbers integer[], counts integer[], pictures bytea[], lengths bigint[],
            infos text[], are_new integer[]) RETURNS bigint
        """,
        """
        DECLARE
            bad bigint := 0;
            again bigint := 0;
        BEGIN
            IF cardinality(keys) > 0 THEN
                PERFORM offstage.blobs(digests, parts, contents);
                SELECT count(*) INTO again FROM unnest(keys, files, numbers, are_new) AS u (k, f, n, a)
                JOIN offstage.picture t ON t.key = k AND t.files = f AND t.part = n WHERE a = 1;
                INSERT INTO offstage.picture (key, files, part, part_count, digest, length, info, class)
                SELECT DISTINCT ON (k, f, n) k, f, n, c, p, l, i::json, the_class
                FROM unnest(keys, files, numbers, counts, pictures, lengths, infos) AS u (k, f, n, c, p, l, i)
                ORDER BY k, f, n ON CONFLICT DO NOTHING;
                SELECT count(*) INTO bad FROM unnest(keys, files, numbers, pictures) AS u (k, f, n, p)
                JOIN offstage.picture t ON t.key = k AND t.files = f AND t.part = n WHERE t.digest <> p;
            END IF;
            IF bad > 0 THEN
                INSERT INTO offstage.counter AS c VALUES ('mismatch', bad)
                ON CONFLICT (name) DO UPDATE SET value = c.value + bad;
            END IF;
            IF again > 0 THEN
                INSERT INTO offstage.counter AS c VALUES ('drawn-again', again)
                ON CONFLICT (name) DO UPDATE SET value = c.value + again;
            END IF;
            IF cardinality(jobs) > 0 THEN
                DELETE FROM offstage.job WHERE key = ANY (jobs) AND node = the_node AND state = 'taken';
                PERFORM offstage.wake(jobs);
            END IF;
            RETURN bad;
        END
        """)

    /// Ends a job without a picture. A job that only its own client can submit is removed, unless it is dead.
    private static let fail = function(
        "fail(the_key bytea, the_node text, the_state text, more_crashes integer, the_reason text) RETURNS void",
        """
        BEGIN
            UPDATE offstage.job SET state = the_state, node = NULL, crashes = crashes + more_crashes,
                reason = the_reason::json, changed = now()
            WHERE key = the_key AND node = the_node AND state = 'taken' AND (request IS NOT NULL OR the_state = 'dead');
            IF FOUND AND the_state = 'waiting' THEN RETURN; END IF;
            DELETE FROM offstage.job WHERE key = the_key AND node = the_node AND state = 'taken';
            PERFORM offstage.wake(ARRAY[the_key]);
        END
        """)

    /// Stores a picture under an identifier. When it returns, the picture is on PostgreSQL's disk. Returns NULL and
    /// changes nothing if the picture has another owner, unless `others` is true.
    private static func put(withOwner: Bool) -> String {
        let parameters = withOwner ? ", the_owner text, others boolean" : ""
        let (column, value) = withOwner ? (", owner", ", the_owner") : ("", "")
        let update =
            withOwner
            ? "changed = now(), owner = the_owner\n        WHERE others OR n.owner = the_owner" : "changed = now()"
        return function(
            """
            put(the_identifier text, digests bytea[], parts integer[], contents bytea[], the_digest bytea,
                the_length bigint, the_info text\(parameters)) RETURNS bigint
            """,
            """
            DECLARE new_version bigint;
            BEGIN
                PERFORM set_config('synchronous_commit', 'on', true);
                PERFORM offstage.blobs(digests, parts, contents);
                INSERT INTO offstage.name AS n (identifier, digest, length, info, version\(column))
                VALUES (the_identifier, the_digest, the_length, the_info::json, 1\(value))
                ON CONFLICT (identifier) DO UPDATE SET digest = the_digest, length = the_length, info = the_info::json,
                    version = n.version + 1, \(update)
                RETURNING version INTO new_version;
                RETURN new_version;
            END
            """)
    }

    /// Start-time fair queueing. A client's next job is due 1/share after its previous one, but not before the jobs
    /// that are waiting now. So an idle client cannot save up credit.
    private static func submit(bySource: Bool, forgetsDead: Bool = false) -> String {
        let parameter = bySource ? ", the_source text" : ""
        let draws =
            bySource ? "\n        AND (the_source = '' OR n.sources IS NULL OR the_source = ANY (n.sources))" : ""
        let (column, value) = bySource ? (", source", ", the_source") : ("", "")
        let request = "coalesce(j.request, EXCLUDED.request)"
        let isOver = forgetsDead ? "j.state = 'failed' OR \(isForgotten)" : "j.state = 'failed'"
        let newest =
            bySource
            ? "CASE WHEN \(isOver) THEN EXCLUDED.request ELSE \(request) END,\n        source = the_source"
            : request
        let reset = forgetsDead ? ",\n        crashes = CASE WHEN \(isForgotten) THEN 0 ELSE j.crashes END" : ""
        return function(
            """
            submit(the_class text, the_client text, the_share integer, the_node text, the_priority integer,
                immediate boolean, most integer, lease double precision, keys bytea[], requests bytea[]\(parameter))
                RETURNS TABLE (job bytea, job_state text)
            """,
            """
            DECLARE
                first_turn double precision;
                others double precision;
                count integer := cardinality(keys);
            BEGIN
                IF NOT EXISTS (SELECT FROM offstage.node n WHERE n.class = the_class AND n.slots > 0
                    AND n.seen > now() - make_interval(secs => lease)\(draws))
                THEN
                    RETURN QUERY SELECT k, 'no-such-machine' FROM unnest(keys) AS u (k);
                    RETURN;
                END IF;
                IF (SELECT count(*) FROM (SELECT FROM offstage.job j WHERE j.state = 'waiting' AND j.client = the_client
                    LIMIT most + 1) AS w) + count > most
                THEN
                    RETURN QUERY SELECT k, 'full' FROM unnest(keys) AS u (k);
                    RETURN;
                END IF;
                SELECT j.turn INTO others FROM offstage.job j
                WHERE j.state = 'waiting' AND j.class = the_class AND j.priority = the_priority ORDER BY j.turn LIMIT 1;
                IF NOT FOUND THEN PERFORM pg_notify('offstage_work', the_class); END IF;
                others := coalesce(others, (SELECT max(c.last) FROM offstage.client c), 0);
                INSERT INTO offstage.client AS c VALUES (the_client, the_share, others + count::float8 / the_share)
                ON CONFLICT (name) DO UPDATE SET share = the_share,
                    last = greatest(c.last, others) + count::float8 / the_share
                RETURNING last - count::float8 / the_share INTO first_turn;
                INSERT INTO offstage.waiter SELECT k, the_node FROM unnest(keys) AS u (k) ORDER BY k ON CONFLICT DO NOTHING;
                RETURN QUERY
                    INSERT INTO offstage.job AS j (key, class, priority, turn, client, state, request, is_immediate\(column))
                    SELECT DISTINCT ON (k) k, the_class, the_priority, first_turn + i::float8 / the_share, the_client,
                        'waiting', r, immediate\(value)
                    FROM unnest(keys, requests) WITH ORDINALITY AS u (k, r, i) ORDER BY k
                    ON CONFLICT (key) DO UPDATE SET priority = greatest(j.priority, EXCLUDED.priority),
                        request = \(newest), is_immediate = j.is_immediate OR immediate,
                        state = CASE WHEN \(isOver) THEN 'waiting' ELSE j.state END\(reset)
                    RETURNING j.key, j.state;
            END
            """)
    }
}
