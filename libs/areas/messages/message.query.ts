import { statement } from '#platform/database/database';

const COLUMNS = 'id, text, sent_to, recipients, created_at';

/** The messages of event $1, newest first. $2 limit, $3 offset. */
export const MESSAGES_OF_EVENT = statement(
  'messages_of_event',
  `SELECT ${COLUMNS} FROM event_messages WHERE event_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
);
export const MESSAGES_OF_EVENT_TOTAL = statement(
  'messages_of_event_total',
  'SELECT count(*)::int AS total FROM event_messages WHERE event_id = $1',
);

/**
 * The number of messages of event $1 on day $2, including removed messages. The calling code has locked the event, so
 * no other transaction can add a message to this event until the commit.
 */
export const MESSAGES_OF_DAY = statement(
  'messages_of_day',
  'SELECT count(*)::int AS total FROM all_event_messages WHERE event_id = $1 AND day = $2',
);

/** Stores a message of event $1 and its recipients. $2 text, $3 audience, $4 day, $5 ids of the recipients, $6 now. */
export const ADD_MESSAGE = statement(
  'messages_add',
  `WITH message AS (
     INSERT INTO all_event_messages (event_id, text, sent_to, recipients, day, created_at)
     VALUES ($1, $2, $3, cardinality($5::bigint[]), $4, $6) RETURNING ${COLUMNS}
   ), sent AS (
     INSERT INTO event_message_recipients (message_id, user_id)
     SELECT message.id, u.id FROM message, unnest($5::bigint[]) AS u (id) ORDER BY u.id
   ) SELECT ${COLUMNS} FROM message`,
);

export const IS_RECIPIENT = statement(
  'messages_is_recipient',
  'SELECT 1 AS got FROM event_message_recipients r JOIN event_messages m ON m.id = r.message_id WHERE r.message_id = $1 AND r.user_id = $2',
);
