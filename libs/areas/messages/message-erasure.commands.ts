import { statement, type Transaction } from '#platform/database/database';

const DELETE_MESSAGES_OF = statement(
  'messages_delete_of',
  'DELETE FROM all_event_messages m USING all_events e WHERE e.id = m.event_id AND e.organizer_id = $1 RETURNING m.id',
);

/** Deletes all messages to the people of events that the user organizes. Returns the ids of the messages. */
export async function deleteMessagesOf(tx: Transaction, userId: number): Promise<number[]> {
  return (await tx.rows<{ id: string }>(DELETE_MESSAGES_OF, [userId])).map(({ id }) => Number(id));
}
