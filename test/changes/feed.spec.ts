import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { LIMITS } from '#contract/limits';
import { CursorSealer } from '#platform/changes/cursor';
import { buildEvent, eventBody } from '#testing/builders';
import { Feed } from '#testing/feed';
import { addMember, buildGroup } from '#testing/groups';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

describe('the feed of changes', () => {
  // CHG-1, CHG-2, CHG-7
  it('begins at the current position, and also contains changes that the reader has made', async () => {
    const jana = await server.person('jana');
    const feed = await Feed.of(jana);
    const { body } = await jana.api.post('/events', eventBody());
    const id = body.data.id as string;
    expect(await feed.summaries()).toEqual([`event.created ${id} ${jana.slug}`]);
    await jana.api.patch(`/events/${id}`, { title: 'Jiný piknik' });
    await jana.api.patch(`/events/${id}`, { title: 'Jiný piknik' });
    expect(await feed.summaries()).toEqual([`event.updated ${id} ${jana.slug}`]);
    await jana.api.patch(`/events/${id}`, { status: 'cancelled' });
    expect(await feed.summaries()).toEqual([`event.cancelled ${id} ${jana.slug}`]);
    await jana.api.delete(`/events/${id}`);
    const [gone, ...rest] = await feed.newEntries();
    expect(gone).toMatchObject({
      type: 'event.gone',
      subject: { type: 'event', id, url: `${server.app.getHttpAdapter().getInstance().baseUrl}/api/v1/events/${id}` },
      by: null,
    });
    expect(rest).toEqual([]);
  });

  // CHG-3, CHG-5, CHG-6
  it('shows a change of a participation to the organizer and the participant; an invited person gets event.updated instead', async () => {
    const { jana, petr, eva, otto } = await server.people('jana', 'petr', 'eva', 'otto');
    const { id } = await buildEvent(server, jana, { with: [[eva, 'pending']] });
    const [feedOfJana, feedOfPetr, feedOfEva, feedOfOtto] = (await Feed.all(jana, petr, eva, otto)) as [
      Feed,
      Feed,
      Feed,
      Feed,
    ];
    await petr.api.post(`/events/${id}/join`);
    expect(await feedOfJana.summaries()).toEqual([`participant.joined ${petr.slug} ${petr.slug}`]);
    expect(await feedOfPetr.summaries()).toEqual([`participant.joined ${petr.slug} ${petr.slug}`]);
    expect(await feedOfEva.summaries()).toEqual([`event.updated ${id} -`]);
    expect(await feedOfOtto.summaries()).toEqual([]);
    await petr.api.delete(`/events/${id}/join`);
    expect(await feedOfJana.summaries()).toEqual([`participant.gone ${petr.slug} -`]);
    expect(await feedOfPetr.summaries()).toEqual([`event.gone ${id} -`]);
    expect(await feedOfEva.summaries()).toEqual([`event.updated ${id} -`]);
  });

  // CHG-1, CHG-5, CHG-6
  it('shows the events of a group to its members, but not to invited people', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const group = await buildGroup(server, jana, {
      with: [
        [petr, 'member'],
        [eva, 'invited'],
      ],
    });
    const [feedOfPetr, feedOfEva] = (await Feed.all(petr, eva)) as [Feed, Feed];
    const { id } = await buildEvent(server, jana, { group: group.id, is_public: true });
    expect(await feedOfPetr.summaries()).toEqual([`event.created ${id} -`, `participant.created ${petr.slug} -`]);
    expect(await feedOfEva.summaries()).toEqual([]);
    await petr.api.delete(`/groups/${group.id}/join`);
    expect(await feedOfPetr.summaries()).toEqual([`group.gone ${group.id} -`]);
    expect(await feedOfEva.summaries()).toEqual([`group.updated ${group.id} -`]);
  });

  // CHG-1
  it('shows a new member of a group the changes of events that existed before the membership', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const group = await buildGroup(server, jana);
    const { id } = await buildEvent(server, jana, { group: group.id, is_public: true });
    await addMember(server, group, petr, 'member');
    const feed = await Feed.of(petr);
    await jana.api.patch(`/events/${id}`, { title: 'Jiný piknik' });
    expect(await feed.summaries()).toEqual([`event.updated ${id} ${jana.slug}`]);
  });

  // CHG-15
  it('reports changed participations and notices after a person is erased, and does not name the person', async () => {
    const { jana, petr, eva, otto } = await server.people('jana', 'petr', 'eva', 'otto');
    const pastEvent = await buildEvent(server, jana, {
      starts_at: inDays(-2),
      with: [
        [petr, 'confirmed'],
        [eva, 'confirmed'],
      ],
    });
    const requestEvent = await buildEvent(server, otto, { join_mode: 'request' });
    await petr.api.post(`/events/${requestEvent.id}/join`);
    const [feedOfJana, feedOfEva, feedOfOtto] = (await Feed.all(jana, eva, otto)) as [Feed, Feed, Feed];
    await server.app.get(OwnDataCommands).erase(petr.slug);
    expect(await feedOfJana.summaries()).toEqual([expect.stringMatching(/^participant\.updated deleted-\w+ -$/)]);
    expect(await feedOfEva.summaries()).toEqual([`event.updated ${pastEvent.id} -`]);
    const types = (await feedOfOtto.newEntries()).map(({ type }) => type);
    expect(types).toContain('notice.updated');
    expect((await otto.api.get('/notices')).text).not.toContain(petr.name);
  });

  // CHG-15, NOTE-20
  it('reports to the organizer that the notice about new participants no longer names an erased person', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { id } = await buildEvent(server, jana);
    await petr.api.post(`/events/${id}/join`);
    await server.job('joined-digest');
    const [notice] = (await jana.api.get('/notices')).body.data as [{ id: string; text: string }];
    expect(notice.text).toContain(petr.name);
    const feed = await Feed.of(jana);
    await server.app.get(OwnDataCommands).erase(petr.slug);
    expect(await feed.newEntries('&types=notice.updated')).toMatchObject([{ subject: { id: notice.id } }]);
    expect((await jana.api.get('/notices')).text).not.toContain(petr.name);
  });

  // CHG-8, CHG-9
  it('continues page by page in order, and skips types that were not requested', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { id } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const feed = await Feed.of(petr);
    const comments: string[] = [];
    for (let i = 0; i < 7; i++)
      comments.push((await jana.api.post(`/events/${id}/comments`, { body: `${i}` })).body.data.id as string);
    const begin = feed.cursor;
    const page = await petr.api.get(`/changes?cursor=${begin}&limit=3`);
    expect(page.body.meta.has_more).toBe(true);
    expect(page.body.links).toEqual({ first: null, last: null, prev: null, next: null });
    expect(await feed.summaries('&limit=3')).toEqual(
      comments.map((comment) => `comment.created ${comment} ${jana.slug}`),
    );
    feed.cursor = page.body.data[1].cursor as string;
    expect((await feed.summaries('&limit=2')).length).toBe(5);
    feed.cursor = begin;
    expect(await feed.summaries('&types=event.updated,event.gone')).toEqual([]);
    expect(await feed.summaries()).toEqual([]);
  });

  // CHG-3, CHG-4, CHG-9
  it('selects entries by the type that the reader sees; the same change can have another type for another reader', async () => {
    const { jana, petr, eva, otto } = await server.people('jana', 'petr', 'eva', 'otto');
    const { id } = await buildEvent(server, jana, { with: [[eva, 'confirmed']] });
    const group = await buildGroup(server, jana, {
      with: [
        [petr, 'invited'],
        [otto, 'invited'],
        [eva, 'member'],
      ],
    });
    const readers = { jana, petr, eva, otto };
    const begins: Record<string, string> = {};
    for (const [name, reader] of Object.entries(readers)) begins[name] = (await Feed.of(reader)).cursor;
    await petr.api.post(`/events/${id}/join`);
    await petr.api.post(`/groups/${group.id}/join`);
    const payment = await eva.api.post(`/events/${id}/expenses/payments`, { to: jana.slug, amount: 5 });
    const paymentId = payment.body.data.id as string;
    await petr.api.delete(`/groups/${group.id}/join`);

    const selected = async (type: string) => {
      const found: Record<string, string[]> = {};
      for (const [name, reader] of Object.entries(readers)) {
        const feed = await Feed.of(reader);
        feed.cursor = begins[name]!;
        found[name] = await feed.summaries(`&types=${type}`);
        // The cursor also moves past all changes of other types.
        expect([name, type, await feed.summaries()]).toEqual([name, type, []]);
      }
      return found;
    };
    const joined = [`participant.joined ${petr.slug} ${petr.slug}`];
    expect(await selected('participant.joined')).toEqual({ jana: joined, petr: joined, eva: [], otto: [] });
    expect(await selected('event.updated')).toEqual({ jana: [], petr: [], eva: [`event.updated ${id} -`], otto: [] });
    const left = [`member.gone ${petr.slug} -`];
    expect(await selected('member.gone')).toEqual({ jana: left, petr: [], eva: left, otto: [] });
    expect(await selected('group.gone')).toEqual({ jana: [], petr: [`group.gone ${group.id} -`], eva: [], otto: [] });
    expect(await selected('group.updated')).toEqual({
      jana: [],
      petr: [],
      eva: [],
      otto: [`group.updated ${group.id} -`, `group.updated ${group.id} -`],
    });
    const paid = [`expense.updated ${paymentId} ${eva.slug}`];
    expect(await selected('expense.updated')).toEqual({ jana: paid, petr: paid, eva: paid, otto: [] });
    expect(await selected('expense.created')).toEqual({ jana: [], petr: [], eva: [], otto: [] });
  });

  // CHG-2
  it('contains, for the subject of each entry, the id, the address, the event, the group and the person', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const base = `${server.app.getHttpAdapter().getInstance().baseUrl}/api/v1`;
    const { id } = await buildEvent(server, jana);
    const [feedOfJana, feedOfPetr, feedOfEva] = (await Feed.all(jana, petr, eva)) as [Feed, Feed, Feed];
    const subjects = async (feed: Feed): Promise<unknown[]> =>
      (await feed.newEntries()).flatMap(({ type, subject }) =>
        subject.type === 'notice'
          ? []
          : [[type, subject.id, subject.url.replace(base, ''), subject.event, subject.group, subject.user]],
      );
    await petr.api.post(`/events/${id}/join`);
    const joined = ['participant.joined', petr.slug];
    expect([await subjects(feedOfJana), await subjects(feedOfPetr)]).toEqual([
      [[...joined, `/events/${id}/participants`, id, null, petr.slug]],
      [[...joined, `/discover/events/${id}`, id, null, petr.slug]],
    ]);
    await jana.api.patch(`/events/${id}`, { title: 'Jiný' });
    const comment = (await jana.api.post(`/events/${id}/comments`, { body: 'Ahoj' })).body.data.id as string;
    const payment = (
      await jana.api.post(`/events/${id}/expenses/payments`, { to: petr.slug, amount: 50, currency: 'CZK' })
    ).body.data.id as string;
    const parts = [
      ['comment.created', comment, `/events/${id}/comments`, id, null, null],
      ['expense.updated', payment, `/events/${id}/expenses`, id, null, null],
    ];
    expect([await subjects(feedOfJana), await subjects(feedOfPetr)]).toEqual([
      [['event.updated', id, `/events/${id}`, id, null, null], ...parts],
      [['event.updated', id, `/discover/events/${id}`, id, null, null], ...parts],
    ]);
    await petr.api.delete(`/events/${id}/join`);
    expect(await subjects(feedOfPetr)).toEqual([['event.gone', id, `/discover/events/${id}`, id, null, null]]);

    const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
    await jana.api.post(`/groups/${group.id}/members`, { user: eva.slug });
    // An invited person can read the group, but not its list of members.
    expect((await subjects(feedOfEva)).at(-1)).toEqual([
      'member.created',
      eva.slug,
      `/groups/${group.id}`,
      null,
      group.id,
      eva.slug,
    ]);
    await subjects(feedOfPetr);
    await eva.api.post(`/groups/${group.id}/join`);
    const member = [`/groups/${group.id}/members`, null, group.id, eva.slug];
    expect([await subjects(feedOfPetr), await subjects(feedOfEva)]).toEqual([
      [['member.updated', eva.slug, ...member]],
      [['member.updated', eva.slug, ...member]],
    ]);
    await eva.api.delete(`/groups/${group.id}/join`);
    expect([await subjects(feedOfPetr), await subjects(feedOfEva)]).toEqual([
      [['member.gone', eva.slug, ...member]],
      [['group.gone', group.id, `/groups/${group.id}`, null, group.id, null]],
    ]);
  });

  // CHG-8, CHG-9
  it('has up to 100 entries on a page, and finds entries of the requested types after any number of other entries', async () => {
    const jana = await server.person('jana');
    const event = await buildEvent(server, jana);
    const { cursor } = await Feed.of(jana);
    const page = async (query: string) => {
      const { body } = await jana.api.get(`/changes?${query}`);
      return body as { data: { type: string }[]; meta: { cursor: string; has_more: boolean } };
    };
    const addEntries = (count: number) =>
      server.sql(
        `INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, counted)
         SELECT 'event', $1, 'comment.gone', n, false FROM generate_series(1, $2::int) n`,
        [event.eventId, count],
      );
    await addEntries(LIMITS.changes.limit.max);
    const full = await page(`cursor=${cursor}`);
    expect([full.data.length, full.meta.has_more]).toEqual([100, false]);
    await addEntries(1);
    const first = await page(`cursor=${cursor}`);
    expect([first.data.length, first.meta.has_more]).toEqual([100, true]);
    await addEntries(10_000);
    await jana.api.patch(`/events/${event.id}`, { title: 'Jiný' });
    let [position, pages] = [cursor, 0];
    for (;;) {
      const { data, meta } = await page(`cursor=${position}&types=event.updated,event.cancelled`);
      expect(meta.has_more).toBe(data.length === 0);
      position = meta.cursor;
      pages++;
      if (!meta.has_more) break;
    }
    expect(pages).toBe(2);
    expect((await page(`cursor=${position}`)).data).toEqual([]);
  });

  // CHG-8, CHG-9, CHG-10
  it('refuses invalid and expired cursors, invalid limits, and unknown types', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { cursor } = await Feed.of(jana);
    const fields = async (query: string): Promise<unknown[]> => {
      const { status, body } = await jana.api.get(`/changes?${query}`);
      return [status, body.code, ...Object.keys((body.errors as object | undefined) ?? {})];
    };
    for (const garbage of ['garbage', `${cursor}A`, cursor.slice(1), 'A'.repeat(13_000), '%00'])
      expect(await fields(`cursor=${garbage}`)).toEqual([422, 'validation_failed', 'cursor']);
    for (const limit of ['0', '101', 'x', '1.5'])
      expect(await fields(`limit=${limit}`)).toEqual([422, 'validation_failed', 'limit']);
    for (const types of ['event', 'event.created,nothing', 'event.created,'])
      expect(await fields(`types=${types}`)).toEqual([422, 'validation_failed', 'types']);
    expect((await petr.api.get(`/changes?cursor=${cursor}`)).status).toBe(200);
    // A cursor contains the number of the last entry that was read. After a restore from a backup, the last number of
    // the feed can be lower than the number in a cursor. Such a cursor is refused.
    const sealer = server.app.get(CursorSealer);
    const [feed] = await server.sql<{ last: string }>('SELECT last_number AS last FROM change_feed');
    const ahead = (entries: bigint) => sealer.seal({ at: new Date(), number: BigInt(feed!.last) + entries });
    expect((await jana.api.get(`/changes?cursor=${ahead(0n)}`)).status).toBe(200);
    expect(await fields(`cursor=${ahead(1n)}`)).toEqual([422, 'validation_failed', 'cursor']);
    server.clock.forward(30 * 86_400_000 - 60_000);
    expect((await jana.api.get(`/changes?cursor=${cursor}`)).status).toBe(200);
    server.clock.forward(120_000);
    expect(await fields(`cursor=${cursor}`)).toEqual([410, 'cursor_expired']);
    expect(await fields(`cursor=${cursor}x`)).toEqual([422, 'validation_failed', 'cursor']);
  });
});
