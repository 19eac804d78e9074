import { buildEvent } from './builders';
import { MODERATION_ACTIONS } from './moderation-actions';
import { buildGroup } from './groups';
import type { Answer } from './http-client';
import { picture } from './media';
import type { Person } from './people';
import { buildSeries, occurrencesOf } from './series';
import { inDays } from './times';
import type { Action, Gathering, Part, Thing, Turn, World } from './world';

const FLAG = [true, false] as const;
const path = (thing: Thing | undefined): string => thing?.id ?? 'nothing';
/** Mostly the owner, because requests of other people are refused. */
const ownerOf = (thing: Thing | undefined, { actor, pick }: Turn): Person =>
  pick([thing?.owner ?? actor, thing?.owner ?? actor, thing?.owner ?? actor, actor]) ?? actor;
/** Mostly a person with a relation to the event or group. */
const oneOf = (gathering: Gathering | undefined, { other, pick }: Turn): Person =>
  pick([pick(gathering?.people ?? []) ?? other, pick(gathering?.people ?? []) ?? other, other]) ?? other;

async function keep(
  list: Thing[] | Part[],
  owner: Person,
  asked: Promise<Answer>,
  more: object = {},
  name = 'id',
): Promise<Answer> {
  const answer = await asked;
  const data = answer.body?.data as Record<string, string> | Record<string, string>[] | undefined;
  const id = (Array.isArray(data) ? data[0] : data)?.[name];
  if (answer.status === 201 && id !== undefined) (list as Thing[]).push({ id, owner, ...more });
  return answer;
}

/**
 * An action on an event, mostly by its organizer. The function `does` receives the person's client and the event's
 * path.
 */
const ofEvent =
  (does: (api: Person['api'], at: string, turn: Turn, event: Gathering | undefined) => Promise<unknown>): Action =>
  (world, turn) => {
    const event = turn.pick(world.events);
    return does(ownerOf(event, turn).api, `/events/${path(event)}`, turn, event);
  };
/**
 * An action on an event by any person, mostly by a person with a relation to the event. The action may create the
 * relation.
 */
const toEvent =
  (does: (world: World, person: Person, at: string, turn: Turn, event: Gathering) => Promise<unknown>): Action =>
  (world, turn) => {
    const event = turn.pick(world.events);
    if (!event) return Promise.resolve();
    const person = turn.pick([turn.actor, oneOf(event, turn)]) ?? turn.actor;
    event.people.push(person);
    return does(world, person, `/events/${event.id}`, turn, event);
  };
const ofGroup =
  (does: (api: Person['api'], at: string, turn: Turn, group: Gathering | undefined) => Promise<unknown>): Action =>
  (world, turn) => {
    const group = turn.pick(world.groups);
    return does(ownerOf(group, turn).api, `/groups/${path(group)}`, turn, group);
  };
const toGroup =
  (does: (person: Person, at: string, turn: Turn, world: World) => Promise<unknown>): Action =>
  (world, turn) => {
    const group = turn.pick(world.groups);
    if (!group) return Promise.resolve();
    const person = turn.pick([turn.actor, oneOf(group, turn)]) ?? turn.actor;
    group.people.push(person);
    return does(person, `/groups/${group.id}`, turn, world);
  };
/** An action on an object of a list, mostly by its owner. */
const own =
  (
    list: (world: World) => readonly Thing[],
    does: (api: Person['api'], id: string, turn: Turn, thing: Thing | undefined) => Promise<unknown>,
  ): Action =>
  (world, turn) => {
    const thing = turn.pick(list(world));
    return does(ownerOf(thing, turn).api, path(thing), turn, thing);
  };
const part =
  (list: (world: World) => readonly Part[], of: string): Action =>
  (world, turn) => {
    const thing = turn.pick(list(world));
    return turn
      .pick([ownerOf(thing, turn), ownerOf(thing?.event, turn)])!
      .api.delete(`/events/${path(thing?.event)}/${of}/${path(thing)}`);
  };

