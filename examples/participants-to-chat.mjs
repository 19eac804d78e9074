// Posts every new participant of your events to a chat: `node participants-to-chat.mjs`, with `npm install events-sdk` beside it.
// EVENTS_TOKEN: a token that may read. CHAT_WEBHOOK: an incoming webhook of the chat, which takes {"text": "…"} (Slack, Mattermost, Rocket.Chat …).
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { EventsClient, refused } from 'events-sdk';

const { EVENTS_TOKEN: token, CHAT_WEBHOOK: chat, EVENTS_URL: baseUrl = 'http://127.0.0.1:3000', CURSOR_FILE: file = 'cursor.txt' } = process.env;
const client = new EventsClient({ token, baseUrl, language: 'en' });

/** Where it was when it ended, or now. */
async function begin() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return (await client.listChanges()).meta.cursor;
  }
}

/** Whole or not at all, whatever ends the bot. */
function keep(cursor) {
  writeFileSync(`${file}.new`, cursor);
  renameSync(`${file}.new`, file);
}

async function tell(text) {
  const { ok, status } = await fetch(chat, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text }) });
  if (!ok) throw new Error(`the chat answered ${status}`);
}

let cursor = await begin();
keep(cursor);
for (;;) {
  try {
    for await (const change of client.changes({ cursor, types: ['participant.joined'] })) {
      // …/events/ID/participants
      const id = /\/events\/([^/]+)\//.exec(change.subject.url)[1];
      // A change of one's own events names who joined; of others' it may be oneself, whose list nobody else reads.
      const event = await client.getEvent({ id }).catch((error) => (refused(error) ? null : Promise.reject(error)));
      if (event && change.by) await tell(`${change.by.name} joins “${event.title}” (${event.current_participants} are coming): ${event.url}`);
      keep((cursor = change.cursor));
    }
  } catch (error) {
    if (!refused(error, 'cursor_expired')) throw error;
    // Away for longer than changes are kept: go on from now.
    keep((cursor = (await client.listChanges()).meta.cursor));
  }
}
