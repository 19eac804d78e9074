import { buildEvent } from './builders';
import { MODERATION_ACTIONS } from './moderation-actions';
import { buildGroup } from './groups';
import type { Answer } from './http-client';
import { picture } from './media';
import type { Person } from './people';
import { buildSeries, occurrencesOf } from './series';
import { inDays } from './times';
import type { Action, EventOrGroup, Part, Thing, Turn, World } from './world';

const BOOLEANS = [true, false] as const;
const idOf = (thing: Thing | undefined): string => thing?.id ?? 'nothing';
/** Chooses who acts on an object: usually its owner, because most requests of other people are refused. */
const actorFor = (thing: Thing | undefined, { actor, pick }: Turn): Person =>
  pick([thing?.owner ?? actor, thing?.owner ?? actor, thing?.owner ?? actor, actor]) ?? actor;
/** Chooses a person: usually somebody with a relation to the event or group. */
const relatedPerson = (eventOrGroup: EventOrGroup | undefined, { other, pick }: Turn): Person =>
  pick([pick(eventOrGroup?.people ?? []) ?? other, pick(eventOrGroup?.people ?? []) ?? other, other]) ?? other;

/**
 * Waits for the response to a request that creates an object. If the object was created, adds it to the list, with the
 * properties `more`. `idField`: the field of the response that contains the object's id.
 */
async function recordCreated(
  list: Thing[] | Part[],
  owner: Person,
  request: Promise<Answer>,
  more: object = {},
  idField = 'id',
): Promise<Answer> {
  const answer = await request;
  const data = answer.body?.data as Record<string, string> | Record<string, string>[] | undefined;
  const id = (Array.isArray(data) ? data[0] : data)?.[idField];
  if (answer.status === 201 && id !== undefined) (list as Thing[]).push({ id, owner, ...more });
  return answer;
}

/**
 * An action on an event, usually by its organizer. The function `send` receives the person's client and the event's
 * path.
 */
const byEventOwner =
  (send: (api: Person['api'], path: string, turn: Turn, event: EventOrGroup | undefined) => Promise<unknown>): Action =>
  (world, turn) => {
    const event = turn.pick(world.events);
    return send(actorFor(event, turn).api, `/events/${idOf(event)}`, turn, event);
  };
/**
 * An action on an event by any person, often by a person with a relation to the event. Adds this person to the event's
 * `people`, because the action may create a relation.
 */
const byAnybodyAtEvent =
  (send: (world: World, person: Person, path: string, turn: Turn, event: EventOrGroup) => Promise<unknown>): Action =>
  (world, turn) => {
    const event = turn.pick(world.events);
    if (!event) return Promise.resolve();
    const person = turn.pick([turn.actor, relatedPerson(event, turn)]) ?? turn.actor;
    event.people.push(person);
    return send(world, person, `/events/${event.id}`, turn, event);
  };
/** Like `byEventOwner`, for a group. */
const byGroupOwner =
  (send: (api: Person['api'], path: string, turn: Turn, group: EventOrGroup | undefined) => Promise<unknown>): Action =>
  (world, turn) => {
    const group = turn.pick(world.groups);
    return send(actorFor(group, turn).api, `/groups/${idOf(group)}`, turn, group);
  };
/** Like `byAnybodyAtEvent`, for a group. */
const byAnybodyAtGroup =
  (send: (person: Person, path: string, turn: Turn, world: World) => Promise<unknown>): Action =>
  (world, turn) => {
    const group = turn.pick(world.groups);
    if (!group) return Promise.resolve();
    const person = turn.pick([turn.actor, relatedPerson(group, turn)]) ?? turn.actor;
    group.people.push(person);
    return send(person, `/groups/${group.id}`, turn, world);
  };
/** An action on an object of a list, usually by its owner. */
const byOwner =
  (
    list: (world: World) => readonly Thing[],
    send: (api: Person['api'], id: string, turn: Turn, thing: Thing | undefined) => Promise<unknown>,
  ): Action =>
  (world, turn) => {
    const thing = turn.pick(list(world));
    return send(actorFor(thing, turn).api, idOf(thing), turn, thing);
  };
/** The deletion of a part of an event, usually by the owner of the part or of the event. */
const deletionOfPart =
  (list: (world: World) => readonly Part[], listName: string): Action =>
  (world, turn) => {
    const thing = turn.pick(list(world));
    return turn
      .pick([actorFor(thing, turn), actorFor(thing?.event, turn)])!
      .api.delete(`/events/${idOf(thing?.event)}/${listName}/${idOf(thing)}`);
  };

