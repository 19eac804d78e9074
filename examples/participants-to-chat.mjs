// Posts every new participant of your events to a chat: `node participants-to-chat.mjs`. The SDK is in no registry:
// pack it in the service's repository (`npm run --silent sdk` prints the tarball's path), and install it beside this
// file (`npm install PATH`). EVENTS_TOKEN: a token with read access. CHAT_WEBHOOK: an incoming webhook of the chat,
// which accepts {"text": "…"} (Slack, Mattermost, Rocket.Chat …).
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { EventsClient, refused } from '@events-service/sdk';

const {
  EVENTS_TOKEN: token,
  CHAT_WEBHOOK: chat,
  EVENTS_URL: baseUrl = 'http://127.0.0.1:3000',
  CURSOR_FILE: file = 'cursor.txt',
} = process.env;
const client = new EventsClient({ token, baseUrl, language: 'en' });

/** Where it was when it ended, or now. */
async function begin() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return (await client.listChanges()).meta.cursor;
  }
}

/** Atomic, even if the bot is killed. */
function keep(cursor) {
  writeFileSync(`${file}.new`, cursor);
  renameSync(`${file}.new`, file);
}

/** The participant of that slug; null when the person has left meanwhile. */
async function participant(id, slug) {
  for await (const { user } of client.listEventParticipants.all({ id, status: 'confirmed' }))
    if (user.slug === slug) return user;
  return null;
}

async function post(text) {
  const { ok, status } = await fetch(chat, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  if (!ok) throw new Error(`the chat answered ${status}`);
}

let cursor = await begin();
keep(cursor);
for (;;) {
  try {
    for await (const change of client.changes({ cursor, types: ['participant.joined'] })) {
      // Of your own events `url` is …/events/ID/participants; of others' it is …/discover/events/ID, and the participant is you.
      const id = /\/api\/v1\/events\/([^/]+)\/participants$/.exec(change.subject.url)?.[1];
      // `subject` is the person who joined. `by` is the person who acted: for an approved request it is the organizer.
      const person =
        id && (change.by?.slug === change.subject.id ? change.by : await participant(id, change.subject.id));
      const event =
        person && (await client.getEvent({ id }).catch((error) => (refused(error) ? null : Promise.reject(error))));
      if (event)
        await post(`${person.name} joins “${event.title}” (${event.current_participants} are coming): ${event.url}`);
      keep((cursor = change.cursor));
    }
  } catch (error) {
    if (!refused(error, 'cursor_expired')) throw error;
    // Away for longer than changes are stored: continue from now.
    keep((cursor = (await client.listChanges()).meta.cursor));
  }
}
