import fc from 'fast-check';
import { buildEvent } from '#testing/builders';
import { HoldingFollower } from '#testing/follower';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';

const SEQUENCES = repetitions('follower_sequences');
const STEPS = 25;
const PEOPLE = 4;

/** Everything somebody may do in a sequence: whatever is refused has changed nothing, and is told to nobody. */
interface World {
  readonly people: readonly Person[];
  readonly events: string[];
  readonly groups: string[];
  readonly posts: string[];
  readonly comments: string[];
}
type Deed = (world: World, actor: Person, other: Person, pick: <T>(list: readonly T[]) => T | undefined) => Promise<unknown>;

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

const remember = (list: string[], answer: { status: number; body: { data?: { id?: string; slug?: string } } }, field: 'id' | 'slug' = 'id'): void => {
  const name = answer.status === 201 ? answer.body.data?.[field] : undefined;
  if (name !== undefined) list.push(name);
};

const DEEDS: Record<string, Deed> = {
  'announces an event': async ({ events }, { userId }, _, pick) => {
    const actor = { userId } as Person;
    events.push((await buildEvent(server, actor, { is_public: pick([true, false]) ?? true, join_mode: pick(['open', 'request'] as const) ?? 'open', max_participants: 3, photos_enabled: true })).id);
  },
  'announces an event of a group': async ({ events, groups }, actor, _, pick) => {
    const made = await buildEvent(server, actor, { group: pick(groups) ?? '', is_public: pick([true, false]) ?? true }).catch(() => null);
    if (made) events.push(made.id);
  },
  'renames an event': ({ events }, actor, _, pick) => actor.api.patch(`/events/${pick(events)}`, { title: `Akce ${pick(['A', 'B'])}` }),
  'shows or hides an event': ({ events }, actor, _, pick) => actor.api.patch(`/events/${pick(events)}`, { is_public: pick([true, false]) }),
  'cancels an event': ({ events }, actor, _, pick) => actor.api.patch(`/events/${pick(events)}`, { status: 'cancelled' }),
  'deletes an event': ({ events }, actor, _, pick) => actor.api.delete(`/events/${pick(events)}`),
  joins: ({ events }, actor, _, pick) => actor.api.post(`/events/${pick(events)}/join`),
  waits: ({ events }, actor, _, pick) => actor.api.post(`/events/${pick(events)}/waitlist`),
  leaves: ({ events }, actor, _, pick) => actor.api.delete(`/events/${pick(events)}/join`),
  invites: ({ events }, actor, other, pick) => actor.api.post(`/events/${pick(events)}/participants`, { user: other.slug }),
  promotes: ({ events }, actor, other, pick) => actor.api.post(`/events/${pick(events)}/participants/${other.slug}/promote`),
  removes: ({ events }, actor, other, pick) => actor.api.delete(`/events/${pick(events)}/participants/${other.slug}${pick(['', '?ban=1'])}`),
  'checks in': ({ events }, actor, other, pick) => actor.api.put(`/events/${pick(events)}/participants/${other.slug}/check-in`),
  comments: async ({ events, comments }, actor, _, pick) => remember(comments, await actor.api.post(`/events/${pick(events)}/comments`, { body: 'Ahoj', parent: pick([null, pick(comments) ?? null]) ?? null })),
  'takes a comment back': ({ comments }, actor, _, pick) => actor.api.delete(`/comments/${pick(comments)}`),
  'notes an expense': ({ events }, actor, _, pick) => actor.api.post(`/events/${pick(events)}/expenses`, { title: 'Pivo', amount: 100 }),
  pays: ({ events }, actor, other, pick) => actor.api.post(`/events/${pick(events)}/expenses/payments`, { to: other.slug, amount: 10, currency: 'CZK' }),
  plans: ({ events }, actor, _, pick) => actor.api.put(`/events/${pick(events)}/itinerary`, { title: `Cesta ${pick(['A', 'B'])}`, stops: [{ title: 'Start' }] }),
  'drops the plan': ({ events }, actor, _, pick) => actor.api.delete(`/events/${pick(events)}/itinerary`),
  'founds a group': async ({ groups }, actor, _, pick) => remember(groups, await actor.api.post('/groups', { name: 'Turisti', is_public: pick([true, false]) })),
  'renames a group': ({ groups }, actor, _, pick) => actor.api.patch(`/groups/${pick(groups)}`, { name: `Turisti ${pick(['A', 'B'])}` }),
  'deletes a group': ({ groups }, actor, _, pick) => actor.api.delete(`/groups/${pick(groups)}`),
  'comes to a group': ({ groups }, actor, _, pick) => actor.api.post(`/groups/${pick(groups)}/join`),
  'leaves a group': ({ groups }, actor, _, pick) => actor.api.delete(`/groups/${pick(groups)}/join`),
  'invites to a group': ({ groups }, actor, other, pick) => actor.api.post(`/groups/${pick(groups)}/members`, { user: other.slug }),
  'lets into a group': ({ groups }, actor, other, pick) => actor.api.post(`/groups/${pick(groups)}/members/${other.slug}/approve`),
  'puts out of a group': ({ groups }, actor, other, pick) => actor.api.delete(`/groups/${pick(groups)}/members/${other.slug}`),
  'is going with the group': ({ groups, events }, actor, _, pick) => actor.api.put(`/groups/${pick(groups)}/events/${pick(events)}/interest`),
  'is not going with the group': ({ groups, events }, actor, _, pick) => actor.api.delete(`/groups/${pick(groups)}/events/${pick(events)}/interest`),
  writes: async ({ posts, events }, actor, _, pick) => remember(posts, await actor.api.post('/posts', { title: 'Týden', body: '<p>Jeli jsme.</p>', categories: ['kolo'], status: 'published', event_id: pick([null, pick(events) ?? null]) ?? null }), 'slug'),
  rewrites: ({ posts }, actor, _, pick) => actor.api.patch(`/posts/${pick(posts)}`, { title: `Týden ${pick(['A', 'B'])}` }),
  'comments on a post': async ({ posts, comments }, actor, _, pick) => remember(comments, await actor.api.post(`/posts/${pick(posts)}/comments`, { body: 'Pěkné' })),
  'withdraws a post': ({ posts }, actor, _, pick) => actor.api.delete(`/posts/${pick(posts)}`),
};

