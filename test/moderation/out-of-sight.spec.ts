import { DecisionsService } from '#areas/moderation/decisions.service';
import { ObjectionsService } from '#areas/moderation/objections.service';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { CONTENT_KINDS, type ContentKind } from '#contract/vocabulary';
import { PublicIds } from '#platform/http/public-ids';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { injectedText, injectedTextFor } from '#testing/injected-get';
import { phonePhoto } from '#testing/media';
import type { Person } from '#testing/people';
import { buildSeries, confirm, occurrencesOf } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { Visitor } from '#testing/visitor';
import { apiAddresses, pageAddresses, shows, type AddressesOfPath } from '#testing/readable-addresses';

/** A piece of content. `words` are texts that occur only in responses that show the content. */
interface Content {
  readonly idInApi: string;
  readonly words: readonly string[];
}

/** The response for each reader and address. */
type Responses = ReadonlyMap<string, { readonly status: number; readonly text: string }>;

/**
 * Addresses of pages and files that this test does not read:
 * - addresses without content of people,
 * - `/media/`: `statusesOfFiles` requests the files instead,
 * - the page of notices: past notices remain visible,
 * - the log of requests (see below).
 */
const SKIPPED_ADDRESSES = [
  /^\/media\//,
  /^\/web\//,
  /^\/health\//,
  /^\/docs/,
  /^\/openapi/,
  /^\/reference/,
  /^\/sign-/,
  /^\/register/,
  /\*/,
  /^\/\.well-known/,
  /^\/metrics/,
  /^\/account\/notices/,
  /^\/oauth\//,
  /\.(png|pdf|js)$/,
  // The page with the log of requests contains addresses that the reader has requested, and therefore the ids in them.
  /^\/account\/requests/,
];

/**
 * Operations whose responses may contain the id of hidden content: for example the reader's reports, and the feed of
 * changes, which has an entry for content that is no longer visible.
 */
const MAY_CONTAIN_IDS = /^\/(reports|changes|notices|requests)\b/;

/**
 * Sends the GET requests of the OpenAPI document, and requests the pages that show one of the objects of this test. The
 * readers of the API are the author, a participant and another person. The readers of the pages are the author, the
 * participant and a visitor without an account. All readers read before the removal of objects, after the removal, and
 * after the restoration. Responses that show none of the content before the removal are read only once.
 */
