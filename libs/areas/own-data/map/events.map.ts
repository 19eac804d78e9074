import { WRITTEN_PROPERTIES } from '../../events/event.fields';
import { visibleGroupSql } from '../../events/event.resource';
import { each, HASH, INTERNAL, ITSELF, SECRET, exported, withheld, type PersonalTable } from './column';

const OWN_EVENTS = 'event_id = ANY (ARRAY(SELECT e.id FROM all_events e WHERE e.organizer_id = $1))';
const FOR_PARTICIPANTS = 'if the event has participants or expenses; otherwise the event is deleted';
const IN_EXPENSE_LIST = 'in the expense list of the event';

/** Columns that define who can see and join an event. The erasure of the organizer changes their values. */
const JOINING_COLUMNS = ['is_public', 'join_mode'] as const;
/**
 * The other columns that organizers write, except `price_czk` and the join password. The names are computed from the
 * list of fields, so that the export and the erasure treat each new field of events like the existing fields.
 */
const WRITTEN_BY_ORGANIZERS = ['description', ...Object.keys(WRITTEN_PROPERTIES)].filter(
  (field) => ![...JOINING_COLUMNS, 'price_czk'].includes(field),
);

/** The columns without personal data that Discover copies from events. */
const COPIED_COLUMNS = [
  'id',
  'starts_at',
  'over_at',
  'type',
  'imported',
  'seeking',
  'participants',
  'x',
  'y',
  'z',
  'cell',
  'free',
  'group_id',
  'series_id',
  'latitude',
  'longitude',
] as const;

