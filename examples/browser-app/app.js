// An app without a backend: lists the events of the person who connects it. README.md describes how to start it.
import { Connection, EventsClient, NotConnected, OAuthRefusal } from './sdk/index.js';
import { baseUrl, clientId } from './settings.js';

/** A value of this tab only, which is deleted when the tab is closed. */
const inTab = (key) => ({
  get: () => JSON.parse(sessionStorage.getItem(key)),
  set: (value) =>
    value === null ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, JSON.stringify(value)),
});
const pending = inTab('pending');
const connection = new Connection({ baseUrl, clientId, store: inTab('tokens') });
const client = new EventsClient({ baseUrl, token: connection, language: 'en' });
const redirectUri = location.origin + location.pathname;
const part = (id) => document.getElementById(id);

part('connect').addEventListener('click', async () => {
  const started = await connection.authorize({ redirectUri, scope: 'events:read' });
  pending.set(started.pending);
  location.assign(started.url);
});
part('disconnect').addEventListener('click', async () => {
  await connection.revoke();
  location.reload();
});

/** The person has come back from the consent page. */
async function finish() {
  const [callback, started] = [location.href, pending.get()];
  // A code works once: reloading the page must not send it again.
  history.replaceState(null, '', redirectUri);
  pending.set(null);
  if (started) await connection.finish(callback, started);
}

async function show() {
  const { name } = await client.getUser();
  const titles = [];
  for await (const { title, starts_at } of client.listEvents.all({ scope: 'upcoming' }))
    titles.push(`${new Date(starts_at).toLocaleString()}: ${title}`);
  part('name').textContent = name;
  part('events').replaceChildren(
    ...titles.map((text) => Object.assign(document.createElement('li'), { textContent: text })),
  );
  part('account').hidden = false;
}

try {
  if (new URLSearchParams(location.search).has('state')) await finish();
  await show();
} catch (error) {
  part('welcome').hidden = false;
  if (error instanceof OAuthRefusal && error.error === 'access_denied')
    part('message').textContent = 'You did not allow the app to see your events.';
  else if (!(error instanceof NotConnected)) part('message').textContent = error.message;
}