const step = fc.record({ deed: fc.constantFrom(...Object.keys(DEEDS)), actor: fc.nat(), other: fc.nat(), choices: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }) });

describe('who follows the feed', () => {
  // CHG-1, CHG-3, CHG-5, CHG-6, CHG-14
  it(`holds what full reads show, after every step (${SEQUENCES} sequences)`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
        const people = await Promise.all(Array.from({ length: PEOPLE }, (_, i) => server.person(`f${i}`)));
        const world: World = { people, events: [], groups: [], posts: [], comments: [] };
        const followers = await Promise.all(people.map((person) => HoldingFollower.of(person)));
        const [one, two] = people as [Person, Person];
        for (const name of ['announces an event', 'founds a group']) await DEEDS[name]!(world, one, two, (list) => list[0]);
        const done: string[] = [];
        for (const { deed, actor, other, choices } of steps) {
          const left = [...choices];
          const pick = <T>(list: readonly T[]): T | undefined => list[(left.pop() ?? 0) % Math.max(1, list.length)];
          const [who, whom] = [people[actor % PEOPLE]!, people[other % PEOPLE]!];
          const answer = (await DEEDS[deed]!(world, who, whom, pick)) as { status?: number } | undefined;
          done.push(`${who.slug} ${deed} (${whom.slug}) → ${answer?.status ?? 'done'}`);
          await Promise.all(followers.map(async (follower, i) => {
            const told = await follower.follow(3);
            const wanted = await follower.everything();
            try {
              expect(Object.fromEntries([...follower.held].sort())).toEqual(Object.fromEntries([...wanted].sort()));
            } catch (error) {
              throw new Error(`${people[i]?.slug} was told ${JSON.stringify(told.map(({ type, subject }) => `${type} ${subject.id}`))} after\n${done.join('\n')}\n${(error as Error).message}`, { cause: error });
            }
          }));
        }
      }),
      { numRuns: SEQUENCES, endOnFailure: true },
    );
  }, 1_800_000);
});