const EVENTS: Record<string, Action> = {
  'announces an event': async ({ server, events }, { actor, pick }) => {
    events.push({
      ...(await buildEvent(server, actor, {
        is_public: pick(FLAG)!,
        join_mode: pick(['open', 'request', 'tickets'] as const)!,
        max_participants: 5,
        photos_enabled: true,
      })),
      owner: actor,
      people: [actor],
    });
  },
  'announces an event of a group': async ({ server, events, groups }, turn) => {
    const group = turn.pick(groups);
    const owner = ownerOf(group, turn);
    const made = await buildEvent(server, owner, { group: path(group), is_public: turn.pick(FLAG)! }).catch(() => null);
    if (made) events.push({ ...made, owner, people: [owner] });
  },
  'renames an event': ofEvent((api, at, { pick }) => api.patch(at, { title: `Akce ${pick(['A', 'B', 'C'])}` })),
  'shows or hides an event': ofEvent((api, at, { pick }) => api.patch(at, { is_public: pick(FLAG) })),
  'switches a gallery': ofEvent((api, at, { pick }) => api.patch(at, { photos_enabled: pick(FLAG) })),
  'cancels an event': ofEvent((api, at) => api.patch(at, { status: 'cancelled' })),
  'deletes an event': ofEvent((api, at) => api.delete(at)),
  joins: toEvent((_, { api }, at) => api.post(`${at}/join`)),
  waits: toEvent((_, { api }, at) => api.post(`${at}/waitlist`)),
  leaves: toEvent((_, { api }, at) => api.delete(`${at}/join`)),
  invites: ofEvent((api, at, turn, event) => {
    const person = oneOf(event, turn);
    event?.people.push(person);
    return api.post(`${at}/participants`, { user: person.slug });
  }),
  promotes: ofEvent((api, at, turn, event) => api.post(`${at}/participants/${oneOf(event, turn).slug}/promote`)),
  removes: ofEvent((api, at, turn, event) =>
    api.delete(`${at}/participants/${oneOf(event, turn).slug}${turn.pick(['', '?ban=1'])}`),
  ),
  'checks in': ofEvent((api, at, turn, event) => api.put(`${at}/participants/${oneOf(event, turn).slug}/check-in`)),
  'scans at the door': ofEvent((api, at, turn, event) =>
    api.post(`${at}/door/scans`, {
      device: 'p',
      scans: [
        { user: oneOf(event, turn).slug, scanned_at: new Date().toISOString(), undo: turn.pick([false, false, true]) },
      ],
    }),
  ),
  'makes a ticket': (world, turn) => {
    const event = turn.pick(world.events);
    const owner = ownerOf(event, turn);
    return keep(
      world.tickets,
      owner,
      owner.api.post(`/events/${path(event)}/tickets`, { count: 1 }),
      { event },
      'code',
    );
  },
  'tears a ticket': part(({ tickets }) => tickets, 'tickets'),
  comments: toEvent(({ comments }, person, at, { pick }) =>
    keep(
      comments,
      person,
      person.api.post(`${at}/comments`, { body: 'Ahoj', parent: pick([null, pick(comments)?.id ?? null]) ?? null }),
    ),
  ),
  'takes a comment back': own(
    ({ comments }) => comments,
    (api, id) => api.delete(`/comments/${id}`),
  ),
  'notes an expense': toEvent(({ expenses }, person, at, _, event) =>
    keep(expenses, person, person.api.post(`${at}/expenses`, { title: 'Pivo', amount: 100 }), { event }),
  ),
  'strikes an expense': part(({ expenses }) => expenses, 'expenses'),
  pays: toEvent(({ payments }, person, at, turn, event) =>
    keep(
      payments,
      person,
      person.api.post(`${at}/expenses/payments`, { to: oneOf(event, turn).slug, amount: 10, currency: 'CZK' }),
      { event },
    ),
  ),
  'strikes a payment': part(({ payments }) => payments, 'expenses/payments'),
  plans: ofEvent((api, at, { pick }) =>
    api.put(`${at}/itinerary`, { title: `Cesta ${pick(['A', 'B'])}`, stops: [{ title: 'Start' }] }),
  ),
  'drops the plan': ofEvent((api, at) => api.delete(`${at}/itinerary`)),
  'hangs up a photo': toEvent(async ({ photos }, person, at, _, event) =>
    keep(photos, person, person.api.upload(`${at}/photos`, [['photos[]', await photo()]]), { event }),
  ),
  'takes a photo down': part(({ photos }) => photos, 'photos'),
};

