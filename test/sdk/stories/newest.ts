// This file uses endpoints and fields that story.ts does not use. Like a client developer, it imports only the
// installed package. test/sdk/package.spec.ts compiles and runs this file.
import { EventsClient, type components, type Item } from '@events-service/sdk';

const { CAST = '' } = process.env;
const { baseUrl, ...tokens } = JSON.parse(CAST) as Record<'baseUrl' | 'jana' | 'petr', string>;
const [jana, petr] = [tokens.jana, tokens.petr].map((token) => new EventsClient({ token, baseUrl })) as [
  EventsClient,
  EventsClient,
];
const startCursor = (await petr.listChanges()).meta.cursor;

const event = await jana.createEvent({
  title: 'Cards at six',
  starts_at: '2035-05-02T16:00:00Z',
  max_participants: 5,
  waitlist_mode: 'offer',
  offer_hours: 12,
});
const { id } = event;
const waitlist: readonly [mode: string, openOffers: number] = [event.waitlist_mode, event.open_offers];

const joined = await petr.joinEvent({ id });
const offer: { readonly expires_at: string } | null | undefined = joined.viewer.offer;
const position: number | null | undefined = joined.viewer.waitlist_position;

const found: Item<'searchUsers'>[] = [];
for await (const one of jana.searchUsers.all({ q: (await petr.getUser()).name })) found.push(one);
const profile = await jana.getUserProfile({ slug: (await petr.getUser()).slug });

const { text, recipients } = await jana.sendEventMessage({ id, text: 'See you there', to: 'confirmed' });
const messages: Item<'listEventMessages'>[] = [];
for await (const one of jana.listEventMessages.all({ id })) messages.push(one);

const stats: components['schemas']['EventStatistics'] = await jana.getEventStats({ id });
const csv: string = await jana.downloadEventParticipants({ id });

const link = await jana.createDoorLink({ id, name: 'North gate' });
const helper = new EventsClient({ token: link.token, baseUrl });
const door = await helper.getEventDoor({ id });
const links: string[] = [];
for await (const { name } of jana.listDoorLinks.all({ id })) links.push(name);
await jana.deleteDoorLink({ id, linkId: link.id });

// Read changes together with their subjects, until a change of the event arrives.
const subjects: unknown[] = [];
const stop = new AbortController();
try {
  for await (const change of petr.changes({
    cursor: startCursor,
    include: 'subject',
    stream: false,
    signal: stop.signal,
  })) {
    subjects.push([change.type, (change.object as { title?: string } | null)?.title ?? null]);
    if (change.subject.event === id) stop.abort();
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
}

// A request appears in the log after some seconds. Each read of the log adds entries, but no entry may be on two pages.
const logged: string[] = [];
for (let tries = 0; tries < 20 && !logged.includes('POST /api/v1/events'); tries++) {
  logged.length = 0;
  const ids = new Set<string>();
  for await (const one of jana.listRequests.all({ per_page: 2 })) {
    if (ids.has(one.id)) throw new Error('an entry was repeated');
    ids.add(one.id);
    logged.push(`${one.method} ${one.path}`);
  }
  await new Promise((done) => setTimeout(done, 500));
}

console.log(
  JSON.stringify({
    waitlist,
    seat: [offer ?? null, position ?? null],
    found: found.length > 0,
    profile: profile.viewer.is_self,
    messages: [text, recipients, messages.length],
    confirmed: stats.participants.confirmed,
    csv: csv.split(/\r?\n/)[0],
    door: door.people.length,
    links,
    subjects: subjects.length > 0,
    logged: logged.includes('POST /api/v1/events'),
  }),
);
