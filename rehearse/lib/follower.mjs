// Follows GET /changes and stores the resulting state in a file. The process can be killed at any moment.
//   follower.mjs FILE TOKEN ORIGIN …
// The file contains `{cursor, objects}`. `cursor`: all entries up to this cursor were applied. `objects`: the state, as
// a map of responses. For the event with the id `ID`, the keys of the map are `ID`, `ID/comments` and (if the account
// organizes the event) `ID/participants`.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Reads all events that the account organizes or participates in. */
export async function readAllEvents(get) {
  const state = {};
  for (const relation of ['organizing', 'joined']) {
    for (const { id } of (await get(`/events?relation=${relation}&per_page=100`)).data) await readEvent(get, state, id);
  }
  return state;
}

/**
 * Reads an event with its comments, and with its participants if the account is the organizer. An event that the
 * account can no longer read, or in which it no longer participates, is dropped from the state.
 */
async function readEvent(get, state, id) {
  for (const key of Object.keys(state)) if (key === id || key.startsWith(`${id}/`)) delete state[key];
  const own = await get(`/events/${id}`);
  const { data } = own ?? (await get(`/discover/events/${id}`)) ?? {};
  if (!data || (!own && data.viewer.participation !== 'confirmed')) return;
  state[id] = data;
  for (const part of own ? ['comments', 'participants'] : ['comments'])
    state[`${id}/${part}`] = (await get(`/events/${id}/${part}?per_page=100`))?.data ?? null;
}

/**
 * Returns `get(path)`, which returns the body of the response, or null for 403 and 404. After a 5xx or 429, or without
 * a response, `get` tries the next server. After every other status, `get` throws. A 429 is possible: an account has a
 * limited number of requests with `wait` (CHG-11), and a request to a killed server counts for 30 seconds more.
 */
export function client(origins, token) {
  let at = 0;
  return async (path) => {
    for (;;) {
      const answer = await fetch(`${origins[at % origins.length]}/api/v1${path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
        .then(async (one) => ({ status: one.status, body: await one.json() }))
        .catch(() => null);
      if (answer?.status === 200) return answer.body;
      if (answer?.status === 404 || answer?.status === 403) return null;
      if (answer && answer.status < 500 && answer.status !== 429) throw new Error(`${path}: ${answer.status}`);
      at++;
      await pause(50);
    }
  };
}

async function follow(file, token, origins) {
  const get = client(origins, token);
  const save = (state) => {
    writeFileSync(`${file}.part`, JSON.stringify(state));
    renameSync(`${file}.part`, file);
  };
  if (!existsSync(file)) {
    // The cursor is read before the state, so the feed also returns the changes that happen between the two reads.
    const {
      meta: { cursor },
    } = await get('/changes');
    save({ cursor, objects: await readAllEvents(get) });
  }
  let { cursor, objects } = JSON.parse(readFileSync(file, 'utf8'));
  for (;;) {
    const { data, meta } = await get(`/changes?cursor=${cursor}&limit=5&wait=1`);
    // The ids of the events that have changed, or whose comments or participants have changed.
    const touched = new Set(
      data
        .filter(({ subject }) => subject.type !== 'notice')
        .map(({ subject }) => (subject.type === 'event' ? subject.id : /\/events\/([^/]+)/.exec(subject.url)?.[1]))
        .filter(Boolean),
    );
    for (const id of touched) await readEvent(get, objects, id);
    cursor = meta.cursor;
    save({ cursor, objects });
  }
}

if (process.argv[1] === import.meta.filename) {
  const [file, token, ...origins] = process.argv.slice(2);
  await follow(file, token, origins);
}
