// A browser app without its own server. The app lists the upcoming events of the account that it is connected to.
// README.md describes how to start the app.
import { Connection, EventsClient, NotConnected, OAuthRefusal } from './sdk/index.js';
import { baseUrl, clientId } from './settings.js';

/**
 * Returns functions that read and store a value for this tab only. `set(null)` deletes the value. Closing the tab
 * deletes the value too.
 */
const inTab = (key) => ({
  get: () => JSON.parse(sessionStorage.getItem(key)),
  set: (value) =>
    value === null ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, JSON.stringify(value)),
});
const pending = inTab('pending');
const connection = new Connection({ baseUrl, clientId, store: inTab('tokens') });
const client = new EventsClient({ baseUrl, token: connection, language: 'en' });
const redirectUri = location.origin + location.pathname;
const element = (id) => document.getElementById(id);

element('connect').addEventListener('click', async () => {
  const started = await connection.authorize({ redirectUri, scope: 'events:read' });
  pending.set(started.pending);
  location.assign(started.url);
});
element('disconnect').addEventListener('click', async () => {
  await connection.revoke();
  location.reload();
});

/** Called when the person has come back from the consent page. */
async function finish() {
  const [callback, started] = [location.href, pending.get()];
  // If the person has agreed, the current address contains the authorization code, which works only once. The address
  // is replaced, so that a reload of the page does not send the code again.
  history.replaceState(null, '', redirectUri);
  pending.set(null);
  if (started) await connection.finish(callback, started);
}

async function show() {
  const { name } = await client.getUser();
  const titles = [];
  for await (const { title, starts_at } of client.listEvents.all({ scope: 'upcoming' }))
    titles.push(`${new Date(starts_at).toLocaleString()}: ${title}`);
  element('name').textContent = name;
  element('events').replaceChildren(
    ...titles.map((text) => Object.assign(document.createElement('li'), { textContent: text })),
  );
  element('account').hidden = false;
}

try {
  if (new URLSearchParams(location.search).has('state')) await finish();
  await show();
} catch (error) {
  element('welcome').hidden = false;
  if (error instanceof OAuthRefusal && error.error === 'access_denied')
    element('message').textContent = 'You did not allow the app to see your events.';
  else if (!(error instanceof NotConnected)) element('message').textContent = error.message;
}