const OTHERS: Record<string, Action> = {
  'begins a series': async ({ server, series, events, banned }, { actor }) => {
    if (banned.has(actor)) return;
    const { id } = await buildSeries(server, actor, { atMost: 2, is_public: true });
    series.push({ id, owner: actor });
    for (const one of await occurrencesOf(actor, id)) events.push({ id: one.id, owner: actor, people: [actor] });
  },
  'changes a series': own(
    ({ series }) => series,
    (api, id, { pick }) => api.patch(`/series/${id}`, { title: `Běh ${pick(['A', 'B'])}` }),
  ),
  'cancels a series': own(
    ({ series }) => series,
    (api, id) => api.post(`/series/${id}/cancel`),
  ),
  'founds a group': ({ groups }, { actor, pick }) =>
    keep(groups, actor, actor.api.post('/groups', { name: 'Turisti', is_public: pick(FLAG) }), { people: [actor] }),
  'changes a group': ofGroup((api, at, { pick }) =>
    api.patch(at, { name: `Turisti ${pick(['A', 'B'])}`, is_public: pick(FLAG) }),
  ),
  'deletes a group': ofGroup((api, at) => api.delete(at)),
  'comes to a group': toGroup(({ api }, at) => api.post(`${at}/join`)),
  'leaves a group': toGroup(({ api }, at) => api.delete(`${at}/join`)),
  'invites to a group': ofGroup((api, at, turn, group) => {
    const person = oneOf(group, turn);
    group?.people.push(person);
    return api.post(`${at}/members`, { user: person.slug });
  }),
  'lets into a group': ofGroup((api, at, turn, group) => api.post(`${at}/members/${oneOf(group, turn).slug}/approve`)),
  'puts out of a group': ofGroup((api, at, turn, group) => api.delete(`${at}/members/${oneOf(group, turn).slug}`)),
  'is going with the group': toGroup(({ api }, at, { pick }, { events }) =>
    api.put(`${at}/events/${path(pick(events))}/interest`),
  ),
  'is not going with the group': toGroup(({ api }, at, { pick }, { events }) =>
    api.delete(`${at}/events/${path(pick(events))}/interest`),
  ),
  writes: ({ posts, events }, { actor, pick }) =>
    keep(
      posts,
      actor,
      actor.api.post('/posts', {
        title: 'Týden',
        body: '<p>Jeli jsme.</p>',
        categories: ['kolo'],
        status: pick(['published', 'published', 'draft']),
        event_id: pick([null, pick(events)?.id ?? null]) ?? null,
      }),
      {},
      'slug',
    ),
  rewrites: own(
    ({ posts }) => posts,
    (api, slug, { pick }) => api.patch(`/posts/${slug}`, { title: `Týden ${pick(['A', 'B'])}` }),
  ),
  'comments on a post': ({ posts, comments }, { actor, pick }) =>
    keep(comments, actor, actor.api.post(`/posts/${path(pick(posts))}/comments`, { body: 'Pěkné' })),
  'withdraws a post': own(
    ({ posts }) => posts,
    (api, slug) => api.delete(`/posts/${slug}`),
  ),
  'blocks somebody': ({ blocks }, { actor: blocker, other: blocked }) => {
    blocks.push({ blocker, blocked });
    return blocker.api.put(`/blocks/${blocked.slug}`);
  },
  'ends a block': async ({ blocks }, { pick }) => {
    const one = pick(blocks);
    return one && one.blocker.api.delete(`/blocks/${one.blocked.slug}`);
  },
  'reads notices': async (_, { actor }) => {
    const { data = [] } = (await actor.api.get('/notices')).body as { data?: { id: string }[] };
    return data[0] && actor.api.post('/notices/read', { up_to: data[0].id });
  },
};

