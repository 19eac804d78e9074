import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The columns of an event. A change of one of these columns is written to the feed. */
const EVENT = [
  'title',
  'description',
  'type',
  'status',
  'starts_at',
  'ends_at',
  'location_name',
  'location_address',
  'latitude',
  'longitude',
  'is_public',
  'join_mode',
  'join_password_sealed',
  'max_participants',
  'seeking_company',
  'age_min',
  'age_max',
  'gender_restriction',
  'price_czk',
  'price_note',
  'ticket_url',
  'ticket_price_credits',
  'photos_enabled',
  'source_name',
  'source_url',
  'boosted_until',
  'images',
  'group_id',
];
const PARTICIPATION = ['status', 'invited_at', 'requested_at', 'joined_at', 'checked_in_at', 'ticket_code'];
const ITINERARY = ['title', 'description', 'is_public', 'stops'];

/**
 * Triggers that write changes of events, participations, tickets, photos, expenses, payments and itineraries to the
 * feed of migration 0145. The trigger changes_keep_time keeps `updated_at` if an update of an event writes nothing to
 * the feed.
 */
export class ChangesOfEvents0146 implements MigrationInterface {
  readonly name = 'ChangesOfEvents0000000000146';
  readonly locks = [
    'events',
    'expense_payments',
    'expenses',
    'gallery_photos',
    'itineraries',
    'participations',
    'tickets',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(EVENTS);
    await runner.query(PARTICIPATIONS);
    await runner.query(PARTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER changes_are_told ON events;
      DROP TRIGGER changes_are_told_updated ON events;
      DROP TRIGGER changes_are_told_deleted ON events;
      DROP TRIGGER changes_keep_time ON events;
      DROP TRIGGER changes_are_told ON participations;
      DROP TRIGGER changes_are_told_updated ON participations;
      DROP TRIGGER changes_are_told ON tickets;
      DROP TRIGGER changes_are_told ON gallery_photos;
      DROP TRIGGER changes_are_told ON expenses;
      DROP TRIGGER changes_are_told ON expense_payments;
      DROP TRIGGER changes_are_told ON itineraries;
      DROP TRIGGER changes_are_told_updated ON itineraries;
      DROP FUNCTION tell_event(), tell_participation(), tell_part_of_event(), keep_updated_at(), tell_members_event_gone(bigint, bigint, bigint, bigint),
        has_event_by_group(bigint, bigint);
    `);
  }
}

function columns(row: 'OLD' | 'NEW', names: readonly string[]): string {
  return names.map((name) => `${row}.${name}`).join(', ');
}

function changed(names: readonly string[]): string {
  return `(${columns('OLD', names)}) IS DISTINCT FROM (${columns('NEW', names)})`;
}

/**
 * tell_members_event_gone() writes an entry `event.gone` for the members of the event's group (`own_group`) and of all
 * interested groups. If a group is no longer interested, this group is `one_group`, and only its members get the entry,
 * unless they see the event by another group. The organizer and people with a participation other than `declined` get
 * no entry from this function.
 */
const EVENTS = `
  CREATE FUNCTION keep_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.updated_at := OLD.updated_at;
    RETURN NEW;
  END $$;
  CREATE TRIGGER changes_keep_time BEFORE UPDATE ON events FOR EACH ROW
    WHEN (OLD.updated_at <> NEW.updated_at AND NOT (${changed(EVENT)})) EXECUTE FUNCTION keep_updated_at();

  CREATE FUNCTION has_event_by_group(event bigint, person bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM group_members m
      WHERE m.user_id = person AND m.joined_at IS NOT NULL
        AND (m.group_id = (SELECT e.group_id FROM events e WHERE e.id = event)
          OR EXISTS (SELECT FROM group_interests i WHERE i.group_id = m.group_id AND i.event_id = event))
        FOR KEY SHARE OF m;
    RETURN FOUND;
  END $$;

  CREATE FUNCTION tell_members_event_gone(event bigint, organizer bigint, own_group bigint, one_group bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO changes (topic_kind, topic_id, type, subject_id, person_id, counted)
    SELECT DISTINCT 'account', m.user_id, 'event.gone', event, organizer, false
      FROM group_members m
     WHERE m.joined_at IS NOT NULL AND m.user_id <> organizer
       AND m.group_id IN (SELECT own_group WHERE one_group IS NULL UNION ALL SELECT i.group_id FROM group_interests i WHERE i.event_id = event AND one_group IS NULL
                          UNION ALL SELECT one_group)
       AND NOT EXISTS (SELECT FROM participations p WHERE p.event_id = event AND p.user_id = m.user_id
                          AND p.status IN ('confirmed', 'pending', 'waitlisted', 'requested', 'banned'))
       AND (one_group IS NULL OR NOT has_event_by_group(event, m.user_id))
  $$;

  CREATE FUNCTION tell_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      PERFORM record_change('event', NEW.id, 'event.created', NEW.id, NULL, NEW.group_id, NEW.organizer_id);
      IF NEW.series_id IS NOT NULL THEN
        PERFORM record_update('account', NEW.organizer_id, 'series.updated', NEW.series_id);
      END IF;
      RETURN NULL;
    END IF;
    IF TG_OP = 'DELETE' THEN
      PERFORM record_change('account', OLD.organizer_id, 'event.gone', OLD.id, NULL, NULL, OLD.organizer_id);
      IF OLD.is_public THEN
        PERFORM tell_members_event_gone(OLD.id, OLD.organizer_id, OLD.group_id, NULL);
      END IF;
      IF OLD.series_id IS NOT NULL THEN
        PERFORM record_update('account', OLD.organizer_id, 'series.updated', OLD.series_id);
        IF NOT EXISTS (SELECT FROM events e WHERE e.series_id = OLD.series_id AND e.series_index < OLD.series_index) THEN
          PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e WHERE e.series_id = OLD.series_id AND e.id <> OLD.id ORDER BY e.id;
        END IF;
      END IF;
      RETURN OLD;
    END IF;
    IF NEW.status = 'cancelled' AND OLD.status <> 'cancelled' THEN
      PERFORM record_change('event', NEW.id, 'event.cancelled', NEW.id);
    ELSE
      PERFORM record_update('event', NEW.id, 'event.updated', NEW.id);
    END IF;
    IF OLD.is_public AND NOT NEW.is_public THEN
      PERFORM tell_members_event_gone(NEW.id, NEW.organizer_id, OLD.group_id, NULL);
    END IF;
    IF NEW.series_id IS NOT NULL AND (OLD.status, OLD.starts_at) IS DISTINCT FROM (NEW.status, NEW.starts_at) THEN
      PERFORM record_update('account', NEW.organizer_id, 'series.updated', NEW.series_id);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER changes_are_told AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION tell_event();
  CREATE TRIGGER changes_are_told_updated AFTER UPDATE ON events FOR EACH ROW
    WHEN (${changed(EVENT)}) EXECUTE FUNCTION tell_event();
  CREATE TRIGGER changes_are_told_deleted BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION tell_event();
`;

const PARTICIPATIONS = `
  CREATE FUNCTION tell_participation() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    event bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.event_id ELSE NEW.event_id END;
    person bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
    was text := CASE WHEN TG_OP <> 'INSERT' THEN OLD.status END;
    becomes text := CASE WHEN TG_OP <> 'DELETE' THEN NEW.status END;
    was_in boolean := coalesce(was IN ('confirmed', 'pending', 'waitlisted', 'requested'), false);
    is_in boolean := coalesce(becomes IN ('confirmed', 'pending', 'waitlisted', 'requested'), false);
    event_organizer bigint;
    event_public boolean;
  BEGIN
    IF is_in THEN
      INSERT INTO changes (topic_kind, topic_id, type, subject_id, person_id, counted, by_id)
      VALUES ('event', event, CASE WHEN becomes = 'confirmed' AND was IS DISTINCT FROM 'confirmed' THEN 'participant.joined'
                                   WHEN TG_OP = 'INSERT' THEN 'participant.created' ELSE 'participant.updated' END,
        person, CASE WHEN was IS DISTINCT FROM becomes THEN person END, (becomes = 'confirmed') <> (was IS NOT DISTINCT FROM 'confirmed'), change_teller());
      RETURN NULL;
    END IF;
    SELECT e.organizer_id, e.is_public INTO event_organizer, event_public FROM events e WHERE e.id = event;
    IF NOT FOUND THEN
      IF was_in THEN PERFORM record_change('account', person, 'event.gone', event); END IF;
      RETURN NULL;
    END IF;
    PERFORM record_change('event', event, CASE TG_OP WHEN 'DELETE' THEN 'participant.gone' WHEN 'INSERT' THEN 'participant.created' ELSE 'participant.updated' END,
      person, NULL, NULL, NULL, was IS NOT DISTINCT FROM 'confirmed');
    IF becomes IS NOT DISTINCT FROM 'banned' THEN
      IF was_in OR was IS DISTINCT FROM 'banned' AND event_public AND has_event_by_group(event, person) THEN
        PERFORM record_change('account', person, 'event.gone', event, NULL, NULL, event_organizer);
      END IF;
    ELSIF was_in AND NOT (event_public AND has_event_by_group(event, person)) THEN
      PERFORM record_change('account', person, 'event.gone', event, NULL, NULL, event_organizer);
    ELSIF was = 'banned' AND event_public AND has_event_by_group(event, person) THEN
      PERFORM record_change('account', person, 'event.updated', event);
    ELSIF was_in THEN
      PERFORM record_change('account', person, 'event.updated', event);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER changes_are_told AFTER INSERT OR DELETE ON participations FOR EACH ROW EXECUTE FUNCTION tell_participation();
  CREATE TRIGGER changes_are_told_updated AFTER UPDATE ON participations FOR EACH ROW
    WHEN (${changed(PARTICIPATION)}) EXECUTE FUNCTION tell_participation();
`;

const PARTS = `
  CREATE FUNCTION tell_part_of_event() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    part record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
    what text := TG_ARGV[0] || CASE TG_OP WHEN 'INSERT' THEN '.created' WHEN 'UPDATE' THEN '.updated' ELSE '.gone' END;
  BEGIN
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM events e WHERE e.id = part.event_id) THEN RETURN NULL; END IF;
    CASE TG_TABLE_NAME
      WHEN 'tickets' THEN PERFORM record_change('event', part.event_id, what, part.id, part.code);
      WHEN 'itineraries' THEN PERFORM record_change('event', part.event_id, what, part.event_id);
      WHEN 'expense_payments' THEN PERFORM record_change('event', part.event_id, 'expense.updated', part.id, 'payment');
      ELSE PERFORM record_change('event', part.event_id, what, part.id);
    END CASE;
    RETURN NULL;
  END $$;
  CREATE TRIGGER changes_are_told AFTER INSERT OR UPDATE OR DELETE ON tickets FOR EACH ROW EXECUTE FUNCTION tell_part_of_event('ticket');
  CREATE TRIGGER changes_are_told AFTER INSERT OR DELETE ON gallery_photos FOR EACH ROW EXECUTE FUNCTION tell_part_of_event('photo');
  CREATE TRIGGER changes_are_told AFTER INSERT OR DELETE ON expenses FOR EACH ROW EXECUTE FUNCTION tell_part_of_event('expense');
  CREATE TRIGGER changes_are_told AFTER INSERT OR DELETE ON expense_payments FOR EACH ROW EXECUTE FUNCTION tell_part_of_event('payment');
  CREATE TRIGGER changes_are_told AFTER INSERT OR DELETE ON itineraries FOR EACH ROW EXECUTE FUNCTION tell_part_of_event('itinerary');
  CREATE TRIGGER changes_are_told_updated AFTER UPDATE ON itineraries FOR EACH ROW
    WHEN (${changed(ITINERARY)}) EXECUTE FUNCTION tell_part_of_event('itinerary');
`;
