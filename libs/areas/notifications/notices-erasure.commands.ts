import { statement, type Transaction } from '#platform/database/database';
import { PSEUDONYMS_SQL, type Pseudonyms } from '../identity/pseudonyms.commands';

const EVENTS_OF_NOTICES = statement(
  'notifications_events_of_notices',
  'SELECT DISTINCT event_id FROM notifications WHERE person_id = $1 AND event_id IS NOT NULL AND user_id <> $1',
);
const HAND_OVER_NOTICES = statement(
  'notifications_hand_over',
  `UPDATE notifications n SET person_id = pseudonym.user_id FROM ${PSEUDONYMS_SQL} WHERE n.person_id = $1 AND n.event_id = pseudonym.scope_id AND n.user_id <> $1`,
);
const FORGET_PERSON = statement(
  'notifications_forget_person',
  'UPDATE notifications SET person_id = NULL WHERE person_id = $1 AND user_id <> $1',
);
const FORGET_IN_DIGESTS = statement(
  'notifications_forget_in_digests',
  'UPDATE notifications SET people = array_remove(people, $1::bigint) WHERE $1::bigint = ANY (people)',
);
const DELETE_NOTICES_OF = statement('notifications_delete_of', 'DELETE FROM notifications WHERE user_id = $1');
const FORGET_NAMED = statement(
  'notifications_forget_named',
  `UPDATE notifications SET words = words || '{"named": ""}' WHERE subject_type = 'report' AND subject_id = ANY($1::bigint[]) AND words ? 'named'`,
);
/** The slug of a deleted post is part of the address in the notice, so a random slug replaces it. */
const FORGET_POSTS = statement(
  'notifications_forget_posts',
  `UPDATE notifications SET words = words || jsonb_build_object('title', 'deleted', 'post', 'deleted-' || left(replace(gen_random_uuid()::text, '-', ''), 20))
    WHERE post_id = ANY($1::bigint[])`,
);
const FORGET_GROUPS = statement(
  'notifications_forget_groups',
  `UPDATE notifications SET words = words || '{"group": "deleted"}' WHERE subject_type = 'group' AND subject_id = ANY($1::bigint[])`,
);
const FORGET_APPS = statement(
  'notifications_forget_apps',
  `UPDATE notifications SET words = words || '{"app": "deleted"}' WHERE subject_type = 'app' AND subject_id = ANY($1::bigint[])`,
);
/** Removes places. Afterwards a notice about a changed place states only that the place on the map has moved. */
const FORGET_PLACES = statement(
  'notifications_forget_places',
  `UPDATE notifications SET words = words - '{place,place_from,place_to,address_from,address_to}'::text[]
          || CASE WHEN words ?| '{place_to,address_to}' THEN '{"moved": "1"}'::jsonb ELSE '{}' END
    WHERE event_id = ANY($1::bigint[]) AND words ?| '{place,place_to,address_to}'`,
);

/** Finds the notices of other people that refer to this person, and returns the ids of these notices' events. */
export async function eventsOfNotices(tx: Transaction, userId: number): Promise<number[]> {
  const rows = await tx.rows<{ event_id: string }>(EVENTS_OF_NOTICES, [userId]);
  return rows.map((row) => Number(row.event_id));
}

/**
 * Deletes the person's notices. In the notices of other people, the account's pseudonym for the event replaces the
 * person. If there is no such pseudonym, the notice no longer refers to anybody. Digests (notices to organizers about
 * people who joined) no longer name the person. `reportIds` are the reports on the person's objects. Notices about
 * these reports no longer contain the name of the object.
 */
export async function eraseNotices(
  tx: Transaction,
  userId: number,
  pseudonyms: Pseudonyms,
  reportIds: readonly number[],
): Promise<void> {
  await tx.rows(DELETE_NOTICES_OF, [userId]);
  await tx.rows(HAND_OVER_NOTICES, [userId, ...pseudonyms.in('event')]);
  await tx.rows(FORGET_PERSON, [userId]);
  await tx.rows(FORGET_IN_DIGESTS, [userId]);
  await tx.rows(FORGET_NAMED, [reportIds]);
}

/** Removes the titles and slugs of the person's deleted posts from the notices of other people. */
export async function forgetPosts(tx: Transaction, postIds: readonly number[]): Promise<void> {
  if (postIds.length > 0) await tx.rows(FORGET_POSTS, [postIds]);
}

/** Removes the names of deleted groups from notices. */
export async function forgetGroups(tx: Transaction, groupIds: readonly number[]): Promise<void> {
  if (groupIds.length > 0) await tx.rows(FORGET_GROUPS, [groupIds]);
}

/** Removes the names of the person's deleted apps from the notices of other people. */
export async function forgetApps(tx: Transaction, appIds: readonly number[]): Promise<void> {
  if (appIds.length > 0) await tx.rows(FORGET_APPS, [appIds]);
}

/** Removes the places of the person's events from notices. */
export async function forgetPlaces(tx: Transaction, eventIds: readonly number[]): Promise<void> {
  if (eventIds.length > 0) await tx.rows(FORGET_PLACES, [eventIds]);
}