/** All actions; the key is a description. */
export const ACTIONS: Readonly<Record<string, Action>> = { ...EVENTS, ...OTHERS, ...MODERATION_ACTIONS };
/**
 * Frequent actions are listed several times. Hiding and restoring are listed several times too, because after them the
 * feed reports everything again.
 */
export const ACTIONS_BY_WEIGHT: readonly string[] = [
  ...Object.keys(ACTIONS),
  ...Object.keys(MODERATION_ACTIONS),
  'joins',
  'joins',
  'leaves',
  'shows or hides an event',
  'is brought back',
  'is removed by a moderator',
];

/** CHG-1: personal blocks have no entry in the feed, although they change rights. */
export const WITHOUT_CHANGE_ENTRY: ReadonlySet<string> = new Set(['blocks somebody', 'ends a block']);

let made: Promise<Blob> | null = null;
function photo(): Promise<Blob> {
  return (made ??= picture('jpeg', { width: 32, height: 24 }).then((bytes) => new Blob([new Uint8Array(bytes)])));
}

/** Creates objects of every kind, with people in every relation to them. */
export async function createObjectsOfEveryKind(world: World): Promise<void> {
  const { server, people } = world;
  const at = (n: number): Person => people[n % people.length]!;
  const turn: Turn = { actor: at(0), other: at(1), pick: (list) => list[0] };
  const group = await buildGroup(server, at(0), {
    with: [
      [at(1), 'member'],
      [at(2), 'member'],
      [at(3), 'member'],
      [at(4), 'invited'],
      [at(5), 'requested'],
    ],
  });
  const other = await buildGroup(server, at(1), {
    is_public: false,
    with: [
      [at(2), 'member'],
      [at(6), 'member'],
    ],
  });
  world.groups.push(
    { id: group.id, owner: at(0), people: people.slice(0, 7) },
    { id: other.id, owner: at(1), people: people.slice(1, 8) },
  );
  const gatherings = [
    {
      by: 0,
      wishes: { group: group.id, is_public: true },
      in: [
        [8, 'confirmed'],
        [1, 'confirmed'],
        [9, 'waitlisted'],
      ],
    },
    {
      by: 10,
      wishes: { is_public: true, photos_enabled: true },
      in: [
        [2, 'confirmed'],
        [11, 'confirmed'],
        [12, 'pending'],
        [13, 'banned'],
      ],
    },
    {
      by: 14,
      wishes: { is_public: false, join_mode: 'request' as const, photos_enabled: true },
      in: [
        [15, 'confirmed'],
        [16, 'requested'],
        [3, 'pending'],
      ],
    },
    {
      by: 17,
      wishes: { title: 'Bylo', starts_at: inDays(-2), photos_enabled: true },
      in: [
        [18, 'confirmed'],
        [19, 'confirmed'],
        [0, 'confirmed'],
      ],
    },
  ] as const;
  for (const { by, wishes, in: within } of gatherings) {
    const event = await buildEvent(server, at(by), { ...wishes, with: within.map(([n, status]) => [at(n), status]) });
    world.events.push({ id: event.id, owner: at(by), people: [...new Set([at(by), ...within.map(([n]) => at(n))])] });
  }
  const [, shown, , over] = world.events as [Gathering, Gathering, Gathering, Gathering];
  await at(2).api.put(`/groups/${other.id}/events/${shown.id}/interest`);
  for (const [person, event] of [
    [at(11), shown],
    [at(18), over],
    [at(17), over],
  ] as const) {
    await keep(world.comments, person, person.api.post(`/events/${event.id}/comments`, { body: 'Ahoj' }));
    await keep(
      world.expenses,
      person,
      person.api.post(`/events/${event.id}/expenses`, { title: 'Pivo', amount: 100 }),
      { event },
    );
  }
  await OTHERS['begins a series']!(world, { ...turn, actor: at(7) });
  await OTHERS['writes']!(world, { ...turn, actor: at(8) });
  await keep(world.comments, at(9), at(9).api.post(`/posts/${world.posts[0]?.id}/comments`, { body: 'Pěkné' }));
}
