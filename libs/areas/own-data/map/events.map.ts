import { WRITTEN_PROPERTIES } from '../../events/event.fields';
import { seenGroupSql } from '../../events/event.resource';
import { each, INNER, ITSELF, SECRET, told, withheld, type PersonalTable } from './column';

const OWN_EVENTS = 'event_id IN (SELECT e.id FROM all_events e WHERE e.organizer_id = $1)';
const FOR_PARTICIPANTS = 'of an event that has participants, for these; other events go';
const OF_THE_BOOK = 'in the book of the event';

/** Of no use once nobody can join any more. */
const HOW_TO_GET_IN = ['is_public', 'join_mode'] as const;
/** A field that events get is in the export with the others, and stays with them. */
const SAID_BY_ORGANIZERS = ['description', ...Object.keys(WRITTEN_PROPERTIES)].filter(
  (field) => ![...HOW_TO_GET_IN, 'price_czk'].includes(field),
);

/** Events with all that is within them. */
export const EVENT_TABLES: Readonly<Record<string, PersonalTable>> = {
  all_events: {
    mine: 'organizer_id = $1',
    file: 'events',
    columns: {
      id: told('stays', 'event', FOR_PARTICIPANTS),
      organizer_id: withheld('face', ITSELF),
      group_id: { ...told('emptied', 'group'), sql: seenGroupSql('$1', 't') },
      series_id: told('emptied', 'series'),
      ...each(
        [
          'status',
          ...SAID_BY_ORGANIZERS,
          'ticket_price_credits',
          'source_name',
          'source_url',
          'created_at',
          'updated_at',
          'cancelled_at',
        ],
        told('stays', 'value', FOR_PARTICIPANTS),
      ),
      price_czk: told('stays', 'count', FOR_PARTICIPANTS),
      ...each(['series_index', ...HOW_TO_GET_IN, 'boosted_until'], told('emptied')),
      join_password_sealed: { ...told('emptied', 'sealed'), as: 'join_password' },
      images: withheld('emptied', 'the pictures are listed by themselves'),
      apply_key: withheld('emptied', 'the name of the event in an operator’s document'),
    },
    nobodys: ['over_at', 'confirmed_count', 'revision', 'calendar_sequence', 'version', 'removed_at'],
  },
  event_images: {
    mine: OWN_EVENTS,
    file: 'event-images',
    columns: {
      id: told('goes', 'event_image'),
      event_id: told('goes', 'event'),
      key: told('goes', 'file'),
      ...each(['width', 'height', 'is_primary', 'created_at'], told('goes')),
    },
    nobodys: [],
  },
  live_events: {
    columns: each(['organizer_id', 'folded'], withheld('goes', 'a copy for searching')),
    nobodys: [
      'id',
      'starts_at',
      'over_at',
      'boosted_until',
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
      'created_at',
    ],
  },
  live_event_changes: {
    columns: each(
      ['organizer_id', 'folded'],
      withheld('goes', 'a copy for counting', 'some minutes later, by the job discover-sweep'),
    ),
    nobodys: [
      'xid',
      'noted_at',
      'sign',
      'over_at',
      'starts_at',
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
      'id',
      'counted_in',
    ],
  },
  hidden_from_changes: {
    columns: { user_id: withheld('goes', INNER, 'some minutes later, by the job discover-sweep') },
    nobodys: ['xid', 'noted_at'],
  },
  all_series: {
    mine: 'organizer_id = $1',
    file: 'series',
    columns: {
      id: told('goes', 'series'),
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
        told('goes'),
      ),
      until: told('goes', 'day'),
      template: withheld('goes', SECRET, 'it may have a password; the events made of it are in the export'),
    },
    nobodys: ['generated', 'version', 'removed_at'],
  },
  itineraries: {
    mine: OWN_EVENTS,
    file: 'itineraries',
    columns: {
      event_id: told('stays', 'event'),
      is_public: told('emptied'),
      ...each(['title', 'description', 'stops', 'created_at', 'updated_at'], told('stays', 'value', FOR_PARTICIPANTS)),
    },
    nobodys: ['version'],
  },
  participations: {
    mine: 'user_id = $1',
    file: 'participations',
    columns: {
      event_id: told('stays', 'event', 'places in what is over stay, in what is to come they are freed'),
      user_id: withheld('face', ITSELF),
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
        ],
        told('stays'),
      ),
      check_in_code: withheld('stays', SECRET),
      credit_hold_id: withheld('stays', INNER),
    },
    nobodys: [],
  },
  tickets: {
    mine: OWN_EVENTS,
    file: 'tickets',
    columns: {
      event_id: told('stays', 'event'),
      ...each(['code', 'created_at'], told('stays', 'value', FOR_PARTICIPANTS)),
      used_by: withheld('face', "it is others'"),
      used_at: told('stays'),
    },
    nobodys: ['id'],
  },
  wrong_passwords: {
    mine: 'user_id = $1',
    file: 'wrong-passwords',
    columns: { event_id: told('goes', 'event'), user_id: withheld('goes', ITSELF), guessed_at: told('goes') },
    nobodys: [],
  },
  door_marks: {
    mine: 'user_id = $1',
    file: 'door-marks',
    columns: {
      event_id: told('stays', 'event'),
      user_id: withheld('face', ITSELF),
      kind: told('stays'),
      second: told('stays', 'count'),
    },
    nobodys: ['ordinal'],
  },
  group_interests: {
    mine: 'added_by = $1',
    file: 'group-interests',
    columns: {
      group_id: told('stays', 'group'),
      event_id: told('stays', 'event'),
      added_by: withheld('face', ITSELF),
      created_at: told('stays'),
    },
    nobodys: [],
  },
  expenses: {
    mine: 'paid_by = $1',
    file: 'expenses',
    columns: {
      id: told('stays', 'expense', OF_THE_BOOK),
      event_id: told('stays', 'event', OF_THE_BOOK),
      ...each(['title', 'amount_cents', 'currency', 'created_at'], told('stays', 'value', OF_THE_BOOK)),
      paid_by: withheld('face', ITSELF),
    },
    nobodys: [],
  },
  expense_shares: {
    mine: 'user_id = $1',
    file: 'expense-shares',
    columns: {
      expense_id: told('stays', 'expense', OF_THE_BOOK),
      user_id: withheld('face', ITSELF),
      amount_cents: told('stays', 'value', OF_THE_BOOK),
    },
    nobodys: [],
  },
  expense_payments: {
    mine: '$1 IN (sender_id, receiver_id, entered_by)',
    file: 'payments',
    columns: {
      id: told('stays', 'payment', OF_THE_BOOK),
      event_id: told('stays', 'event', OF_THE_BOOK),
      ...each(['sender_id', 'receiver_id', 'entered_by'], told('face', 'person', OF_THE_BOOK)),
      ...each(['amount_cents', 'currency', 'created_at'], told('stays', 'value', OF_THE_BOOK)),
    },
    nobodys: [],
  },
  all_gallery_photos: {
    mine: 'author_id = $1',
    file: 'photos',
    columns: {
      id: told('goes', 'photo'),
      event_id: told('goes', 'event'),
      author_id: withheld('goes', ITSELF),
      key: told('goes', 'file'),
      ...each(['width', 'height', 'created_at'], told('goes')),
    },
    nobodys: ['removed_at'],
  },
};
