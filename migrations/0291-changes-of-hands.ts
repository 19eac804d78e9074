import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Triggers that write an entry to the feed of changes (migration 0145) when an object gets another owner, author, payer
 * or participant, for example when a person is erased. In the names of the functions, `of_another` means that the
 * object now belongs to another person; `place` is a participation, and `book` is the list of expenses. Two functions
 * of migration 0146 now ignore removed groups. The function tell_sight_of_events() of migration 0188 now also reports
 * the series of a removed or restored occurrence.
 */
export class ChangesOfHands0291 implements MigrationInterface {
  readonly name = 'ChangesOfHands0000000000291';
  readonly locks = [
    'all_comments',
    'all_events',
    'all_groups',
    'expense_payments',
    'expense_shares',
    'expenses',
    'participations',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(byGroup('AND EXISTS (SELECT FROM groups g WHERE g.id = m.group_id)'));
    await runner.query(sightOfEvents(SERIES));
    await runner.query(FUNCTIONS);
    for (const [table, columns, told] of OWNER_COLUMNS) {
      await runner.query(`CREATE TRIGGER changes_of_hands_are_told AFTER UPDATE OF ${columns.join(', ')} ON ${table} FOR EACH ROW
        WHEN (${columns.map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`).join(' OR ')}) EXECUTE FUNCTION ${told}()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table] of OWNER_COLUMNS) await runner.query(`DROP TRIGGER changes_of_hands_are_told ON ${table}`);
    await runner.query(
      'DROP FUNCTION tell_event_of_another(), tell_group_of_another(), tell_place_of_another(), tell_comment_of_another(), tell_book_of_another()',
    );
    await runner.query(sightOfEvents(''));
    await runner.query(byGroup(''));
  }
}

const OWNER_COLUMNS = [
  ['all_events', ['organizer_id'], 'tell_event_of_another'],
  ['all_groups', ['owner_id'], 'tell_group_of_another'],
  ['participations', ['user_id'], 'tell_place_of_another'],
  ['all_comments', ['author_id'], 'tell_comment_of_another'],
  ['expenses', ['paid_by'], 'tell_book_of_another'],
  ['expense_shares', ['user_id'], 'tell_book_of_another'],
  ['expense_payments', ['sender_id', 'receiver_id'], 'tell_book_of_another'],
] as const;

/**
 * Two functions of migration 0146. `inSight`: an additional condition on the membership `m` (group_members).
 * `own_group`: the group of the event; its members and the members of all interested groups get the entry. `one_group`:
 * null, or a group that is no longer interested in the event; then only its members get the entry.
 */
function byGroup(inSight: string): string {
  return `
    CREATE OR REPLACE FUNCTION has_event_by_group(event bigint, person bigint) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM group_members m
        WHERE m.user_id = person AND m.joined_at IS NOT NULL ${inSight}
          AND (m.group_id = (SELECT e.group_id FROM events e WHERE e.id = event)
            OR EXISTS (SELECT FROM group_interests i WHERE i.group_id = m.group_id AND i.event_id = event))
          FOR KEY SHARE OF m;
      RETURN FOUND;
    END $$;

    CREATE OR REPLACE FUNCTION tell_members_event_gone(event bigint, organizer bigint, own_group bigint, one_group bigint) RETURNS void LANGUAGE sql AS $$
      INSERT INTO changes (topic_kind, topic_id, type, subject_id, person_id, counted)
      SELECT DISTINCT 'account', m.user_id, 'event.gone', event, organizer, false
        FROM group_members m
       WHERE m.joined_at IS NOT NULL AND m.user_id <> organizer ${inSight}
         AND m.group_id IN (SELECT own_group WHERE one_group IS NULL UNION ALL SELECT i.group_id FROM group_interests i WHERE i.event_id = event AND one_group IS NULL
                            UNION ALL SELECT one_group)
         AND NOT EXISTS (SELECT FROM participations p WHERE p.event_id = event AND p.user_id = m.user_id
                            AND p.status IN ('confirmed', 'pending', 'waitlisted', 'requested', 'banned'))
         AND (one_group IS NULL OR NOT has_event_by_group(event, m.user_id))
    $$;`;
}

/** The function tell_sight_of_events() of migration 0188, with the additional statements `more`. */
function sightOfEvents(more: string): string {
  return `
    CREATE OR REPLACE FUNCTION tell_sight_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.removed_at IS NOT NULL OR EXISTS (SELECT FROM events e WHERE e.id = NEW.id) THEN
        PERFORM tell_sight_of_event(NEW.id, NEW.removed_at IS NOT NULL);
        ${more}
      END IF;
      RETURN NULL;
    END $$;`;
}

/**
 * The same entries as for a deleted occurrence (0146): for the series and, if the first occurrence is removed or
 * restored, for the other occurrences.
 */
const SERIES = `
  IF NEW.series_id IS NOT NULL THEN
    PERFORM record_update('account', NEW.organizer_id, 'series.updated', NEW.series_id);
    IF NOT EXISTS (SELECT FROM events e WHERE e.series_id = NEW.series_id AND e.series_index < NEW.series_index) THEN
      PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e WHERE e.series_id = NEW.series_id AND e.id <> NEW.id ORDER BY e.id;
    END IF;
  END IF;`;

const FUNCTIONS = `
  CREATE FUNCTION tell_event_of_another() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM record_update('event', NEW.id, 'event.updated', NEW.id);
    RETURN NULL;
  END $$;

  CREATE FUNCTION tell_group_of_another() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM record_update('group', NEW.id, 'group.updated', NEW.id);
    RETURN NULL;
  END $$;

  CREATE FUNCTION tell_place_of_another() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM record_change('event', NEW.event_id, 'participant.updated', NEW.user_id);
    RETURN NULL;
  END $$;

  CREATE FUNCTION tell_comment_of_another() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    root record;
    author bigint;
  BEGIN
    SELECT c.event_id, c.post_id INTO root FROM all_comments c WHERE c.id = coalesce(NEW.root_id, NEW.id);
    SELECT p.author_id INTO author FROM all_posts p WHERE p.id = root.post_id;
    PERFORM record_change(CASE WHEN root.event_id IS NULL THEN 'account' ELSE 'event' END, coalesce(root.event_id, author), 'comment.updated', NEW.id, NULL, root.post_id);
    RETURN NULL;
  END $$;

  CREATE FUNCTION tell_book_of_another() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    CASE TG_TABLE_NAME
      WHEN 'expense_shares' THEN PERFORM record_update('event', e.event_id, 'expense.updated', e.id) FROM expenses e WHERE e.id = NEW.expense_id;
      WHEN 'expense_payments' THEN PERFORM record_change('event', NEW.event_id, 'expense.updated', NEW.id, 'payment');
      ELSE PERFORM record_update('event', NEW.event_id, 'expense.updated', NEW.id);
    END CASE;
    RETURN NULL;
  END $$;
`;
