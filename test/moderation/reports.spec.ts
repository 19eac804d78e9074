import { ParticipationCommands } from '#areas/participation/participation.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { UsersCommands } from '#areas/identity/users.commands';
import { REPORT_REASONS } from '#contract/vocabulary';
import { PublicIds } from '#platform/http/public-ids';
import { buildEvent } from '#testing/builders';
import { buildGroup } from '#testing/groups';
import { phonePhoto } from '#testing/media';
import type { Person } from '#testing/people';
import { buildSeries, occurrencesOf, refusedFields } from '#testing/series';
import { TestServer } from '#testing/test-server';

describe('reports', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  beforeEach(async () => ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva')));

  const report = (person: Person, subject_type: string, subject_id: unknown, more: Record<string, unknown> = {}) =>
    person.api.post('/reports', { subject_type, subject_id, reason: 'spam', ...more });
  async function createEveryKind(): Promise<Record<string, string>> {
    const picture = new Blob([await phonePhoto()]);
    const event = await buildEvent(server, jana, { photos_enabled: true });
    const group = await buildGroup(server, jana);
    const series = await buildSeries(server, jana, { is_public: true });
    const photo = (await jana.api.upload(`/events/${event.id}/photos`, [['photos[]', picture]])).body.data[0]
      .id as string;
    const comment = (await jana.api.post(`/events/${event.id}/comments`, { body: 'x' })).body.data.id as string;
    const post = (
      await jana.api.post('/posts', { title: 'Článek', body: 'text', categories: ['kolo'], status: 'published' })
    ).body.data.slug as string;
    const puls = (
      await jana.api.upload('/puls', [
        ['latitude', '50'],
        ['longitude', '14'],
        ['body', 'x'],
      ])
    ).body.data.id as string;
    return { event: event.id, series: series.id, group: group.id, post, comment, photo, puls, user: jana.slug };
  }

  // MOD-30
  it('are accepted for every kind of content, and are listed for the reporter, latest first', async () => {
    const kindsAndIds = Object.entries(await createEveryKind());
    const created: unknown[] = [];
    for (const [kind, id] of kindsAndIds) {
      const { status, body } = await report(petr, kind, id, { note: ' Tohle ne. ' });
      expect([kind, status]).toEqual([kind, 201]);
      expect(body.data).toEqual({
        id: expect.stringMatching(/^[A-Za-z]{8,}$/),
        subject_type: kind,
        subject_id: id,
        reason: 'spam',
        note: 'Tohle ne.',
        outcome: null,
        created_at: expect.stringMatching(/Z$/),
      });
      created.unshift(body.data);
    }
    expect((await petr.api.get('/reports')).body.data).toEqual(created);
    const page = (await petr.api.get('/reports?per_page=3&page=2')).body;
    expect([page.data, page.meta.total]).toEqual([created.slice(3, 6), kindsAndIds.length]);
    // MOD-34: the reported person does not see the reports either.
    for (const other of [eva, jana]) expect((await other.api.get('/reports')).body.data).toEqual([]);
  });

  // MOD-40
  it('store the texts, places and pictures of the content for the moderators', async () => {
    const idByKind = await createEveryKind();
    const place = { location_name: 'Letná', location_address: 'Letenské sady 1' };
    await server.sql(
      `UPDATE all_events SET description = 'x', location_name = $2, location_address = $3, ticket_url = 'https://example.org/' WHERE organizer_id = $1`,
      [jana.userId, place.location_name, place.location_address],
    );
    await server.sql(
      `UPDATE all_groups SET description = 'x', location_name = 'x', avatar_key = k.key, cover_key = k.key FROM all_gallery_photos k WHERE k.author_id = $1 AND all_groups.owner_id = $1`,
      [jana.userId],
    );
    await server.sql(
      `UPDATE all_posts SET excerpt = 'x', location = 'x', cover_key = k.key FROM all_gallery_photos k WHERE k.author_id = $1 AND all_posts.author_id = $1`,
      [jana.userId],
    );
    await server.sql(
      `UPDATE all_comments SET image_key = k.key FROM all_gallery_photos k WHERE k.author_id = $1 AND all_comments.author_id = $1`,
      [jana.userId],
    );
    await server.sql(
      `UPDATE all_puls_posts SET location_name = 'x', video_key = k.key FROM all_gallery_photos k WHERE k.author_id = $1 AND all_puls_posts.author_id = $1`,
      [jana.userId],
    );
    await server.sql(
      `UPDATE users SET nickname = 'x', avatar_key = k.key FROM all_gallery_photos k WHERE k.author_id = $1 AND users.id = $1`,
      [jana.userId],
    );
    const fields: Record<string, string[]> = {};
    for (const [kind, id] of Object.entries(idByKind)) {
      expect([kind, (await report(petr, kind, id)).status]).toEqual([kind, 201]);
      const [row] = await server.sql<{ snapshot: object }>('SELECT snapshot FROM reports ORDER BY id DESC LIMIT 1');
      fields[kind] = Object.keys(row!.snapshot).sort();
    }
    expect(fields).toEqual({
      event: ['description', 'images', 'location_address', 'location_name', 'starts_at', 'ticket_url', 'title'],
      series: ['description', 'title'],
      group: ['avatar_key', 'cover_key', 'description', 'location_name', 'name'],
      post: ['body', 'cover_key', 'excerpt', 'location', 'slug', 'title'],
      comment: ['body', 'image_key'],
      photo: ['key'],
      puls: ['body', 'location_name', 'video_key'],
      user: ['avatar_key', 'name', 'nickname'],
    });
    await server.sql('UPDATE all_puls_posts SET image_key = video_key, video_key = NULL WHERE author_id = $1', [
      jana.userId,
    ]);
    await report(eva, 'puls', idByKind.puls);
    expect(await server.sql('SELECT snapshot FROM reports ORDER BY id DESC LIMIT 1')).toMatchObject([
      { snapshot: { image_key: expect.any(String) } },
    ]);
  });

  // MOD-30
  it('need one of the defined reasons, and can have a note of at most 2,000 characters', async () => {
    const { id, eventId } = await buildEvent(server, jana);
    for (const [i, reason] of REPORT_REASONS.entries()) {
      const { host } = await server.people('host');
      const note = i % 2 ? 'á'.repeat(2000) : null;
      expect((await report(host, 'event', i % 2 ? String(eventId) : id, { reason, note })).body.data).toMatchObject({
        reason,
        note,
        subject_id: i % 2 ? String(eventId) : id,
      });
    }
    expect(REPORT_REASONS).toEqual([
      'spam',
      'fraud',
      'harassment',
      'hate',
      'violence',
      'sexual',
      'children',
      'privacy',
      'copyright',
      'illegal',
      'other',
    ]);
    expect(refusedFields(await petr.api.post('/reports', {})).sort()).toEqual(['reason', 'subject_id', 'subject_type']);
    expect(refusedFields(await report(petr, 'place', id))).toEqual(['subject_type']);
    expect(refusedFields(await report(petr, 'event', eventId))).toEqual(['subject_id']);
    expect(refusedFields(await report(petr, 'event', id, { reason: 'boring' }))).toEqual(['reason']);
    expect(refusedFields(await report(petr, 'event', id, { note: 'x'.repeat(2001) }))).toEqual(['note']);
    expect(refusedFields(await report(petr, 'event', '  '))).toEqual(['subject_id']);
  });

  // MOD-31
  it('are refused for the reporter’s own content, and for content that is unknown or not visible to the reporter', async () => {
    const idByKind = await createEveryKind();
    for (const [kind, id] of Object.entries(idByKind))
      expect([kind, refusedFields(await report(jana, kind, id))]).toEqual([kind, ['subject_id']]);
    const unknownIds: Record<string, string> = {
      event: idByKind.group!,
      series: idByKind.event!,
      group: idByKind.event!,
      post: 'neni',
      comment: idByKind.event!,
      photo: idByKind.comment!,
      puls: idByKind.photo!,
      user: 'nikdo-takovy',
    };
    const bodyForUnknown = (await report(petr, 'event', unknownIds.event)).body as unknown;
    for (const [kind, id] of Object.entries(unknownIds))
      expect([kind, (await report(petr, kind, id)).body]).toEqual([kind, bodyForUnknown]);

    await jana.api.patch(`/events/${idByKind.event!}`, { is_public: false });
    await jana.api.patch(`/groups/${idByKind.group!}`, { is_public: false });
    await jana.api.patch(`/posts/${idByKind.post!}`, { status: 'draft' });
    await jana.api.patch(`/series/${idByKind.series!}`, { is_public: false });
    await jana.api.put(`/blocks/${petr.slug}`);
    for (const kind of ['event', 'series', 'group', 'post', 'comment', 'photo', 'puls'])
      expect([kind, (await report(petr, kind, idByKind[kind])).body]).toEqual([kind, bodyForUnknown]);
    expect((await report(petr, 'user', idByKind.user)).status).toBe(201);
  });

  // MOD-31
  it('are accepted for replies and for comments on posts only if the reporter sees the event or the post', async () => {
    const { event, post, comment } = await createEveryKind();
    const reply = (await jana.api.post(`/events/${event}/comments`, { body: 'x', parent: comment })).body.data
      .id as string;
    const postComment = (await jana.api.post(`/posts/${post}/comments`, { body: 'x' })).body.data.id as string;
    const postReply = (await jana.api.post(`/posts/${post}/comments`, { body: 'x', parent: postComment })).body.data
      .id as string;
    const statuses = async (person: Person): Promise<number[]> => {
      const all = [];
      for (const id of [reply, postComment, postReply]) all.push((await report(person, 'comment', id)).status);
      return all;
    };
    expect(await statuses(petr)).toEqual([201, 201, 201]);
    await jana.api.patch(`/posts/${post}`, { status: 'draft' });
    expect(await statuses(eva)).toEqual([201, 422, 422]);
    await jana.api.patch(`/events/${event}`, { is_public: false });
    const { otto } = await server.people('otto');
    expect(await statuses(otto)).toEqual([422, 422, 422]);
  });

  // MOD-31
  it('are accepted for a private series only if the reporter can see an occurrence', async () => {
    const { id: series } = await buildSeries(server, jana, { is_public: false });
    const [first] = await occurrencesOf(jana, series);
    const eventId = server.app.get(PublicIds).decode('event', first!.id)!;
    const setStatus = async (person: Person, status: 'pending' | 'banned') =>
      server.database.transaction((tx) =>
        server.app
          .get(ParticipationCommands)
          .setParticipation(tx, eventId, person.userId, { status, checkedInAt: null }),
      );
    expect(refusedFields(await report(petr, 'series', series))).toEqual(['subject_id']);
    await setStatus(petr, 'pending');
    expect((await report(petr, 'series', series)).status).toBe(201);
    await setStatus(eva, 'banned');
    expect(refusedFields(await report(eva, 'series', series))).toEqual(['subject_id']);
    expect(refusedFields(await report(eva, 'event', first!.id))).toEqual(['subject_id']);
  });

  // MOD-31, PEO-7
  it('about a person, named by slug or by id, are accepted only if the reporter can see the person', async () => {
    const { hidden } = await server.people('hidden');
    await server.sql('UPDATE users SET searchable = false WHERE id = $1', [hidden.userId]);
    const bodyForUnknown = (await report(petr, 'user', 'nikdo-takovy')).body as unknown;
    for (const named of [hidden.slug, hidden.id])
      expect((await report(petr, 'user', named)).body).toEqual(bodyForUnknown);
    // A private event with Petr as a participant makes its organizer visible only to Petr. A public event makes its
    // organizer visible to everybody.
    await buildEvent(server, hidden, { is_public: false, with: [[petr, 'confirmed']] });
    expect((await report(petr, 'user', hidden.slug)).status).toBe(201);
    expect((await report(eva, 'user', hidden.slug)).body).toEqual(bodyForUnknown);
    await buildEvent(server, hidden);
    expect((await report(eva, 'user', hidden.id)).status).toBe(201);
    await server.sql('UPDATE users SET banned = true WHERE id = $1', [hidden.userId]);
    expect((await report(jana, 'user', hidden.slug)).body).toEqual(bodyForUnknown);
  });

  // MOD-31
  it('are refused for content of a banned person', async () => {
    const { id } = await buildEvent(server, jana);
    await server.database.transaction(async (tx) => {
      await server.app
        .get(UsersCommands)
        .update(tx, (await server.app.get(UsersReader).lockBySlug(tx, jana.slug))!, { banned: true });
    });
    expect(refusedFields(await report(petr, 'event', id))).toEqual(['subject_id']);
  });

  // MOD-32
  it('are refused while the reporter has an open report about the content, even if sent in parallel or with another form of the id', async () => {
    const { id, eventId } = await buildEvent(server, jana);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => report(petr, 'event', i % 2 ? id : String(eventId))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('already_reported');
    expect((await report(eva, 'event', id)).status).toBe(201);
    await server.sql(`UPDATE reports SET outcome = 'dismissed', decided_at = now() WHERE reporter_id = $1`, [
      petr.userId,
    ]);
    expect((await report(petr, 'event', id, { reason: 'fraud' })).status).toBe(201);
    expect((await petr.api.get('/reports')).body.data.map((one: { outcome: string | null }) => one.outcome)).toEqual([
      null,
      'dismissed',
    ]);
  });

  // MOD-101, MOD-31, MOD-32
  it('name a post or a user by slug or by id, and are refused for Puls posts that have expired or that a block hides', async () => {
    const { slug, id } = (
      await jana.api.post('/posts', { title: 'Článek', body: 'text', categories: ['kolo'], status: 'published' })
    ).body.data as { slug: string; id: string };
    for (const [kind, named, otherForm] of [
      ['post', id, slug],
      ['user', jana.id, jana.slug],
    ] as const) {
      expect((await report(petr, kind, named)).body.data).toMatchObject({ subject_type: kind, subject_id: named });
      expect((await report(petr, kind, otherForm)).body.code).toBe('already_reported');
      expect((await report(eva, kind, otherForm)).status).toBe(201);
      expect(refusedFields(await report(jana, kind, named))).toEqual(['subject_id']);
      expect(refusedFields(await report(petr, kind, kind === 'post' ? jana.id : id))).toEqual(['subject_id']);
    }
    const puls = (
      await jana.api.upload('/puls', [
        ['latitude', '50'],
        ['longitude', '14'],
        ['body', 'x'],
      ])
    ).body.data.id as string;
    await petr.api.put(`/blocks/${jana.slug}`);
    await jana.api.put(`/blocks/${eva.slug}`);
    for (const other of [petr, eva]) expect(refusedFields(await report(other, 'puls', puls))).toEqual(['subject_id']);
    await petr.api.delete(`/blocks/${jana.slug}`);
    expect((await report(petr, 'puls', puls)).status).toBe(201);
    await jana.api.delete(`/blocks/${eva.slug}`);
    // A day later, the Puls post has expired.
    server.clock.forward(86_400_000);
    expect(refusedFields(await report(eva, 'puls', puls))).toEqual(['subject_id']);
  });

  // MOD-33
  it('are limited to 20 a day, and refused reports do not count', async () => {
    const people = await Promise.all(Array.from({ length: 24 }, () => server.person('nekdo')));
    const reportLimit = async () =>
      (await petr.api.get('/limits')).body.data.find((one: { name: string }) => one.name === 'reports');
    expect(await reportLimit()).toMatchObject({ limit: 20, used: 0, remaining: 20, per: 'day' });
    expect((await report(petr, 'user', petr.slug)).status).toBe(422);
    const answers = await Promise.all(people.slice(0, 23).map(({ slug }) => report(petr, 'user', slug)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { status, body, headers } of refused)
      expect([status, body.code, Number(headers.get('retry-after')) > 0]).toEqual([429, 'daily_report_limit', true]);
    expect(await reportLimit()).toMatchObject({ used: 20, remaining: 0 });
    // The checks run in this order: whether the content exists, whether an open report exists, the daily limit.
    const reported = people[answers.findIndex(({ status }) => status === 201)]!;
    expect((await report(petr, 'user', reported.slug)).body.code).toBe('already_reported');
    expect((await report(petr, 'user', 'nikdo')).body.code).toBe('validation_failed');
    expect((await report(petr, 'user', people[23]!.slug)).body.code).toBe('daily_report_limit');
    expect((await petr.api.get('/reports?per_page=100')).body.meta.total).toBe(20);
  });
});