// MOD-5, MOD-6, MOD-7, MOD-8
describe('hidden content', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  let contents: Record<ContentKind, Content>;
  let files: Record<ContentKind, string[]>;
  let addressesOf: AddressesOfPath;
  let readers: { name: string; read: (address: string) => Promise<{ status: number; text: string }> }[];
  let pages: string[];
  let signedIn: Record<'author' | 'participant', Visitor>;

  beforeAll(async () => {
    server = await TestServer.start();
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
    await createContent();
  }, 120_000);
  afterAll(() => server.stop());

  async function createContent(): Promise<void> {
    const picture = new Blob([await phonePhoto()]);
    const group = await buildGroup(server, jana, {
      name: 'Slovoskupiny',
      latitude: 50.1,
      longitude: 14.4,
      with: [[petr, 'member']],
    });
    const { event, id } = await newEvent({ group: group.id, title: 'Slovoudálosti', is_public: true });
    const fileStem = (url: string): string => /([0-9a-f]{40})/.exec(url)?.[1] as string;
    const eventPath = `/events/${id}`;
    const cover = (await jana.api.upload(`${eventPath}/images`, [['images[]', picture]])).body.data[0];
    const photo = (await petr.api.upload(`${eventPath}/photos`, [['photos[]', picture]])).body.data[0];
    const eventComment = (
      await petr.api.upload(`${eventPath}/comments`, [
        ['body', 'Slovokomentáře'],
        ['image', picture],
      ])
    ).body.data;
    const reply = (await jana.api.post(`${eventPath}/comments`, { body: 'Slovoodpovědi', parent: eventComment.id }))
      .body.data;
    await jana.api.post(`${eventPath}/expenses`, { title: 'Slovovýdaje', amount: 100 });
    await jana.api.put(`${eventPath}/itinerary`, { title: 'Slovoplánu', is_public: true, stops: [{ title: 'Sraz' }] });
    const message = (await jana.api.post(`${eventPath}/messages`, { text: 'Slovozprávy', to: 'confirmed' })).body.data;
    const series = await buildSeries(server, jana, { title: 'Slovosérie', is_public: true, atMost: 2 });
    const occurrences = await occurrencesOf(jana, series.id);
    await confirm(server, occurrences[0]!.id, petr);
    const post = (
      await jana.api.post('/posts', {
        title: 'Slovočlánku',
        body: '<p>Bylo to krásné.</p>',
        categories: ['kultura_umeni'],
        status: 'published',
        event_id: id,
      })
    ).body.data;
    const postCover = (await jana.api.upload(`/posts/${post.slug}/cover`, [['cover', picture]])).body.data;
    const postComment = (await petr.api.post(`/posts/${post.slug}/comments`, { body: 'Slovopodčlánkem' })).body.data;
    const puls = (
      await jana.api.upload('/puls', [
        ['latitude', '50.1'],
        ['longitude', '14.4'],
        ['body', 'Slovopulsu'],
        ['image', picture],
      ])
    ).body.data;
    const groupCover = (await jana.api.upload(`/groups/${group.id}/cover`, [['cover', picture]])).body.data;
    const invite = (await jana.api.post(`/groups/${group.id}/invite-link`)).body.data.url as string;
    const calendarOfPetr = new URL((await petr.api.get('/user/calendar')).body.data.url as string).pathname;
    const calendarOfJana = new URL((await jana.api.get('/user/calendar')).body.data.url as string).pathname;
    const firstOccurrence = (await petr.api.get(`/discover/events/${occurrences[0]!.id}`)).body.data;

    contents = {
      event: {
        idInApi: id,
        words: [
          ...[id, 'Slovoudálosti', 'Slovokomentáře', 'Slovovýdaje', 'Slovoplánu'],
          ...[fileStem(cover.url), fileStem(photo.url)],
        ],
      },
      series: { idInApi: series.id, words: [series.id, 'Slovosérie', ...occurrences.map((one) => one.id)] },
      group: { idInApi: group.id, words: [group.id, 'Slovoskupiny', fileStem(groupCover.cover_url)] },
      post: {
        idInApi: post.slug,
        words: [post.id, post.slug, 'Slovočlánku', 'Slovopodčlánkem', fileStem(postCover.cover_url)],
      },
      comment: {
        idInApi: eventComment.id,
        words: [eventComment.id, 'Slovokomentáře', 'Slovoodpovědi', fileStem(eventComment.image_url)],
      },
      photo: { idInApi: photo.id, words: [photo.id, fileStem(photo.url)] },
      message: { idInApi: message.id, words: ['Slovozprávy'] },
      puls: { idInApi: puls.id, words: [puls.id, 'Slovopulsu', fileStem(puls.image_url)] },
    };
    files = {
      event: [cover.url, cover.thumb_url, photo.url, eventComment.image_url],
      series: [],
      group: [groupCover.cover_url],
      post: [postCover.cover_url],
      comment: [eventComment.image_url],
      photo: [photo.url, photo.thumb_url],
      puls: [puls.image_url, puls.image_thumb_url],
      message: [],
    };
    expect([reply.id, postComment.id, event.group, firstOccurrence.series]).toEqual([
      expect.any(String),
      expect.any(String),
      group.id,
      series.id,
    ]);

    const path = (url: string): string => new URL(url).pathname;
    const person = `/people/${jana.slug}`;
    const itinerary = path((await jana.api.get(`${eventPath}/itinerary`)).body.data.url as string);
    const [eventPage, groupPage, postPage] = [
      path(event.url as string),
      path((await jana.api.get(`/groups/${group.id}`)).body.data.url as string),
      path(post.url as string),
    ];
    pages = [
      eventPage,
      `${eventPage}.ics`,
      groupPage,
      postPage,
      itinerary,
      path(invite),
      path(firstOccurrence.url as string),
      `${path(firstOccurrence.url as string)}.ics`,
    ];
    addressesOf = (template) => {
      const fill = (names: Record<string, string>): string =>
        template.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name);
      if (/^\/(discover\/)?events\/\{id\}/.test(template))
        return [
          fill({ id, user: petr.slug, slug: petr.slug }),
          fill({ id: occurrences[0]!.id, user: petr.slug, slug: petr.slug }),
        ];
      if (template.startsWith('/embed/events/{')) return [fill({ id })];
      if (template.startsWith('/embed/groups/{')) return [fill({ id: group.id })];
      if (template.startsWith('/embed/people/{')) return [fill({ slug: jana.slug })];
      if (template.startsWith('/groups/join/{')) return [path(invite)];
      if (template.startsWith('/groups/{id}')) return [fill({ id: group.id })];
      if (template.startsWith('/series/{id}')) return [fill({ id: series.id })];
      if (template.startsWith('/posts/{slug}')) return [fill({ slug: post.slug as string })];
      if (template === '/users/{slug}') return [fill({ slug: jana.slug })];
      if (template.startsWith('/people/{')) return [template.replace(/^\/people\/\{\w+\}/, person)];
      if (template.startsWith('/calendar/{')) return [calendarOfPetr, calendarOfJana];
      // This function returns null for an unknown template, so that the test fails, and [] for addresses that are not
      // read.
      if (/^\/(webhooks|reports)\//.test(template)) return [];
      // The address of a door link has its secret after `#`. Scripts of the page request the event with this secret.
      if (template.startsWith('/door/{')) return [];
      // Links in mails lead to these pages. The pages start an action, and show no content.
      if (/^\/(reset|confirm|confirm-email|unsubscribe|forgot|mail|notices)\b/.test(template)) return [];
      return template.startsWith('/account/') ||
        template.startsWith('/moderation') ||
        template.startsWith('/objections')
        ? []
        : null;
    };
    signedIn = { author: await browserOf(jana), participant: await browserOf(petr) };
    const html = (cookie: () => string) => (address: string) =>
      injectedText(server, address, { accept: 'text/html', 'accept-language': 'en', cookie: cookie() });
    readers = [
      ...[
        ['the author', jana],
        ['the participant', petr],
        ['another person', eva],
      ].map(([name, who]) => ({
        name: name as string,
        read: (address: string) => injectedTextFor(server, who as Person, address),
      })),
      { name: 'page for a visitor', read: html(() => '') },
      { name: 'page for the author', read: html(() => signedIn.author.cookie) },
      { name: 'page for the participant', read: html(() => signedIn.participant.cookie) },
    ];
  }

  async function newEvent(fields: Record<string, unknown>) {
    const { id } = await buildEvent(server, jana, {
      starts_at: inDays(3),
      photos_enabled: true,
      latitude: 50.1,
      longitude: 14.4,
      description: '<p>text</p>',
      ...fields,
    });
    await confirm(server, id, petr);
    return { id, event: (await jana.api.get(`/events/${id}`)).body.data as Record<string, unknown> };
  }

  async function browserOf(person: Person): Promise<Visitor> {
    const email = `${person.slug}@example.org`;
    await changeUser(person, { email, password: 'correct horse', locale: 'en' });
    const visitor = new Visitor(server);
    expect((await visitor.submit('/sign-in', { email, password: 'correct horse' })).status).toBe(303);
    return visitor;
  }

  async function changeUser(person: Person, fields: object): Promise<void> {
    await server.database.transaction(async (tx) => {
      const user = (await server.app.get(UsersReader).lockBySlug(tx, person.slug))!;
      await server.app.get(UsersCommands).update(tx, user, fields);
    });
  }

  /** Removes an object by a decision about a report. Returns the id of the decision. */
  async function remove(kind: ContentKind): Promise<number> {
    // A message can be reported only by its recipients.
    const reporter = kind === 'message' ? petr : eva;
    const { body } = await reporter.api.post('/reports', {
      subject_type: kind,
      subject_id: contents[kind].idInApi,
      reason: 'spam',
    });
    await server.app.get(DecisionsService).decide(server.app.get(PublicIds).decode('report', body.data.id as string)!, {
      decision: 'remove',
      reason: 'spam',
      actorId: null,
    });
    const [decision] = await server.sql<{ id: string }>('SELECT id FROM moderation_decisions ORDER BY id DESC LIMIT 1');
    return Number(decision!.id);
  }

  /** Restores the object of a decision by granting the author's objection. */
  async function restore(decision: number): Promise<void> {
    const objections = server.app.get(ObjectionsService);
    expect(await objections.addObjection(decision, 'To je omyl.')).toBe('yes');
    await objections.answer(decision, { granted: true, reason: 'omyl', actorId: null });
  }

  /**
   * Returns the responses that the readers get. Each key consists of the reader's name and the address.
   *
   * @param isWanted returns whether the reader of this key reads the address of the key
   */
  async function readAll(isWanted: (key: string) => boolean = () => true): Promise<Responses> {
    const near = 'lat=50.1&lng=14.4';
    const queries = {
      '/discover/events': [
        '',
        '?q=slovoud',
        '?q=slovoser',
        `?${near}`,
        `?${near}&sort=distance`,
        '?bbox=14,50,15,51',
        `?organizer=${jana.slug}`,
        `?series=${contents.series.idInApi}`,
        `?group=${contents.group.idInApi}`,
        `?ids=${contents.event.idInApi}`,
      ],
      '/discover/posts': ['', `?author=${jana.slug}`, `?event=${contents.event.idInApi}`],
      '/groups/discover': ['', `?${near}`, '?q=slovo'],
      '/puls': [`?${near}`],
      '/events': [
        '',
        ...['joined', 'organizing'].flatMap((relation) =>
          ['upcoming', 'past'].map((scope) => `?relation=${relation}&scope=${scope}`),
        ),
      ],
    };
    const api = apiAddresses(addressesOf, queries).filter(
      (address) =>
        !MAY_CONTAIN_IDS.test(address) && !address.startsWith('/user/calendar') && !address.startsWith('/limits'),
    );
    const web = [
      ...new Set([...pages, ...pageAddresses(server, addressesOf, SKIPPED_ADDRESSES), '/?q=slovoud', '/?q=slovoser']),
    ];
    // The readers work in parallel, but each reader sends one request after another.
    const all = await Promise.all(
      readers.map(async ({ name, read }) => {
        const answers: [key: string, answer: { status: number; text: string }][] = [];
        for (const address of name.startsWith('page') ? web : api) {
          const key = `${name}: ${address}`;
          if (isWanted(key)) answers.push([key, await read(address)]);
        }
        return answers;
      }),
    );
    return new Map(all.flat());
  }

  const keysThatShow = (responses: Responses, words: readonly string[]): string[] =>
    [...responses]
      // A page repeats the query of the request in its links, so words of the query do not prove that content is shown.
      .filter(([key, answer]) => {
        const query = key.split('?')[1] ?? '';
        const others = words.filter((word) => !query.includes(word));
        return shows(answer, others);
      })
      .map(([key]) => key);

  /** The keys of the responses that show any of the content. Only these are read again after the removal. */
  const keysWithContent = (responses: Responses): ReadonlySet<string> =>
    new Set(
      keysThatShow(
        responses,
        Object.values(contents).flatMap(({ words }) => words),
      ),
    );

  /** `made_at` in the list for check-in devices is the time of the request, so it is ignored. */
  const withoutTime = (text: string): string => text.replace(/"made_at":"[^"]*"/, '');
  interface ListBody {
    readonly data?: object[];
    readonly meta?: { readonly total?: number };
  }
  const parseList = (text: string): ListBody => (text.startsWith('{') ? (JSON.parse(text) as ListBody) : {});
  const total = (text: string): number | undefined => parseList(text).meta?.total;
  /** The number of items in a list. It is equal to the total, because all lists of this test fit on one page. */
  const itemCount = (text: string): number | undefined =>
    total(text) === undefined ? undefined : parseList(text).data?.length;
  const statusesOfFiles = async (urls: readonly string[]): Promise<number[]> =>
    Promise.all(urls.map(async (url) => (await server.nobody.get(`~${new URL(url).pathname}`)).status));

  /** The minimum number of responses that show each kind before the removal. Fewer responses would prove too little. */
  const SHOWN_AT_LEAST: Record<ContentKind, number> = {
    event: 40,
    series: 20,
    group: 15,
    post: 8,
    comment: 3,
    photo: 3,
    puls: 2,
    message: 2,
  };

  /**
   * Sets of kinds that are hidden at the same time. Two kinds are in the same set only if no page or list of one kind
   * contains content of the other. Otherwise content could be missing only because content of the other kind is hidden.
   */
  const HIDDEN_TOGETHER: readonly (readonly ContentKind[])[] = [
    ['event', 'puls'],
    ['group', 'comment', 'message'],
    ['series', 'post', 'photo'],
  ];
  it('of every kind is tested exactly once', () => {
    expect(HIDDEN_TOGETHER.flat().toSorted()).toEqual([...CONTENT_KINDS].toSorted());
  });

  /** The responses while nothing is hidden. Another test can use them, because no test leaves content hidden. */
  let allVisible: Responses | undefined;

  // MOD-52
  it('of every kind disappears from every response immediately, and reappears unchanged after a granted objection', async () => {
    const before = allVisible ?? (await readAll());
    allVisible = undefined;
    const withContent = keysWithContent(before);
    const shownBefore = (kind: ContentKind): string[] => keysThatShow(before, contents[kind].words);
    const changedKeys = new Set<string>();
    for (const kinds of HIDDEN_TOGETHER) {
      const urls = kinds.flatMap((kind) => files[kind]);
      for (const kind of kinds) expect([kind, shownBefore(kind).length >= SHOWN_AT_LEAST[kind]]).toEqual([kind, true]);
      expect(await statusesOfFiles(urls)).toEqual(urls.map(() => 200));

      const decisions: number[] = [];
      for (const kind of kinds) decisions.push(await remove(kind));
      const [whileHidden, fileStatuses] = [await readAll((key) => withContent.has(key)), await statusesOfFiles(urls)];
      for (const decision of decisions.toReversed()) await restore(decision);

      for (const kind of kinds) expect(keysThatShow(whileHidden, contents[kind].words)).toEqual([]);
      expect(fileStatuses).toEqual(urls.map(() => 404));
      expect(await statusesOfFiles(urls)).toEqual(urls.map(() => 200));
      // The total of each list is the number of items in it, and no response is a server error.
      for (const [key, answer] of whileHidden) {
        expect([key, answer.status < 500]).toEqual([key, true]);
        const earlier = before.get(key)!;
        if (answer.text !== earlier.text) changedKeys.add(key);
        if (!key.startsWith('page') && earlier.status === 200 && answer.status === 200) {
          expect([key, total(answer.text)]).toEqual([key, itemCount(answer.text)]);
          expect([key, total(earlier.text)]).toEqual([key, itemCount(earlier.text)]);
        }
      }
    }

    // Responses that no removal has changed are not read again.
    const restored = await readAll((key) => changedKeys.has(key));
    allVisible = new Map([...before, ...restored]);
    for (const kind of CONTENT_KINDS)
      expect(keysThatShow(allVisible, contents[kind].words).toSorted()).toEqual(shownBefore(kind).toSorted());
    for (const [key, answer] of restored)
      if (!key.startsWith('page'))
        expect([key, withoutTime(answer.text)]).toEqual([key, withoutTime(before.get(key)!.text)]);
  }, 240_000);

  // MOD-10
  it('includes upcoming events, occurrences of series, posts and Puls posts of a banned account, until the ban ends', async () => {
    const hidden = ['event', 'series', 'post', 'puls'] as const;
    const words = hidden.flatMap((kind) => contents[kind].words).filter((word) => word !== contents.series.idInApi);
    const before = allVisible ?? (await readAll());
    allVisible = undefined;
    const keys = keysThatShow(before, words);
    expect(keys.length).toBeGreaterThan(50);

    await changeUser(jana, { banned: true });
    const withContent = keysWithContent(before);
    const whileHidden = await readAll((key) => withContent.has(key));
    expect(keysThatShow(whileHidden, words)).toEqual([]);
    const hiddenFiles = hidden.flatMap((kind) => files[kind]);
    expect(await statusesOfFiles(hiddenFiles)).toEqual(hiddenFiles.map(() => 404));
    expect(await statusesOfFiles(files.group)).toEqual([200]);
    expect((await petr.api.get(`/groups/${contents.group.idInApi}`)).status).toBe(200);

    await changeUser(jana, { banned: false });
    // The pages for the author are not compared, because the ban ended the author's sessions.
    const ofOthers = (all: readonly string[]): string[] => all.filter((key) => !key.startsWith('page for the author'));
    expect(ofOthers(keysThatShow(await readAll((key) => keys.includes(key)), words))).toEqual(ofOthers(keys));
    expect(await statusesOfFiles(files.post)).toEqual([200]);
    signedIn.author = await browserOf(jana);
  }, 240_000);
});