const EVENTS: Record<string, Action> = {
  'creates an event': async ({ server, events }, { actor, pick }) => {
    events.push({
      ...(await buildEvent(server, actor, {
        is_public: pick(BOOLEANS)!,
        join_mode: pick(['open', 'request', 'tickets'] as const)!,
        max_participants: 5,
        photos_enabled: true,
      })),
      owner: actor,
      people: [actor],
    });
  },
  'creates an event of a group': async ({ server, events, groups }, turn) => {
    const group = turn.pick(groups);
    const owner = actorFor(group, turn);
    const createdEvent = await buildEvent(server, owner, { group: idOf(group), is_public: turn.pick(BOOLEANS)! }).catch(
      () => null,
    );
    if (createdEvent) events.push({ ...createdEvent, owner, people: [owner] });
  },
  'renames an event': byEventOwner((api, path, { pick }) =>
    api.patch(path, { title: `Akce ${pick(['A', 'B', 'C'])}` }),
  ),
  'makes an event public or private': byEventOwner((api, path, { pick }) =>
    api.patch(path, { is_public: pick(BOOLEANS) }),
  ),
  'turns a gallery on or off': byEventOwner((api, path, { pick }) =>
    api.patch(path, { photos_enabled: pick(BOOLEANS) }),
  ),
  'cancels an event': byEventOwner((api, path) => api.patch(path, { status: 'cancelled' })),
  'deletes an event': byEventOwner((api, path) => api.delete(path)),
  joins: byAnybodyAtEvent((_, { api }, path) => api.post(`${path}/join`)),
  'joins the waitlist': byAnybodyAtEvent((_, { api }, path) => api.post(`${path}/waitlist`)),
  leaves: byAnybodyAtEvent((_, { api }, path) => api.delete(`${path}/join`)),
  'invites a participant': byEventOwner((api, path, turn, event) => {
    const person = relatedPerson(event, turn);
    event?.people.push(person);
    return api.post(`${path}/participants`, { user: person.slug });
  }),
  'promotes a participant': byEventOwner((api, path, turn, event) =>
    api.post(`${path}/participants/${relatedPerson(event, turn).slug}/promote`),
  ),
  'removes a participant': byEventOwner((api, path, turn, event) =>
    api.delete(`${path}/participants/${relatedPerson(event, turn).slug}${turn.pick(['', '?ban=1'])}`),
  ),
  'checks in a participant': byEventOwner((api, path, turn, event) =>
    api.put(`${path}/participants/${relatedPerson(event, turn).slug}/check-in`),
  ),
  'scans at the door': byEventOwner((api, path, turn, event) =>
    api.post(`${path}/door/scans`, {
      device: 'p',
      scans: [
        {
          user: relatedPerson(event, turn).slug,
          scanned_at: new Date().toISOString(),
          undo: turn.pick([false, false, true]),
        },
      ],
    }),
  ),
  'creates a ticket': (world, turn) => {
    const event = turn.pick(world.events);
    const owner = actorFor(event, turn);
    return recordCreated(
      world.tickets,
      owner,
      owner.api.post(`/events/${idOf(event)}/tickets`, { count: 1 }),
      { event },
      'code',
    );
  },
  'deletes a ticket': deletionOfPart(({ tickets }) => tickets, 'tickets'),
  'writes a comment': byAnybodyAtEvent(({ comments }, person, path, { pick }) =>
    recordCreated(
      comments,
      person,
      person.api.post(`${path}/comments`, { body: 'Ahoj', parent: pick([null, pick(comments)?.id ?? null]) ?? null }),
    ),
  ),
  'deletes a comment': byOwner(
    ({ comments }) => comments,
    (api, id) => api.delete(`/comments/${id}`),
  ),
  'records an expense': byAnybodyAtEvent(({ expenses }, person, path, _, event) =>
    recordCreated(expenses, person, person.api.post(`${path}/expenses`, { title: 'Pivo', amount: 100 }), { event }),
  ),
  'deletes an expense': deletionOfPart(({ expenses }) => expenses, 'expenses'),
  'records a payment': byAnybodyAtEvent(({ payments }, person, path, turn, event) =>
    recordCreated(
      payments,
      person,
      person.api.post(`${path}/expenses/payments`, {
        to: relatedPerson(event, turn).slug,
        amount: 10,
        currency: 'CZK',
      }),
      { event },
    ),
  ),
  'deletes a payment': deletionOfPart(({ payments }) => payments, 'expenses/payments'),
  'writes an itinerary': byEventOwner((api, path, { pick }) =>
    api.put(`${path}/itinerary`, { title: `Cesta ${pick(['A', 'B'])}`, stops: [{ title: 'Start' }] }),
  ),
  'deletes an itinerary': byEventOwner((api, path) => api.delete(`${path}/itinerary`)),
  'uploads a photo': byAnybodyAtEvent(async ({ photos }, person, path, _, event) =>
    recordCreated(photos, person, person.api.upload(`${path}/photos`, [['photos[]', await photo()]]), { event }),
  ),
  'deletes a photo': deletionOfPart(({ photos }) => photos, 'photos'),
};

