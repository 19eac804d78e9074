import fc from 'fast-check';
import { JOIN_MODES, WAITLIST_MODES, type ParticipationState } from '#contract/vocabulary';
import { browserOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { retryWhileBusy } from '#testing/crowd';
import { buildGroup } from '#testing/groups';
import type { Answer } from '#testing/http-client';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { formOf, sendForm } from '#testing/sent-forms';
import { TestServer } from '#testing/test-server';
import type { Page, Visitor } from '#testing/visitor';

const WALKS = repetitions('page_walks');
const STEPS = 30;
/** The number of walks (sequences of actions) that run at the same time, each with its own people. */
const LANES = 2;
const PEOPLE = 4;
const SEED = fc.readConfigureGlobal()?.seed ?? 0;
const PASSWORD = 'jablko';

/** A person who uses the API and a browser. */
interface Walker {
  readonly person: Person;
  readonly browser: Visitor;
  readonly csrf: string;
}

interface World {
  readonly walkers: readonly Walker[];
  readonly event: string;
  readonly group: string;
}

/** An action that can be sent as a request to the API and as a form of a page. */
interface Action {
  readonly who: number;
  readonly name: string;
  readonly method: string;
  readonly path: (world: World) => string;
  readonly json?: (world: World) => Record<string, unknown>;
  readonly page: (world: World) => string;
  /**
   * Fields of the form. If `opens` (the path of the page with the form) is given, these fields are typed into the form,
   * and the whole form is sent. Otherwise only these fields and the CSRF token are sent.
   */
  readonly fields?: (world: World) => Readonly<Record<string, string>>;
  readonly opens?: (world: World) => string;
  /** True if the form has a field for a file, so that the page sends the form as multipart/form-data. */
  readonly isMultipart?: boolean;
  /** The button acts only if person `target` has one of `statuses`. The API's request acts on any status (PAGE-117). */
  readonly needs?: { readonly target: number; readonly statuses: readonly ParticipationState[] };
}

/** A button: its name, the method and the path suffix of its API request, and the statuses that the button requires. */
type Button = readonly [name: string, method: string, suffix: string, statuses?: readonly ParticipationState[]];

const anyone = fc.integer({ min: 0, max: PEOPLE - 1 });
const twoPeople = fc.tuple(anyone, anyone);
/** The index of the acting person. Index 0, the organizer, is the most frequent. */
const organizer = fc.oneof({ arbitrary: fc.constant(0), weight: 5 }, { arbitrary: anyone, weight: 1 });
const organizerAndTarget = fc.tuple(organizer, anyone);
const slugOf = ({ walkers }: World, target: number): string => walkers[target]!.person.slug;

/** The action of a button that `who` presses for the person `target`. */
function buttonAction([button, method, suffix, statuses]: Button, who: number, target: number): Action {
  return {
    who,
    ...(statuses && { needs: { target, statuses } }),
    name: `${who}: ${button} ${target}`,
    method,
    path: (world) => `/events/${world.event}/participants/${slugOf(world, target)}${suffix}`,
    page: (world) => `/events/${world.event}/people/${slugOf(world, target)}/${button}`,
  };
}

function eventAction(
  who: number,
  name: string,
  method: string,
  suffix: string,
  pageSuffix: string,
  more: Partial<Action> = {},
): Action {
  return {
    who,
    name: `${who}: ${name}`,
    method,
    path: ({ event }) => `/events/${event}${suffix}`,
    page: ({ event }) => `/events/${event}${pageSuffix}`,
    ...more,
  };
}

function groupAction(
  who: number,
  name: string,
  method: string,
  suffix: string,
  pageSuffix = suffix,
  more: Partial<Action> = {},
): Action {
  return {
    who,
    name: `${who}: ${name} (group)`,
    method,
    path: ({ group }) => `/groups/${group}${suffix}`,
    page: ({ group }) => `/groups/${group}${pageSuffix}`,
    ...more,
  };
}

/** The action that changes one field of the event. */
function fieldAction(who: number, field: string, value: string | number | null): Action {
  return eventAction(who, `${field} = ${value}`, 'PATCH', '', '/edit', {
    json: () => ({ [field]: value, ...(field === 'join_mode' && value === 'password' && { join_password: PASSWORD }) }),
    fields: () => ({
      [field]: String(value ?? ''),
      ...(field === 'join_mode' && value === 'password' && { join_password: PASSWORD }),
    }),
    opens: ({ event }) => `/events/${event}/edit`,
  });
}

const BUTTONS: readonly Button[] = [
  ['approve', 'POST', '/promote'],
  ['decline', 'DELETE', '', ['requested']],
  ['promote', 'POST', '/promote'],
  ['remove', 'DELETE', '', ['waitlisted', 'confirmed', 'pending', 'declined']],
  ['ban', 'DELETE', '?ban=1'],
  ['unban', 'DELETE', '', ['banned']],
  ['check-in', 'PUT', '/check-in'],
  ['undo', 'DELETE', '/check-in'],
];

const actions: fc.Arbitrary<Action>[] = [
  ...Array.from({ length: 4 }, () =>
    fc.tuple(anyone, fc.constantFrom(PASSWORD, PASSWORD, 'hruška', '')).map(([who, password]) =>
      eventAction(who, `joins (${password})`, 'POST', '/join', '/join', {
        json: () => (password === '' ? {} : { password }),
        fields: () => ({ password }),
      }),
    ),
  ),
  anyone.map((who) => eventAction(who, 'leaves', 'DELETE', '/join', '/leave')),
  anyone.map((who) => eventAction(who, 'waits', 'POST', '/waitlist', '/waitlist')),
  ...BUTTONS.map((button) => organizerAndTarget.map(([who, target]) => buttonAction(button, who, target))),
  organizerAndTarget.map(([who, target]) =>
    eventAction(who, `invites ${target}`, 'POST', '/participants', '/people/invite', {
      json: (world) => ({ user: slugOf(world, target) }),
      fields: (world) => ({ user: slugOf(world, target) }),
    }),
  ),
  fc.tuple(organizer, fc.constantFrom(null, 1, 2, 3, 0)).map(([who, max]) => fieldAction(who, 'max_participants', max)),
  fc.tuple(organizer, fc.constantFrom(...JOIN_MODES)).map(([who, mode]) => fieldAction(who, 'join_mode', mode)),
  fc.tuple(organizer, fc.constantFrom(...WAITLIST_MODES)).map(([who, mode]) => fieldAction(who, 'waitlist_mode', mode)),
  fc.tuple(organizer, fc.constantFrom('', '10', '12,5', '-1')).map(([who, amount]) =>
    eventAction(who, `expense of ${amount}`, 'POST', '/expenses', '/expenses', {
      json: () => ({ title: 'Melouny', amount: amount === '' ? null : Number(amount.replace(',', '.')) }),
      fields: () => ({ title: 'Melouny', amount }),
    }),
  ),
  fc.tuple(twoPeople, fc.constantFrom('5', '0')).map(([[who, to], amount]) =>
    eventAction(who, `pays ${to} ${amount}`, 'POST', '/expenses/payments', '/expenses/payments', {
      json: (world) => ({ to: slugOf(world, to), amount: Number(amount) }),
      fields: (world) => ({ to: slugOf(world, to), amount }),
    }),
  ),
  fc.tuple(anyone, fc.constantFrom('Ahoj', '')).map(([who, body]) =>
    eventAction(who, `comments (${body})`, 'POST', '/comments', '/comments', {
      json: () => ({ body }),
      fields: () => ({ body }),
      isMultipart: true,
    }),
  ),
  organizer.map((who) =>
    eventAction(who, 'makes tickets', 'POST', '/tickets', '/tickets', {
      json: () => ({ count: 1 }),
      fields: () => ({ count: '1' }),
    }),
  ),
  fc.tuple(organizer, fc.constantFrom('all', 'confirmed', 'waitlisted')).map(([who, to]) =>
    eventAction(who, `writes to ${to}`, 'POST', '/messages', '/people/message', {
      json: () => ({ text: 'Vezměte deky.', to }),
      fields: () => ({ text: 'Vezměte deky.', to }),
    }),
  ),
  anyone.map((who) => groupAction(who, 'joins', 'POST', '/join')),
  anyone.map((who) => groupAction(who, 'leaves', 'DELETE', '/join', '/leave')),
  organizerAndTarget.map(([who, target]) => ({
    ...groupAction(who, `approves ${target}`, 'POST', ''),
    path: (world: World) => `/groups/${world.group}/members/${slugOf(world, target)}/approve`,
    page: (world: World) => `/groups/${world.group}/members/${slugOf(world, target)}/approve`,
  })),
  organizerAndTarget.map(([who, target]) => ({
    ...groupAction(who, `removes ${target}`, 'DELETE', ''),
    path: (world: World) => `/groups/${world.group}/members/${slugOf(world, target)}`,
    page: (world: World) => `/groups/${world.group}/members/${slugOf(world, target)}/remove`,
  })),
  organizerAndTarget.map(([who, target]) =>
    groupAction(who, `invites ${target}`, 'POST', '/members', '/members/invite', {
      json: (world) => ({ user: slugOf(world, target) }),
      fields: (world) => ({ user: slugOf(world, target) }),
    }),
  ),
  twoPeople.map(([who, target]) => ({
    ...eventAction(who, `blocks ${target}`, 'PUT', '', ''),
    path: (world: World) => `/blocks/${slugOf(world, target)}`,
    page: (world: World) => `/people/${slugOf(world, target)}/block`,
  })),
  twoPeople.map(([who, target]) => ({
    ...eventAction(who, `unblocks ${target}`, 'DELETE', '', ''),
    path: (world: World) => `/blocks/${slugOf(world, target)}`,
    page: (world: World) => `/people/${slugOf(world, target)}/unblock`,
  })),
];
const cancellation = organizer.map((who) =>
  eventAction(who, 'cancels', 'PATCH', '', '/edit/cancel', { json: () => ({ status: 'cancelled' }) }),
);
const steps = fc.array(
  fc
    .oneof(...actions.map((arbitrary) => ({ arbitrary, weight: 10 })), { arbitrary: cancellation, weight: 2 })
    .map((action) => ({ ...action, [fc.toStringMethod]: () => action.name })),
  { minLength: STEPS, maxLength: STEPS },
);
const eventOptions = fc.record({
  join_mode: fc.constantFrom(...JOIN_MODES),
  max_participants: fc.constantFrom(null, 2, 3),
  waitlist_mode: fc.constantFrom(...WAITLIST_MODES),
  is_public: fc.boolean(),
});

/** Sends the request to the API as a dry run, which changes nothing. */
function dryRunOnApi({ who, method, path, json }: Action, world: World): Promise<Answer> {
  const { api } = world.walkers[who]!.person;
  const headers = { prefer: 'dry-run', 'accept-language': 'en' };
  return retryWhileBusy(() => api.send(method, path(world), { ...(json && { json: json(world) }), headers }));
}

/** Whether the button acts on the person's current status. */
async function fitsButton({ who, needs }: Action, world: World): Promise<boolean> {
  if (!needs) return true;
  const { api } = world.walkers[who]!.person;
  const people = (await api.get(`/events/${world.event}/participants`)).body.data as {
    user: { slug: string };
    status: ParticipationState;
  }[];
  const person = people.find(({ user }) => user.slug === slugOf(world, needs.target));
  return person !== undefined && needs.statuses.includes(person.status);
}

async function submitOnPage({ who, page, fields, opens, isMultipart }: Action, world: World): Promise<Page> {
  const { browser, csrf } = world.walkers[who]!;
  const typed = fields?.(world) ?? {};
  if (opens) {
    const opened = await browser.get(opens(world));
    if (opened.status !== 200) return opened;
    return sendForm(browser, formOf(opened, page(world)), typed);
  }
  if (!isMultipart) return browser.post(page(world), { _csrf: csrf, ...typed });
  const body = new FormData();
  for (const [name, value] of Object.entries(typed)) body.append(name, value);
  return browser.send('POST', `${page(world)}?_csrf=${encodeURIComponent(csrf)}`, body);
}

const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/**
 * Returns `done` if the page redirects. Otherwise returns the status of the page and a code:
 * - `not_participant` if the page shows that the person's status has changed,
 * - the code of the API's refusal if the page shows this refusal or its field errors (for 403 and 404: if the page has
 *   the same status),
 * - `?` in all other cases.
 */
function refusalOn(page: Page, { body, status }: Answer): string {
  if (page.status === 303) return 'done';
  if (page.html.includes('The status of this person has changed in the meantime'))
    return `${page.status} not_participant`;
  if (body.errors) {
    const hasErrors = page.html.includes('Please check these fields') || /role="alert"/.test(page.html);
    return `${page.status} ${hasErrors ? body.code : '?'}`;
  }
  // The pages for these two statuses do not show the API's message, so only the status is compared.
  if (status === 403 || status === 404) return `${page.status} ${page.status === status ? body.code : '?'}`;
  // The form of messages has its own text for a message that nobody would get.
  const texts = [escapeHtml(body.message as string), 'The message was not sent, because nobody would get it.'];
  return `${page.status} ${texts.some((text) => page.html.includes(text)) ? body.code : '?'}`;
}

// PAGE-113
describe('random actions, sent to the API and as forms of the pages,', () => {
  let server: TestServer;
  let lanes: Walker[][];
  const resultCounts: Record<string, number> = {};

  beforeAll(async () => {
    server = await TestServer.start();
    lanes = [];
    for (let lane = 0; lane < LANES; lane++) {
      const people: Walker[] = [];
      for (let i = 0; i < PEOPLE; i++) {
        const person = await server.person(`chodec${lane}${i}`);
        const browser = await browserOf(server, person);
        const csrf = /name="_csrf" value="([^"]+)"/.exec((await browser.get('/account/events')).html)?.[1] ?? '';
        people.push({ person, browser, csrf });
      }
      lanes.push(people);
    }
  }, 120_000);
  afterAll(() => server.stop());

  it(`are accepted or refused equally by the API and the pages, in ${WALKS} walks of ${STEPS} actions`, async () => {
    await Promise.all(
      lanes.map((walkers, lane) =>
        fc.assert(
          fc.asyncProperty(steps, eventOptions, async (walk, { join_mode, ...options }) => {
            const [founder] = walkers;
            await server.sql('DELETE FROM user_blocks WHERE blocker_id = ANY($1::bigint[])', [
              walkers.map(({ person }) => person.userId),
            ]);
            const { id: event } = await buildEvent(server, founder!.person, {
              ...options,
              join_mode,
              ...(join_mode === 'password' && { join_password: PASSWORD }),
            });
            const { id: group } = await buildGroup(server, founder!.person);
            const world = { walkers, event, group };
            for (const action of walk) {
              const answer = await dryRunOnApi(action, world);
              const isOutdated = answer.status < 300 && !(await fitsButton(action, world));
              const page = await submitOnPage(action, world);
              const done = isOutdated ? '409 not_participant' : 'done';
              const expected = answer.status < 300 ? done : `${answer.status} ${answer.body.code}`;
              resultCounts[expected] = (resultCounts[expected] ?? 0) + 1;
              expect([action.name, refusalOn(page, answer)]).toEqual([action.name, expected]);
            }
            // The group is deleted, because a person may create only a limited number of groups.
            await founder!.person.api.delete(`/groups/${group}`);
          }),
          { numRuns: Math.ceil(WALKS / LANES), seed: SEED + lane, endOnFailure: true },
        ),
      ),
    );
    // The walks must cause several different results.
    expect(Object.keys(resultCounts).length).toBeGreaterThan(5);
  }, 3_600_000);
});
