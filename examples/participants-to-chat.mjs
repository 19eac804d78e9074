// Posts a message to a chat for every new participant of your events: `node participants-to-chat.mjs`. The SDK is not
// published in a registry: pack the SDK in the service's repository (`npm run --silent sdk` prints the tarball's path),
// and install the tarball in the folder of this file (`npm install PATH`). Environment variables: EVENTS_TOKEN is a
// token with read access. CHAT_WEBHOOK is the address of an incoming webhook of the chat that accepts {"text": "…"}
// (Slack, Mattermost, Rocket.Chat …). EVENTS_URL is the address of the service. CURSOR_FILE is the file that stores the
// position in the feed of changes (the cursor).
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { EventsClient, refused } from '@events-service/sdk';

const {
  EVENTS_TOKEN: token,
  CHAT_WEBHOOK: chatUrl,
  EVENTS_URL: baseUrl = 'http://127.0.0.1:3000',
  CURSOR_FILE: file = 'cursor.txt',
} = process.env;
const client = new EventsClient({ token, baseUrl, language: 'en' });

/** Returns the cursor that the last run stored. If there is no such cursor, returns the feed's current cursor. */
async function firstCursor() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return (await client.listChanges()).meta.cursor;
  }
}

/** Replaces the file with the cursor atomically, so that a crash never leaves a partial cursor. */
function storeCursor(cursor) {
  writeFileSync(`${file}.new`, cursor);
  renameSync(`${file}.new`, file);
}

/** For `catch`: null if the server has refused the request, for example because the event was deleted. */
const nullIfRefused = (error) => (refused(error) ? null : Promise.reject(error));

/** Returns the person with this slug among the participants of event `id`; null if the person has left meanwhile. */
async function findParticipant(id, slug) {
  for await (const { user } of client.listEventParticipants.all({ id, status: 'confirmed' }))
    if (user.slug === slug) return user;
  return null;
}

async function post(text) {
  const { ok, status } = await fetch(chatUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  if (!ok) throw new Error(`the chat answered ${status}`);
}

let cursor = await firstCursor();
storeCursor(cursor);
for (;;) {
  try {
    for await (const change of client.changes({ cursor, types: ['participant.joined'] })) {
      const { event: id, user: slug, url } = change.subject;
      // If you organize the event, `url` is the address of the list of participants. Otherwise you are the new
      // participant.
      if (!url.endsWith('/participants')) continue;
      // `by` is the person who acted. If this person is not the participant (for example, if the organizer approved a
      // request to join), the participant is read from the list.
      const person = change.by?.slug === slug ? change.by : await findParticipant(id, slug).catch(nullIfRefused);
      const event = person && (await client.getEvent({ id }).catch(nullIfRefused));
      if (event)
        await post(`${person.name} joins “${event.title}” (${event.current_participants} are coming): ${event.url}`);
      storeCursor((cursor = change.cursor));
    }
  } catch (error) {
    if (!refused(error, 'cursor_expired')) throw error;
    // The stored cursor has expired. The missed changes are skipped, and the loop continues with the current cursor.
    storeCursor((cursor = (await client.listChanges()).meta.cursor));
  }
}
