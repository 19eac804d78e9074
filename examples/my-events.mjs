// A command-line tool that lists your upcoming events: `node my-events.mjs`. Before the first run:
// - Install the SDK in the folder of this file. `npm run --silent sdk` in the service's repository prints the path of
//   the SDK's tarball.
// - Register the app by POST /oauth/register with
//   {"client_name": "…", "grant_types": ["urn:ietf:params:oauth:grant-type:device_code"]}.
// - Set the environment variable EVENTS_CLIENT_ID to the `client_id` of the response.
// The first run shows an address and a code: open the address in any browser and enter the code.
// `node my-events.mjs disconnect` ends the tool's access to your account.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Connection, EventsClient, NotConnected } from '@events-service/sdk';

const {
  EVENTS_CLIENT_ID: clientId,
  EVENTS_URL: baseUrl = 'http://127.0.0.1:3000',
  TOKENS_FILE: file = 'tokens.json',
} = process.env;

/**
 * Stores the tokens in a file that only its owner can read. The file is replaced atomically, so after a crash it
 * contains either the previous or the new tokens.
 */
const store = {
  get() {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch (error) {
      if (error.code === 'ENOENT') return null;
      throw error;
    }
  },
  set(tokens) {
    if (tokens === null) return rmSync(file, { force: true });
    writeFileSync(`${file}.new`, JSON.stringify(tokens), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  },
};

const connection = new Connection({ baseUrl, clientId, store });
const client = new EventsClient({ baseUrl, token: connection, language: 'en' });

async function list() {
  const { name } = await client.getUser();
  console.log(`Upcoming events of ${name}:`);
  for await (const { title, starts_at } of client.listEvents.all({ scope: 'upcoming' }))
    console.log(`${starts_at} ${title}`);
}

if (process.argv[2] === 'disconnect') {
  await connection.revoke();
  console.log('The tool is disconnected.');
} else {
  try {
    await list();
  } catch (error) {
    if (!(error instanceof NotConnected)) throw error;
    await connection.authorizeDevice({
      scope: 'events:read',
      show: ({ verificationUri, userCode }) => console.log(`Open ${verificationUri} and enter the code ${userCode}`),
    });
    await list();
  }
}