/** The table of events and the tables that belong to it. */
export const EVENT_TABLES: Readonly<Record<string, PersonalTable>> = {
  all_events: {
    mine: 'organizer_id = $1',
    file: 'events',
    columns: {
      id: exported('stays', 'event', FOR_PARTICIPANTS),
      organizer_id: withheld('pseudonymised', ITSELF),
      group_id: { ...exported('emptied', 'group'), sql: visibleGroupSql('$1', 't') },
      series_id: exported('emptied', 'series'),
      ...each(
        [
          'status',
          ...WRITTEN_BY_ORGANIZERS,
          'ticket_price_credits',
          'source_name',
          'source_url',
          'created_at',
          'updated_at',
          'cancelled_at',
        ],
        exported('stays', 'value', FOR_PARTICIPANTS),
      ),
      price_czk: exported('stays', 'count', FOR_PARTICIPANTS),
      is_public: exported('stays', 'value', 'the event becomes private'),
      join_mode: exported('stays', 'value', 'the mode `password` is replaced by `request`'),
      ...each(['series_index', 'boosted_until'], exported('emptied')),
      join_password_sealed: { ...exported('emptied', 'sealed'), as: 'join_password' },
      images: withheld('emptied', 'the pictures are listed separately'),
      apply_key: withheld('emptied', 'the key that identifies the event in an operator’s file (command `apply`)'),
    },
    notPersonal: [
      'over_at',
      'confirmed_count',
      'offers_count',
      'revision',
      'calendar_sequence',
      'version',
      'removed_at',
    ],
  },
  event_changes: {
    columns: each(
      ['event_id', 'starts_at', 'ends_at', 'location_name', 'location_address', 'latitude', 'longitude'],
      withheld(
        'stays',
        'the event before its last change',
        'for some minutes, until the notice of the change is written',
      ),
    ),
    notPersonal: ['changed_at'],
  },
  event_reminders: { columns: {}, notPersonal: ['event_id', 'start_set_at', 'look_at'] },
  event_digests: { columns: {}, notPersonal: ['event_id', 'kind', 'written_at'] },
  event_images: {
    mine: OWN_EVENTS,
    file: 'event-images',
    columns: {
      id: exported('goes', 'event_image'),
      event_id: exported('goes', 'event'),
      key: exported('goes', 'file'),
      ...each(['width', 'height', 'is_primary', 'created_at'], exported('goes')),
    },
    notPersonal: [],
  },
  live_events: {
    columns: each(['organizer_id', 'folded', 'folded_text'], withheld('goes', 'a copy for searching')),
    notPersonal: [...COPIED_COLUMNS, 'boosted_until', 'created_at'],
  },
  live_event_changes: {
    columns: each(
      ['organizer_id', 'folded', 'folded_text'],
      withheld('goes', 'a copy for counting', 'some minutes later, by the job discover-sweep'),
    ),
    notPersonal: [...COPIED_COLUMNS, 'xid', 'noted_at', 'sign', 'counted_in'],
  },
  hidden_from_changes: {
    columns: {
      user_id: withheld(
        'goes',
        INTERNAL,
        'the erasure ends the blocks against the person and adds a row for each of these blocks; the job discover-sweep deletes the rows some minutes later',
      ),
    },
    notPersonal: ['xid', 'noted_at'],
  },
  all_series: {
    mine: 'organizer_id = $1',
    file: 'series',
    columns: {
      id: exported('goes', 'series'),
      organizer_id: withheld('goes', ITSELF),
      ...each(
        [
          'starts_at',
          'frequency',
          'interval',
          'occurrences_limit',
          'duration_minutes',
          'next_start',
          'cancelled_at',
          'created_at',
          'updated_at',
        ],
        exported('goes'),
      ),
      until: exported('goes', 'day'),
      template: exported('goes', 'template'),
    },
    notPersonal: ['generated', 'version', 'removed_at'],
  },
  itineraries: {
    mine: OWN_EVENTS,
    file: 'itineraries',
    columns: {
      event_id: exported('stays', 'event'),
      is_public: exported('stays', 'value', 'the plan is no longer public'),
      ...each(
        ['title', 'description', 'stops', 'created_at', 'updated_at'],
        exported('stays', 'value', FOR_PARTICIPANTS),
      ),
    },
    notPersonal: ['version'],
  },
  all_event_messages: {
    mine: OWN_EVENTS,
    file: 'messages',
    columns: {
      id: exported('goes', 'message'),
      event_id: exported('goes', 'event'),
      ...each(['text', 'sent_to', 'recipients', 'created_at'], exported('goes')),
    },
    notPersonal: ['day', 'removed_at'],
  },
  event_message_recipients: {
    columns: { user_id: withheld('goes', 'the export of a recipient contains the notice with the text') },
    notPersonal: ['message_id'],
  },
  participations: {
    mine: 'user_id = $1',
    file: 'participations',
    columns: {
      event_id: exported('stays', 'event', 'participations in past events stay; seats in upcoming events are freed'),
      user_id: withheld('pseudonymised', ITSELF),
      ...each(
        [
          'status',
          'invited_at',
          'requested_at',
          'joined_at',
          'checked_in_at',
          'created_at',
          'updated_at',
          'ticket_code',
          'offer_expires_at',
        ],
        exported('stays'),
      ),
      checked_in_by: withheld('stays', 'the name that the organizer gave the door link'),
      check_in_code: withheld('stays', SECRET),
      ...each(['credit_hold_id', 'related_since', 'digest', 'waitlist_number'], withheld('stays', INTERNAL)),
    },
    notPersonal: [],
  },
  tickets: {
    mine: OWN_EVENTS,
    file: 'tickets',
    columns: {
      event_id: exported('stays', 'event'),
      ...each(['code', 'created_at'], exported('stays', 'value', FOR_PARTICIPANTS)),
      used_by: withheld('pseudonymised', 'it identifies another person'),
      used_at: exported('stays'),
    },
    notPersonal: ['id'],
  },
  wrong_passwords: {
    mine: 'user_id = $1',
    file: 'wrong-passwords',
    columns: { event_id: exported('goes', 'event'), user_id: withheld('goes', ITSELF), guessed_at: exported('goes') },
    notPersonal: [],
  },
  door_marks: {
    mine: 'user_id = $1',
    file: 'door-marks',
    columns: {
      event_id: exported('stays', 'event'),
      user_id: withheld('pseudonymised', ITSELF),
      kind: exported('stays'),
      second: exported('stays', 'count'),
      link_name: withheld('stays', 'the name that the organizer gave the link'),
    },
    notPersonal: ['ordinal'],
  },
  door_links: {
    mine: OWN_EVENTS,
    file: 'door-links',
    columns: {
      id: exported('goes', 'door_link'),
      event_id: exported('goes', 'event'),
      ...each(['name', 'last_used_at', 'created_at'], exported('goes')),
      hash: withheld('goes', HASH),
      grant_id: withheld('goes', INTERNAL),
    },
    notPersonal: [],
  },
  group_interests: {
    mine: 'added_by = $1',
    file: 'group-interests',
    columns: {
      group_id: exported('stays', 'group'),
      event_id: exported('stays', 'event'),
      added_by: withheld('pseudonymised', ITSELF),
      created_at: exported('stays'),
    },
    notPersonal: [],
  },
  expenses: {
    // The organizer adds all expenses of an event (EXP-1), so they are also data of the organizer.
    mine: `(paid_by = $1 OR ${OWN_EVENTS})`,
    file: 'expenses',
    columns: {
      id: exported('stays', 'expense', IN_EXPENSE_LIST),
      event_id: exported('stays', 'event', IN_EXPENSE_LIST),
      ...each(['title', 'amount_cents', 'currency', 'created_at'], exported('stays', 'value', IN_EXPENSE_LIST)),
      paid_by: exported('pseudonymised', 'person', IN_EXPENSE_LIST),
    },
    notPersonal: [],
  },
  expense_shares: {
    mine: 'user_id = $1',
    file: 'expense-shares',
    columns: {
      expense_id: exported('stays', 'expense', IN_EXPENSE_LIST),
      user_id: withheld('pseudonymised', ITSELF),
      amount_cents: exported('stays', 'value', IN_EXPENSE_LIST),
    },
    added: {
      event_id: { exportForm: 'event', sql: '(SELECT e.event_id FROM expenses e WHERE e.id = t.expense_id)' },
      title: { exportForm: 'value', sql: '(SELECT e.title FROM expenses e WHERE e.id = t.expense_id)' },
      currency: { exportForm: 'value', sql: '(SELECT e.currency FROM expenses e WHERE e.id = t.expense_id)' },
    },
    notPersonal: [],
  },
  expense_payments: {
    mine: '$1 IN (sender_id, receiver_id, entered_by)',
    file: 'payments',
    columns: {
      id: exported('stays', 'payment', IN_EXPENSE_LIST),
      event_id: exported('stays', 'event', IN_EXPENSE_LIST),
      ...each(['sender_id', 'receiver_id', 'entered_by'], exported('pseudonymised', 'person', IN_EXPENSE_LIST)),
      ...each(['amount_cents', 'currency', 'created_at'], exported('stays', 'value', IN_EXPENSE_LIST)),
    },
    notPersonal: [],
  },
  all_gallery_photos: {
    mine: 'author_id = $1',
    file: 'photos',
    columns: {
      id: exported('goes', 'photo'),
      event_id: exported('goes', 'event'),
      author_id: withheld('goes', ITSELF),
      key: exported('goes', 'file'),
      ...each(['width', 'height', 'created_at'], exported('goes')),
    },
    notPersonal: ['removed_at'],
  },
};
