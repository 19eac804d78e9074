import { NamesSweepJob } from '#areas/identity/names-sweep.job';
import { DatabaseServer } from '#platform/database/database-server';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { picture } from '#testing/media';
import { banFor } from '#testing/moderation-actions';
import { clientOf, type Person, type PersonOptions } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

/** Tests the rules of docs/rules/people.md. */
describe('the search for people', () => {
  let server: TestServer;
  let seeker: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  beforeEach(async () => {
    seeker = await server.person('hledac', { name: 'Hledač' });
  });

  const search = (q: string, who = seeker) => who.api.get(`/users?q=${encodeURIComponent(q)}&per_page=100`);
  async function slugs(q: string, who = seeker): Promise<string[]> {
    const { status, body } = await search(q, who);
    expect(status).toBe(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ slug }: Person) => slug);
  }
  let wordCount = 0;
  /** Returns a word that no other test uses. */
  const word = (): string => `q${'abcdefghij'[wordCount % 10]}${'klmnopqrst'[Math.floor(wordCount++ / 10)]}zyx`;
  const personNamed = (name: string, options: PersonOptions = {}) => server.person('nekdo', { ...options, name });

  // PEO-1
  it.each([
    ['two letters', 'že'],
    ['three letters', 'zel'],
    ['the beginning of a word', 'žele'],
    ['a word', 'ŽELEZNÝ'],
    ['two words in any order', 'krat železny'],
    ['a word of the name and a word of the nickname', 'pisk zele'],
    ['one letter and a word', 'k zele'],
    ['the same word twice', 'zele zele'],
  ])('finds a person by %s', async (_, q) => {
    const person = await personNamed('Krátký Železný', { nickname: 'Pískle' });
    await personNamed('Nekrátký Ocelový', { nickname: 'Nepískle' });
    expect(await slugs(q)).toContain(person.slug);
    const others = (await search(q)).body.data as { name: string }[];
    expect(others.filter(({ name }) => name !== 'Krátký Železný')).toEqual([]);
  });

  // PEO-1
  it('finds a person only if each word of the query is the beginning of a word of the name, nickname or slug', async () => {
    const w = word();
    const { slug } = await personNamed(`Dana ${w}`);
    expect(await slugs(w.slice(1))).toEqual([]);
    expect(await slugs(`${w} nikdo`)).toEqual([]);
    expect(await slugs(`${w}s`)).toEqual([]);
    expect(await slugs(slug)).toEqual([slug]);
    expect(await slugs('!?')).toEqual([]);
  });

  // PEO-2
  it('sorts by the number of exactly matching words, then by name, then by slug', async () => {
    const w = word();
    const longer = await personNamed(`Adam ${w}ova`);
    const exact = await personNamed(`Bára ${w}`);
    const both = await personNamed(`Cyril ${w} Karel`);
    expect(await slugs(w)).toEqual([exact.slug, both.slug, longer.slug]);
    expect(await slugs(w.slice(0, 3))).toHaveLength(3);
    await personNamed(`Adam ${w} Karelova`);
    expect((await slugs(`${w} karel`))[0]).toBe(both.slug);
    const [one, other] = [await personNamed(`Dita ${w}stejna`), await personNamed(`Dita ${w}stejna`)];
    expect(await slugs(`${w}stej`)).toEqual([one.slug, other.slug].sort());
  });

  // PEO-2
  it.each([
    ['long words', (w: string) => [w, 'karel', 'eva']],
    ['words of at most three letters', (w: string) => [w.slice(0, 3), 'ka', 'e']],
  ])('counts every exactly matching word of a query with several words: %s', async (_, wordsOf) => {
    const words = wordsOf(word());
    const inOrder = [
      ['Zora', [true, true, true]],
      ['Vanda', [true, true, false]],
      ['Xenie', [true, false, true]],
      ['Yveta', [false, true, true]],
      ['Nora', [true, false, false]],
      ['Olga', [false, true, false]],
      ['Petra', [false, false, true]],
      ['Adam', [false, false, false]],
    ] as const;
    const expected: string[] = [];
    for (const [name, exact] of inOrder) {
      const parts = words.map((one, n) => `${one}${exact[n] ? '' : 'ov'}`);
      expected.push((await personNamed([name, ...parts].join(' '))).slug);
    }
    for (const query of [words, words.toReversed()]) expect(await slugs(query.join(' '))).toEqual(expected);
  });

  // PEO-2
  it('counts a match with the last word of the slug as exact in a query of several words', async () => {
    const w = word();
    const { slug } = await personNamed(`Zora ${w}`);
    const last = slug.split('-').at(-1);
    const { slug: other } = await personNamed(`Adam ${w} ${last}x`);
    expect(await slugs(`${w} ${last}`)).toEqual([slug, other]);
  });

  // PEO-1, PEO-2
  it.each([
    ['one word', '', 0],
    ['one word that matches some people exactly', '', 3],
    ['two words', 'eva ', 3],
    ['two short words', 'ev ', 3],
  ])('has pages without missing or repeated people for a query of %s', async (_, firstWord, exactCount) => {
    const w = word();
    const letters = firstWord === 'ev ' ? w.slice(0, 3) : w;
    for (let n = 0; n < 5; n++) await personNamed(`Eva ${letters}${n < exactCount ? '' : 'abcde'[n]}`);
    const all = await slugs(`${firstWord}${letters}`);
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => seeker.api.get(`/users?q=${firstWord}${letters}&per_page=2&page=${page}`)),
    );
    expect(pages.flatMap(({ body }) => body.data.map(({ slug }: Person) => slug))).toEqual(all);
    expect(all).toHaveLength(5);
    expect(pages.map(({ body }) => body.meta.total)).toEqual([5, 5, 5, 5]);
    expect(pages[0]?.body.links.next).toContain(`${letters}&per_page`);
  });

  // PEO-1
  it.each([
    ['one long word', (w: string) => w],
    ['two words', (w: string) => `dana ${w}`],
    ['a short word and a letter', (w: string) => `${w.slice(0, 3)} d`],
  ])('finds a person only once if several words of the person’s names match a query of %s', async (_, queryOf) => {
    const w = word();
    const { slug } = await personNamed(`Dana ${w}ova ${w}`, { nickname: `${w}ovka` });
    expect(await slugs(queryOf(w))).toEqual([slug]);
  });

  // PEO-1
  it('finds people by single letters', async () => {
    const one = await personNamed('Ж Щука');
    const other = await personNamed('Щука Жук');
    await personNamed('Ж Жук');
    expect(await slugs('ж щ')).toEqual([one.slug, other.slug]);
    expect(await slugs('щ.')).toEqual([one.slug, other.slug]);
  });

  // PEO-3
  describe.each([
    ['two letters', (w: string) => w.slice(0, 2)],
    ['three letters', (w: string) => w.slice(0, 3)],
    ['a word', (w: string) => w],
    ['two words', (w: string) => `${w} dana`],
  ])('a search by %s', (_, queryOf) => {
    const HIDDEN: readonly (readonly [string, (who: Person, sought: Person) => Promise<unknown>])[] = [
      ['not searchable', (_who, { slug }) => server.sql('UPDATE users SET searchable = false WHERE slug = $1', [slug])],
      ['banned', (_who, { slug }) => server.sql('UPDATE users SET banned = true WHERE slug = $1', [slug])],
      ['banned for some days', (_who, sought) => banFor(server, sought, '1 day')],
      ['blocking the caller', (who, sought) => sought.api.put(`/blocks/${who.slug}`)],
      ['blocked by the caller', (who, sought) => who.api.put(`/blocks/${sought.slug}`)],
      ['erased', (_who, { slug }) => server.sql('UPDATE users SET gone = true WHERE slug = $1', [slug])],
    ];

    it.each(HIDDEN)('does not find or count a person who is %s', async (_name, hide) => {
      const w = word();
      const sought = await personNamed(`Dana ${w}`);
      const other = await personNamed(`Dana ${w}`);
      const before = await slugs(queryOf(w));
      expect(before).toEqual(expect.arrayContaining([sought.slug, other.slug]));
      await hide(seeker, sought);
      expect(await slugs(queryOf(w))).toEqual(before.filter((slug) => slug !== sought.slug));
    });

    it('finds a person whose ban has ended', async () => {
      const w = word();
      const person = await personNamed(`Dana ${w}`);
      await banFor(server, person, '-1 second');
      expect(await slugs(queryOf(w))).toContain(person.slug);
    });

    it('does not find the caller', async () => {
      const w = word();
      const [one, other] = [await personNamed(`Dana ${w}`), await personNamed(`Dana ${w}`)];
      const found = await slugs(queryOf(w), one);
      expect(found).toContain(other.slug);
      expect(found).not.toContain(one.slug);
    });
  });

  // PEO-2, PEO-3
  it.each([
    ['three letters', (w: string) => w.slice(0, 3)],
    ['a word', (w: string) => w],
  ])('reports a total that equals the number of people found by %s', async (_, queryOf) => {
    const w = word();
    const unmatched = await personNamed(`Dana x${w} y${w}`);
    const shown = await Promise.all([1, 2].map(() => personNamed(`Dana ${w}`)));
    const others = await Promise.all([1, 2, 3, 4].map(() => personNamed(`Dana ${w}`)));
    const found = await slugs(queryOf(w));
    const without = (...hidden: Person[]) => found.filter((slug) => hidden.every((one) => one.slug !== slug));
    expect(found).toEqual(expect.arrayContaining(shown.map(({ slug }) => slug)));
    expect(found).not.toContain(unmatched.slug);
    // The name of `unmatched` contains the letters only inside its words, so the search cannot find this person.
    expect((await slugs(queryOf(w), unmatched)).sort()).toEqual([...found].sort());
    await server.sql('UPDATE users SET banned = true WHERE slug = $1', [unmatched.slug]);
    expect(await slugs(queryOf(w))).toEqual(found);
    // Each of these people is hidden for two reasons.
    const [banned, blocked, shyBanned, shyBlocked] = others as [Person, Person, Person, Person];
    const update = (assignment: string, ...people: Person[]) =>
      server.sql(`UPDATE users SET ${assignment} WHERE slug = ANY ($1)`, [people.map(({ slug }) => slug)]);
    await update('banned = true', banned, shyBanned);
    await update('searchable = false', shyBanned, shyBlocked);
    for (const { slug } of [banned, blocked, shyBlocked]) await seeker.api.put(`/blocks/${slug}`);
    await blocked.api.put(`/blocks/${seeker.slug}`);
    expect(await slugs(queryOf(w))).toEqual(without(banned, blocked, shyBanned, shyBlocked));
  });

  // PEO-3
  it('finds a person only by the new name after the name was changed', async () => {
    const [before, after] = [word(), word()];
    const { slug } = await personNamed(`Dana ${before}`);
    await server.sql('UPDATE users SET name = $2, nickname = NULL WHERE slug = $1', [slug, `Dana ${after}`]);
    expect(await slugs(before)).toEqual([]);
    expect(await slugs(before.slice(0, 3))).not.toContain(slug);
    expect(await slugs(after)).toEqual([slug]);
    expect(await slugs(`dana ${after}`)).toEqual([slug]);
  });

  // PEO-4
  it('finds accounts that were created before the search existed, after a job has indexed them', async () => {
    const w = word();
    const { slug } = await personNamed(`Dana ${w}`);
    await server.sql('ALTER TABLE users DISABLE TRIGGER USER');
    await server.sql('UPDATE users SET folded = NULL WHERE slug = $1', [slug]);
    await server.sql('DELETE FROM people_words WHERE slug = $1', [slug]);
    await server.sql('ALTER TABLE users ENABLE TRIGGER USER');
    expect(await slugs(w)).toEqual([]);
    const job = server.app.get(NamesSweepJob);
    expect(await job.run({ now: server.clock.now(), signal: new AbortController().signal })).toEqual({
      folded: 1,
      rewritten: 0,
    });
    expect(await slugs(w)).toEqual([slug]);
    expect(await slugs(`dana ${w}`)).toEqual([slug]);
  });

  // PEO-4
  it('finds by three letters an account whose `people_words` rows have an older format, and by two words after a job has rewritten the rows', async () => {
    const w = word();
    const { slug } = await personNamed(`Dana ${w}`);
    const rows = () =>
      server.sql('SELECT part, is_part, folded, shared FROM people_words WHERE slug = $1 ORDER BY part', [slug]);
    const written = await rows();
    await server.sql('UPDATE people_words SET folded = NULL, shared = NULL WHERE slug = $1', [slug]);
    expect(await slugs(w.slice(0, 3))).toEqual([slug]);
    const job = server.app.get(NamesSweepJob);
    expect(await job.run({ now: server.clock.now(), signal: new AbortController().signal })).toEqual({
      folded: 0,
      rewritten: 1,
    });
    expect(await rows()).toEqual(written);
    expect(await slugs(`dana ${w}`)).toEqual([slug]);
  });

  // PEO-5
  it.each(['', 'q=', 'q=a', 'q=%20a%20', `q=${'x'.repeat(101)}`, 'q=ab&per_page=101'])(
    'refuses the query "%s"',
    async (query) => {
      expect((await seeker.api.get(`/users?${query}`)).body).toMatchObject({ code: 'validation_failed' });
    },
  );

  // PEO-6
  it('allows an account 30 searches a minute; counts searches with a 304 response, but not invalid searches', async () => {
    expect((await search('a')).status).toBe(422);
    const answers = await Promise.all(Array.from({ length: 33 }, () => search('nikdo', seeker)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 3 }, () => [429, 'too_many_requests']),
    );
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    const { body } = await seeker.api.get('/limits');
    expect(body.data.find(({ name }: { name: string }) => name === 'user_searches')).toMatchObject({
      limit: 30,
      used: 30,
      remaining: 0,
      per: 'minute',
    });
    expect((await seeker.api.get(`/users/${seeker.slug}`)).status).toBe(200);
    server.clock.forward(61_000);
    const { status, headers } = await search('nikdo', seeker);
    expect(status).toBe(200);
    const again = await seeker.api.send('GET', '/users?q=nikdo&per_page=100', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    const { body: after } = await seeker.api.get('/limits');
    expect(after.data.find(({ name }: { name: string }) => name === 'user_searches').used).toBe(2);
  });

  // PEO-6
  it('allows 30 searches a minute on two servers together, for any mix of queries', async () => {
    const otherServer = await TestServer.start({ databaseUrl: server.app.get(DatabaseServer).url });
    try {
      const apis = [seeker.api, clientOf(otherServer, seeker.token)];
      const letters = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((one) => [`${one}a`, `${one}e`]);
      const answers = await Promise.all(letters.map((q, i) => apis[i % 2]!.get(`/users?q=${q}&page=${1 + (i % 3)}`)));
      const statuses = answers.map(({ status }) => status);
      expect([200, 429].map((wanted) => statuses.filter((status) => status === wanted).length)).toEqual([30, 22]);
      for (const api of apis) expect((await api.get('/users?q=nikdo')).status).toBe(429);
    } finally {
      await otherServer.stop();
    }
  });

  // PEO-7, PEO-8
  describe('a profile', () => {
    const profile = (slug: string, who = seeker) => who.api.get(`/users/${slug}`);

    it('contains the person, the number of public events that are not cancelled, and the relation of the caller', async () => {
      const jana = await personNamed('Jana', { nickname: 'Jani', verified: true });
      await buildEvent(server, jana, {});
      await buildEvent(server, jana, { is_public: false });
      const cancelled = await buildEvent(server, jana, {});
      await jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
      expect((await profile(jana.slug)).body.data).toEqual({
        name: 'Jana',
        nickname: 'Jani',
        slug: jana.slug,
        avatar_url: null,
        url: expect.stringMatching(new RegExp(`/people/${jana.slug}$`)) as string,
        is_verified: true,
        created_at: expect.stringMatching(/Z$/) as string,
        events_organized: 1,
        viewer: { is_self: false, is_blocked: false, can_invite: true },
      });
      expect((await profile(jana.slug, jana)).body.data.viewer).toEqual({
        is_self: true,
        is_blocked: false,
        can_invite: false,
      });
    });

    it('contains whether the caller blocks the person, but not whether the person blocks the caller', async () => {
      const jana = await personNamed('Jana');
      await jana.api.put(`/blocks/${seeker.slug}`);
      const { viewer } = (await profile(jana.slug)).body.data;
      expect(viewer).toEqual({ is_self: false, is_blocked: false, can_invite: true });
      await seeker.api.put(`/blocks/${jana.slug}`);
      expect((await profile(jana.slug)).body.data.viewer).toEqual({
        is_self: false,
        is_blocked: true,
        can_invite: true,
      });
    });

    /**
     * A property of an unsearchable person, whether this property makes the profile visible, and a function that gives
     * the person this property.
     */
    const VISIBILITY_CASES: readonly (readonly [string, boolean, (shy: Person) => Promise<unknown>])[] = [
      ['no public content', false, () => Promise.resolve()],
      ['a public event', true, (shy) => buildEvent(server, shy, {})],
      [
        'a cancelled public event',
        true,
        async (shy) => {
          const { id } = await buildEvent(server, shy, {});
          expect((await shy.api.patch(`/events/${id}`, { status: 'cancelled' })).status).toBe(200);
        },
      ],
      ['a past public event', true, (shy) => buildEvent(server, shy, { starts_at: inDays(-20), ends_at: inDays(-19) })],
      [
        'a public event that was removed',
        false,
        async (shy) => {
          const { eventId } = await buildEvent(server, shy, {});
          await server.sql('UPDATE all_events SET removed_at = now() WHERE id = $1', [eventId]);
        },
      ],
      ['a private event', false, (shy) => buildEvent(server, shy, { is_public: false })],
      [
        'a private event to which the caller is invited',
        true,
        (shy) => buildEvent(server, shy, { is_public: false, with: [[seeker, 'pending']] }),
      ],
      [
        'a participation in a private event of the caller',
        true,
        (shy) => buildEvent(server, seeker, { is_public: false, with: [[shy, 'waitlisted']] }),
      ],
      [
        'a participation in a private event in which the caller participates',
        true,
        async (shy) =>
          buildEvent(server, await personNamed('Třetí'), {
            is_public: false,
            with: [
              [shy, 'confirmed'],
              [seeker, 'requested'],
            ],
          }),
      ],
      [
        'a private event in which the caller has the status declined',
        false,
        (shy) => buildEvent(server, shy, { is_public: false, with: [[seeker, 'declined']] }),
      ],
      ...(['declined', 'banned'] as const).map(
        (state) =>
          [
            `the status ${state} in a private event of the caller`,
            false,
            (shy: Person) => buildEvent(server, seeker, { is_public: false, with: [[shy, state]] }),
          ] as const,
      ),
      [
        'a private event in which the caller has the status banned',
        false,
        (shy) => buildEvent(server, shy, { is_public: false, with: [[seeker, 'banned']] }),
      ],
      ['a public group', true, (shy) => buildGroup(server, shy)],
      [
        'a public group that was removed',
        false,
        async (shy) => {
          const { groupId } = await buildGroup(server, shy);
          await server.sql('UPDATE all_groups SET removed_at = now() WHERE id = $1', [groupId]);
        },
      ],
      [
        'a membership in a public group of another person',
        false,
        async (shy) => buildGroup(server, await personNamed('Třetí'), { with: [[shy, 'member']] }),
      ],
      ['a private group', false, (shy) => shy.api.post('/groups', { name: 'Parta' })],
      [
        'a private group to which the caller is invited',
        false,
        async (shy) => {
          const { body } = await shy.api.post('/groups', { name: 'Parta' });
          await shy.api.post(`/groups/${body.data.id}/members`, { user: seeker.slug });
        },
      ],
      [
        'a private group of which the caller is a member',
        true,
        async (shy) => {
          const { body } = await shy.api.post('/groups', { name: 'Parta' });
          await shy.api.post(`/groups/${body.data.id}/members`, { user: seeker.slug });
          await seeker.api.post(`/groups/${body.data.id}/join`);
        },
      ],
      ...(['invited', 'requested'] as const).map(
        (role) =>
          [
            `the role ${role} in a group of the caller`,
            false,
            (shy: Person) => buildGroup(server, seeker, { with: [[shy, role]] }),
          ] as const,
      ),
      [
        'a published post',
        true,
        (shy) => shy.api.post('/posts', { title: 'Výlet', body: 'Text', categories: ['mista'], status: 'published' }),
      ],
      ...([true, false] as const).map(
        (isPublic) =>
          [
            `a photo of a ${isPublic ? 'public' : 'private'} event that the person has left`,
            isPublic,
            async (shy: Person) => {
              const event = await buildEvent(server, await personNamed('Třetí'), {
                is_public: isPublic,
                photos_enabled: true,
                with: [[shy, 'confirmed']],
              });
              const sent = await shy.api.upload(`/events/${event.id}/photos`, [
                ['photos[]', new Blob([new Uint8Array(await picture())])],
              ]);
              expect(sent.status).toBe(201);
              await shy.api.delete(`/events/${event.id}/join`);
            },
          ] as const,
      ),
      [
        'a comment on a public event',
        true,
        async (shy) => {
          const event = await buildEvent(server, seeker, { with: [[shy, 'confirmed']] });
          expect((await shy.api.post(`/events/${event.id}/comments`, { body: 'Těším se' })).status).toBe(201);
          await shy.api.delete(`/events/${event.id}/join`);
        },
      ],
      [
        'a comment on a private event in which the person no longer participates',
        false,
        async (shy) => {
          const event = await buildEvent(server, seeker, { is_public: false, with: [[shy, 'confirmed']] });
          expect((await shy.api.post(`/events/${event.id}/comments`, { body: 'Těším se' })).status).toBe(201);
          await shy.api.delete(`/events/${event.id}/join`);
        },
      ],
      [
        'a reply below a published post',
        true,
        async (shy) => {
          const post = { title: 'Výlet', body: 'Text', categories: ['mista'], status: 'published' };
          const { slug } = (await seeker.api.post('/posts', post)).body.data;
          const { id } = (await seeker.api.post(`/posts/${slug}/comments`, { body: 'Kdo byl?' })).body.data;
          const reply = await shy.api.post(`/posts/${slug}/comments`, { body: 'Já', parent: id });
          expect(reply.status).toBe(201);
        },
      ],
      [
        'a draft of a post',
        false,
        (shy) => shy.api.post('/posts', { title: 'Výlet', body: 'Text', categories: ['mista'], status: 'draft' }),
      ],
    ];
    it.each(VISIBILITY_CASES.filter(([, isVisible]) => isVisible))(
      'of a person who is not searchable but has %s is visible to the caller',
      async (_name, _isVisible, prepare) => {
        const shy = await personNamed('Plachá', { searchable: false });
        await prepare(shy);
        expect((await profile(shy.slug)).body.data.viewer.can_invite).toBe(false);
      },
    );

    it.each(VISIBILITY_CASES.filter(([, isVisible]) => !isVisible))(
      'of a person who is not searchable and has %s is the same 404 as for an unknown person',
      async (_name, _isVisible, prepare) => {
        const shy = await personNamed('Plachá', { searchable: false });
        await prepare(shy);
        const unknown = await profile('nikdo-takovy');
        const answer = await profile(shy.slug);
        expect([answer.status, answer.text]).toEqual([404, unknown.text]);
      },
    );

    it('of a banned or erased person is 404', async () => {
      const jana = await personNamed('Jana');
      await server.sql('UPDATE users SET banned = true WHERE slug = $1', [jana.slug]);
      expect((await profile(jana.slug)).status).toBe(404);
      await server.sql('UPDATE users SET banned = false, gone = true WHERE slug = $1', [jana.slug]);
      expect((await profile(jana.slug)).status).toBe(404);
    });
  });
});