const OTHERS: Record<string, Action> = {
  'creates a series': async ({ server, series, events, banned }, { actor }) => {
    if (banned.has(actor)) return;
    const { id } = await buildSeries(server, actor, { atMost: 2, is_public: true });
    series.push({ id, owner: actor });
    for (const occurrence of await occurrencesOf(actor, id))
      events.push({ id: occurrence.id, owner: actor, people: [actor] });
  },
  'changes a series': byOwner(
    ({ series }) => series,
    (api, id, { pick }) => api.patch(`/series/${id}`, { title: `Běh ${pick(['A', 'B'])}` }),
  ),
  'cancels a series': byOwner(
    ({ series }) => series,
    (api, id) => api.post(`/series/${id}/cancel`),
  ),
  'creates a group': ({ groups }, { actor, pick }) =>
    recordCreated(groups, actor, actor.api.post('/groups', { name: 'Turisti', is_public: pick(BOOLEANS) }), {
      people: [actor],
    }),
  'changes a group': byGroupOwner((api, path, { pick }) =>
    api.patch(path, { name: `Turisti ${pick(['A', 'B'])}`, is_public: pick(BOOLEANS) }),
  ),
  'deletes a group': byGroupOwner((api, path) => api.delete(path)),
  'joins a group': byAnybodyAtGroup(({ api }, path) => api.post(`${path}/join`)),
  'leaves a group': byAnybodyAtGroup(({ api }, path) => api.delete(`${path}/join`)),
  'invites to a group': byGroupOwner((api, path, turn, group) => {
    const person = relatedPerson(group, turn);
    group?.people.push(person);
    return api.post(`${path}/members`, { user: person.slug });
  }),
  'approves a group member': byGroupOwner((api, path, turn, group) =>
    api.post(`${path}/members/${relatedPerson(group, turn).slug}/approve`),
  ),
  'removes a group member': byGroupOwner((api, path, turn, group) =>
    api.delete(`${path}/members/${relatedPerson(group, turn).slug}`),
  ),
  'marks an event as interesting for a group': byAnybodyAtGroup(({ api }, path, { pick }, { events }) =>
    api.put(`${path}/events/${idOf(pick(events))}/interest`),
  ),
  'removes the mark of interest for a group': byAnybodyAtGroup(({ api }, path, { pick }, { events }) =>
    api.delete(`${path}/events/${idOf(pick(events))}/interest`),
  ),
  'writes a post': ({ posts, events }, { actor, pick }) =>
    recordCreated(
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
  'renames a post': byOwner(
    ({ posts }) => posts,
    (api, slug, { pick }) => api.patch(`/posts/${slug}`, { title: `Týden ${pick(['A', 'B'])}` }),
  ),
  'comments on a post': ({ posts, comments }, { actor, pick }) =>
    recordCreated(comments, actor, actor.api.post(`/posts/${idOf(pick(posts))}/comments`, { body: 'Pěkné' })),
  'deletes a post': byOwner(
    ({ posts }) => posts,
    (api, slug) => api.delete(`/posts/${slug}`),
  ),
  'blocks a person': ({ blocks }, { actor: blocker, other: blocked }) => {
    blocks.push({ blocker, blocked });
    return blocker.api.put(`/blocks/${blocked.slug}`);
  },
  'deletes a block': async ({ blocks }, { pick }) => {
    const selected = pick(blocks);
    return selected && selected.blocker.api.delete(`/blocks/${selected.blocked.slug}`);
  },
  'reads notices': async (_, { actor }) => {
    const { data = [] } = (await actor.api.get('/notices')).body as { data?: { id: string }[] };
    return data[0] && actor.api.post('/notices/read', { up_to: data[0].id });
  },
};

/** All actions; the key is a description. */
export const ACTIONS: Readonly<Record<string, Action>> = { ...EVENTS, ...OTHERS, ...MODERATION_ACTIONS };
/**
 * Common actions are listed several times, so that they are chosen more often. Actions that hide or restore an object
 * are listed several times too, so that tests often check that the feed reports the object as gone, or reports it
 * again.
 */
export const ACTIONS_BY_WEIGHT: readonly string[] = [
  ...Object.keys(ACTIONS),
  ...Object.keys(MODERATION_ACTIONS),
  'joins',
  'joins',
  'leaves',
  'makes an event public or private',
  'is restored by a moderator',
  'is removed by a moderator',
];

/** CHG-1: personal blocks have no entry in the feed, although they change what the blocked person may do. */
export const WITHOUT_CHANGE_ENTRY: ReadonlySet<string> = new Set(['blocks a person', 'deletes a block']);

let createdPhoto: Promise<Blob> | null = null;
function photo(): Promise<Blob> {
  return (createdPhoto ??= picture('jpeg', { width: 32, height: 24 }).then(
    (bytes) => new Blob([new Uint8Array(bytes)]),
  ));
}

/** Creates objects of most kinds. People have many different relations to the events and groups. */
export async function createObjectsOfMostKinds(world: World): Promise<void> {
  const { server, people } = world;
  const personAt = (n: number): Person => people[n % people.length]!;
  const turn: Turn = { actor: personAt(0), other: personAt(1), pick: (list) => list[0] };
  const group = await buildGroup(server, personAt(0), {
    with: [
      [personAt(1), 'member'],
      [personAt(2), 'member'],
      [personAt(3), 'member'],
      [personAt(4), 'invited'],
      [personAt(5), 'requested'],
    ],
  });
  const privateGroup = await buildGroup(server, personAt(1), {
    is_public: false,
    with: [
      [personAt(2), 'member'],
      [personAt(6), 'member'],
    ],
  });
  world.groups.push(
    { id: group.id, owner: personAt(0), people: people.slice(0, 7) },
    { id: privateGroup.id, owner: personAt(1), people: people.slice(1, 8) },
  );
  const eventSpecs = [
    {
      organizer: 0,
      options: { group: group.id, is_public: true },
      participants: [
        [8, 'confirmed'],
        [1, 'confirmed'],
        [9, 'waitlisted'],
      ],
    },
    {
      organizer: 10,
      options: { is_public: true, photos_enabled: true },
      participants: [
        [2, 'confirmed'],
        [11, 'confirmed'],
        [12, 'pending'],
        [13, 'banned'],
      ],
    },
    {
      organizer: 14,
      options: { is_public: false, join_mode: 'request' as const, photos_enabled: true },
      participants: [
        [15, 'confirmed'],
        [16, 'requested'],
        [3, 'pending'],
      ],
    },
    {
      organizer: 17,
      options: { title: 'Bylo', starts_at: inDays(-2), photos_enabled: true },
      participants: [
        [18, 'confirmed'],
        [19, 'confirmed'],
        [0, 'confirmed'],
      ],
    },
  ] as const;
  for (const { organizer, options, participants } of eventSpecs) {
    const event = await buildEvent(server, personAt(organizer), {
      ...options,
      with: participants.map(([n, status]) => [personAt(n), status]),
    });
    world.events.push({
      id: event.id,
      owner: personAt(organizer),
      people: [...new Set([personAt(organizer), ...participants.map(([n]) => personAt(n))])],
    });
  }
  const [, publicEvent, , pastEvent] = world.events as [EventOrGroup, EventOrGroup, EventOrGroup, EventOrGroup];
  await personAt(2).api.put(`/groups/${privateGroup.id}/events/${publicEvent.id}/interest`);
  for (const [person, event] of [
    [personAt(11), publicEvent],
    [personAt(18), pastEvent],
    [personAt(17), pastEvent],
  ] as const) {
    await recordCreated(world.comments, person, person.api.post(`/events/${event.id}/comments`, { body: 'Ahoj' }));
    await recordCreated(
      world.expenses,
      person,
      person.api.post(`/events/${event.id}/expenses`, { title: 'Pivo', amount: 100 }),
      { event },
    );
  }
  await OTHERS['creates a series']!(world, { ...turn, actor: personAt(7) });
  await OTHERS['writes a post']!(world, { ...turn, actor: personAt(8) });
  await recordCreated(
    world.comments,
    personAt(9),
    personAt(9).api.post(`/posts/${world.posts[0]?.id}/comments`, { body: 'Pěkné' }),
  );
}
