import { buildEvent, eventBody, type BuiltEvent } from '#testing/builders';
import { Feed } from '#testing/feed';
import { buildGroup } from '#testing/groups';
import { untilWaitingForLock } from '#testing/held-lock';
import { picture } from '#testing/media';
import type { Person } from '#testing/people';
import { buildSeries, occurrencesOf } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { soon } from '#testing/times';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

describe('changes of the content of an event', () => {
  let jana: Person, petr: Person, eva: Person, event: BuiltEvent;
  let feeds: { jana: Feed; petr: Feed; eva: Feed };
  /** New entries in the feeds of the organizer, a participant and an invited person. */
  const newEntries = async (): Promise<string[][]> =>
    Promise.all([feeds.jana.summaries(), feeds.petr.summaries(), feeds.eva.summaries()]);

  beforeEach(async () => {
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
    event = await buildEvent(server, jana, {
      photos_enabled: true,
      with: [
        [petr, 'confirmed'],
        [eva, 'pending'],
      ],
    });
    feeds = { jana: await Feed.of(jana), petr: await Feed.of(petr), eva: await Feed.of(eva) };
  });

  // CHG-1, CHG-2, CHG-6
  it('are shown only to the organizer and confirmed participants if they concern the gallery or the itinerary', async () => {
    const photo = (await petr.api.upload(`/events/${event.id}/photos`, [['photos[]', new Blob([await picture()])]]))
      .body.data[0].id as string;
    expect(await newEntries()).toEqual([
      [`photo.created ${photo} ${petr.slug}`],
      [`photo.created ${photo} ${petr.slug}`],
      [],
    ]);
    await jana.api.delete(`/events/${event.id}/photos/${photo}`);
    expect(await newEntries()).toEqual([[`photo.gone ${photo} -`], [`photo.gone ${photo} -`], []]);

    const plan = { title: 'Cesta', stops: [{ title: 'Start' }] };
    await jana.api.put(`/events/${event.id}/itinerary`, plan);
    expect(await newEntries()).toEqual([
      [`itinerary.created ${event.id} ${jana.slug}`],
      [`itinerary.created ${event.id} ${jana.slug}`],
      [],
    ]);
    await jana.api.put(`/events/${event.id}/itinerary`, plan);
    expect(await newEntries()).toEqual([[], [], []]);
    await jana.api.put(`/events/${event.id}/itinerary`, { ...plan, title: 'Zpět' });
    await jana.api.delete(`/events/${event.id}/itinerary`);
    expect(await newEntries()).toEqual([[`itinerary.gone ${event.id} -`], [`itinerary.gone ${event.id} -`], []]);
  });

  // CHG-4, CHG-6
  it('are shown only to the organizer and confirmed participants if they concern expenses or payments', async () => {
    const expense = (
      await jana.api.post(`/events/${event.id}/expenses`, {
        title: 'Pivo',
        amount: 100,
        currency: 'CZK',
        paid_by: petr.slug,
        shared_with: [jana.slug, petr.slug],
      })
    ).body.data.id as string;
    expect(await newEntries()).toEqual([
      [`expense.created ${expense} ${jana.slug}`],
      [`expense.created ${expense} ${jana.slug}`],
      [],
    ]);
    const payment = (
      await jana.api.post(`/events/${event.id}/expenses/payments`, { to: petr.slug, amount: 50, currency: 'CZK' })
    ).body.data.id as string;
    expect(await newEntries()).toEqual([
      [`expense.updated ${payment} ${jana.slug}`],
      [`expense.updated ${payment} ${jana.slug}`],
      [],
    ]);
    await jana.api.delete(`/events/${event.id}/expenses/payments/${payment}`);
    await jana.api.delete(`/events/${event.id}/expenses/${expense}`);
    const both = [`expense.updated ${payment} ${jana.slug}`, `expense.gone ${expense} -`];
    expect(await newEntries()).toEqual([both, both, []]);
  });

  // CHG-18
  it('include expense.updated if a person whom others have to pay changes the bank account', async () => {
    const book = `/events/${event.id}/expenses`;
    const setAccount = (iban: string | null) =>
      server.sql('UPDATE users SET iban = $2 WHERE id = $1', [petr.userId, iban]);
    const addExpense = async (fields: object): Promise<string> =>
      (await jana.api.post(book, { title: 'Pivo', amount: 100, ...fields })).body.data.id as string;
    await setAccount('CZ6508000000192000145399');
    expect(await newEntries()).toEqual([[], [], []]);

    const payerAndOther = { paid_by: petr.slug, shared_with: [jana.slug, petr.slug] };
    const expense = await addExpense(payerAndOther);
    await addExpense({ ...payerAndOther, currency: 'EUR' });
    await newEntries();
    await setAccount('CZ5508000000001234567899');
    const updated = [`expense.updated ${expense} -`];
    expect(await newEntries()).toEqual([updated, updated, []]);
    await setAccount('CZ5508000000001234567899');
    expect(await newEntries()).toEqual([[], [], []]);

    // Nobody has to pay Petr any more, so no response shows the account.
    for (const currency of ['CZK', 'EUR'])
      await jana.api.post(`${book}/payments`, { to: petr.slug, amount: 50, currency });
    await newEntries();
    await setAccount(null);
    expect(await newEntries()).toEqual([[], [], []]);

    // Petr sends a payment in USD without any expense in this currency, so Jana has to pay it back.
    const payment = (await petr.api.post(`${book}/payments`, { to: jana.slug, amount: 5, currency: 'USD' })).body.data
      .id as string;
    await newEntries();
    await setAccount('CZ6508000000192000145399');
    const updatedPayment = [`expense.updated ${payment} -`];
    expect(await newEntries()).toEqual([updatedPayment, updatedPayment, []]);
  });

  // CHG-18
  it('of expenses and payments wait for an uncommitted change of the bank account of a person whom others have to pay afterwards', async () => {
    const book = `/events/${event.id}/expenses`;
    const idOf = async (answer: ReturnType<typeof jana.api.post>): Promise<string> =>
      (await answer).body.data.id as string;
    const shared = await idOf(jana.api.post(book, { title: 'Pivo', amount: 100 }));
    const received = await idOf(jana.api.post(`${book}/payments`, { to: petr.slug, amount: 50 }));
    for (const change of [
      () => jana.api.post(book, { title: 'Víno', amount: 100, paid_by: petr.slug }),
      () => petr.api.post(`${book}/payments`, { to: jana.slug, amount: 50 }),
      () => jana.api.delete(`${book}/${shared}`),
      () => jana.api.delete(`${book}/payments/${received}`),
    ]) {
      await server.sql('BEGIN');
      await server.sql(`UPDATE users SET iban = 'CZ6508000000192000145399' WHERE id = $1`, [petr.userId]);
      const answer = change();
      await untilWaitingForLock(server, 1).finally(() => server.sql('COMMIT'));
      expect([201, 204]).toContain((await answer).status);
    }
  });

  // CHG-3
  it('are shown only to the organizer if they concern tickets or check-ins', async () => {
    await jana.api.put(`/events/${event.id}/participants/${petr.slug}/check-in`);
    expect(await newEntries()).toEqual([[`participant.updated ${petr.slug} ${jana.slug}`], [], []]);
    await jana.api.put(`/events/${event.id}/participants/${petr.slug}/check-in`);
    expect(await newEntries()).toEqual([[], [], []]);
    await jana.api.patch(`/events/${event.id}`, { join_mode: 'tickets' });
    await newEntries();
    const code = (await jana.api.post(`/events/${event.id}/tickets`, { count: 1 })).body.data[0].code as string;
    expect(await newEntries()).toEqual([[`ticket.created ${code} ${jana.slug}`], [], []]);
    await jana.api.delete(`/events/${event.id}/tickets/${code}`);
    expect(await newEntries()).toEqual([[`ticket.gone ${code} -`], [], []]);
  });

  // CHG-3
  it.each<['pending' | 'waitlisted' | 'requested', (person: Person) => Promise<unknown>]>([
    ['pending', ({ slug }) => jana.api.post(`/events/${event.id}/participants`, { user: slug })],
    ['waitlisted', ({ api }) => api.post(`/events/${event.id}/waitlist`)],
    ['requested', ({ api }) => api.post(`/events/${event.id}/join`)],
  ])(
    'are shown to the organizer, but not to other participants, if a person becomes %s and then leaves',
    async (status, enter) => {
      const otto = await server.person('otto');
      if (status === 'waitlisted') await jana.api.patch(`/events/${event.id}`, { max_participants: 2 });
      if (status === 'requested') await jana.api.patch(`/events/${event.id}`, { join_mode: 'request' });
      await newEntries();
      await enter(otto);
      const by = status === 'pending' ? jana : otto;
      expect(await newEntries()).toEqual([[`participant.created ${otto.slug} ${by.slug}`], [], []]);
      expect((await otto.api.delete(`/events/${event.id}/join`)).status).toBe(204);
      expect(await newEntries()).toEqual([[`participant.gone ${otto.slug} -`], [], []]);
    },
  );
  // CHG-1, CHG-6
  it('are shown to everyone who sees the event if they concern comments', async () => {
    const root = (await petr.api.post(`/events/${event.id}/comments`, { body: 'Ahoj' })).body.data.id as string;
    const reply = (await jana.api.post(`/events/${event.id}/comments`, { body: 'Nazdar', parent: root })).body.data
      .id as string;
    const commented = [`comment.created ${root} ${petr.slug}`, `comment.created ${reply} ${jana.slug}`];
    expect(await newEntries()).toEqual([commented, commented, commented]);
    await petr.api.delete(`/comments/${root}`);
    const gone = [`comment.gone ${root} -`, `comment.gone ${reply} -`].sort();
    expect((await newEntries()).map((list) => list.sort())).toEqual([gone, gone, gone]);
  });

  // CHG-5, CHG-6
  it('are replaced by a single event.gone when the event is deleted', async () => {
    await petr.api.post(`/events/${event.id}/comments`, { body: 'Ahoj' });
    await petr.api.delete(`/events/${event.id}/join`);
    await jana.api.delete(`/events/${event.id}`);
    expect(
      (await newEntries()).map((list) =>
        list.filter((entry) => entry.startsWith('event.') || entry.startsWith('comment.')),
      ),
    ).toEqual([[`event.gone ${event.id} -`], [`event.gone ${event.id} -`], [`event.gone ${event.id} -`]]);
  });
});

// CHG-1, CHG-2
describe('changes in the feed of a person', () => {
  it('concern series and their occurrences', async () => {
    const jana = await server.person('jana');
    const feed = await Feed.of(jana);
    const series = (
      await jana.api.post('/series', {
        title: 'Běh',
        starts_at: soon(),
        frequency: 'weekly',
        interval: 1,
        occurrences_limit: 2,
      })
    ).body.data.id as string;
    const newEntries = await feed.summaries();
    expect(newEntries[0]).toBe(`series.created ${series} ${jana.slug}`);
    expect(newEntries.map((entry) => entry.split(' ')[0])).toEqual([
      'series.created',
      'event.created',
      'event.created',
    ]);
    await jana.api.patch(`/series/${series}`, { title: 'Chůze' });
    expect((await feed.summaries()).map((entry) => entry.split(' ')[0]).sort()).toEqual([
      'event.updated',
      'event.updated',
      'series.updated',
    ]);
    await jana.api.post(`/series/${series}/cancel`);
    expect((await feed.summaries()).map((entry) => entry.split(' ')[0]).sort()).toEqual([
      'event.cancelled',
      'event.cancelled',
      'series.updated',
    ]);
  });

  it('include series.updated if an occurrence is moved, cancelled or deleted, and event.updated for all other occurrences if the first one is deleted', async () => {
    const jana = await server.person('jana');
    const { id: series } = await buildSeries(server, jana, { occurrencesLimit: 3 });
    const [first, second, third] = await occurrencesOf(jana, series);
    const feed = await Feed.of(jana);
    const patch = (event: { id: string } | undefined, fields: Record<string, string>) =>
      jana.api.patch(`/events/${event?.id}`, fields);
    const entries = async () => (await feed.summaries()).map((entry) => entry.split(' ').slice(0, 2)).sort();
    await patch(second, { title: 'Výjimka' });
    expect(await entries()).toEqual([['event.updated', second?.id]]);
    await patch(second, { starts_at: soon(2) });
    expect(await entries()).toEqual([
      ['event.updated', second?.id],
      ['series.updated', series],
    ]);
    await patch(second, { status: 'cancelled' });
    expect(await entries()).toEqual([
      ['event.cancelled', second?.id],
      ['series.updated', series],
    ]);
    await jana.api.delete(`/events/${first?.id}`);
    expect(await entries()).toEqual(
      [
        ['event.gone', first?.id],
        ['event.updated', second?.id],
        ['event.updated', third?.id],
        ['series.updated', series],
      ].sort(),
    );
    await jana.api.delete(`/events/${third?.id}`);
    expect(await entries()).toEqual([
      ['event.gone', third?.id],
      ['series.updated', series],
    ]);
  });

  it('concern an event if an operator changes its price, source or boost', async () => {
    const jana = await server.person('jana');
    const { id, eventId } = await buildEvent(server, jana);
    const feed = await Feed.of(jana);
    for (const column of [
      'ticket_price_credits = 3',
      "source_name = 'GoOut'",
      "source_url = 'https://example.org'",
      'boosted_until = now()',
    ]) {
      await server.sql(`UPDATE events SET ${column} WHERE id = $1`, [eventId]);
      expect([column, await feed.summaries()]).toEqual([column, [`event.updated ${id} -`]]);
    }
  });

  it('concern posts and their comments, and are shown only to the author of the post', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const [feedOfJana, feedOfPetr] = (await Feed.all(jana, petr)) as [Feed, Feed];
    const { slug } = (
      await jana.api.post('/posts', {
        title: 'Týden na kole',
        body: '<p>Jeli jsme.</p>',
        categories: ['kolo'],
        status: 'published',
      })
    ).body.data as { slug: string };
    const comment = (await petr.api.post(`/posts/${slug}/comments`, { body: 'Pěkné' })).body.data.id as string;
    const [created, commented] = await feedOfJana.newEntries();
    expect(created).toMatchObject({
      type: 'post.created',
      subject: { id: slug, group: null, post: slug },
      by: { slug: jana.slug },
    });
    expect(commented).toMatchObject({
      type: 'comment.created',
      subject: { id: comment, post: slug },
      by: { slug: petr.slug },
    });
    for (const entry of [created, commented])
      expect((await jana.api.get(new URL(entry!.subject.url).pathname.slice('/api/v1'.length))).status).toBe(200);
    // CHG-6: a reply that is deleted with the first comment of its thread has its own entry.
    const reply = (await jana.api.post(`/posts/${slug}/comments`, { body: 'Díky', parent: comment })).body.data
      .id as string;
    await petr.api.delete(`/comments/${comment}`);
    expect((await feedOfJana.summaries()).sort()).toEqual(
      [`comment.gone ${comment} -`, `comment.gone ${reply} -`].sort(),
    );
    await jana.api.patch(`/posts/${slug}`, { title: 'Dva týdny' });
    await jana.api.delete(`/posts/${slug}`);
    expect(await feedOfJana.summaries()).toEqual([`post.gone ${slug} -`]);
    expect(await feedOfPetr.summaries()).toEqual([]);
  });

  it('concern groups, new members, and events that a group is interested in', async () => {
    const { jana, petr, eva, otto } = await server.people('jana', 'petr', 'eva', 'otto');
    const feed = await Feed.of(jana);
    const id = (await jana.api.post('/groups', { name: 'Turisti', is_public: true })).body.data.id as string;
    expect(await feed.summaries()).toEqual([`group.created ${id} ${jana.slug}`]);
    const feedOfPetr = await Feed.of(petr);
    await jana.api.post(`/groups/${id}/members`, { user: petr.slug });
    expect([await feed.summaries(), await feedOfPetr.summaries()]).toEqual([
      [`member.created ${petr.slug} ${jana.slug}`],
      [`member.created ${petr.slug} ${jana.slug}`],
    ]);
    await petr.api.post(`/groups/${id}/join`);
    expect([await feed.summaries(), await feedOfPetr.summaries()]).toEqual([
      [`member.updated ${petr.slug} ${petr.slug}`],
      [`member.updated ${petr.slug} ${petr.slug}`],
    ]);
    // CHG-3: an invitation is shown to the founder and the invited person, but not to other members.
    await jana.api.post(`/groups/${id}/members`, { user: otto.slug });
    expect([await feed.summaries(), await feedOfPetr.summaries()]).toEqual([
      [`member.created ${otto.slug} ${jana.slug}`],
      [],
    ]);
    const otherEvent = await buildEvent(server, eva);
    expect([await feed.summaries(), await feedOfPetr.summaries()]).toEqual([[], []]);
    // CHG-19: the list of the group's events has a new event.
    const addresses = async (oneFeed: Feed): Promise<string[]> =>
      (await oneFeed.newEntries()).map(
        ({ type, subject, by }) =>
          `${type} ${subject.id} ${by?.slug} ${subject.url.slice(subject.url.indexOf('/v1') + 3)}`,
      );
    const listed = (by: Person): string[] =>
      [`/discover/events/${otherEvent.id}`, `/groups/${id}/events`].map(
        (path) => `event.updated ${otherEvent.id} ${by.slug} ${path}`,
      );
    await petr.api.put(`/groups/${id}/events/${otherEvent.id}/interest`);
    expect([await addresses(feed), await addresses(feedOfPetr)]).toEqual([listed(petr), listed(petr)]);
    await petr.api.put(`/groups/${id}/events/${otherEvent.id}/interest`);
    expect(await feed.summaries()).toEqual([]);
    await feedOfPetr.summaries();
    await otto.api.post(`/events/${otherEvent.id}/join`);
    expect([await feed.summaries(), await feedOfPetr.summaries()]).toEqual([
      [`event.updated ${otherEvent.id} -`],
      [`event.updated ${otherEvent.id} -`],
    ]);
    await eva.api.patch(`/events/${otherEvent.id}`, { is_public: false });
    expect([await feed.summaries(), await feedOfPetr.summaries()]).toEqual([
      [`event.gone ${otherEvent.id} -`],
      [`event.gone ${otherEvent.id} -`],
    ]);
    await eva.api.patch(`/events/${otherEvent.id}`, { is_public: true });
    expect([await addresses(feed), await addresses(feedOfPetr)]).toEqual([listed(eva), listed(eva)]);
    await petr.api.delete(`/groups/${id}/events/${otherEvent.id}/interest`);
    expect([await feed.summaries(), await feedOfPetr.summaries()]).toEqual([
      [`event.gone ${otherEvent.id} -`],
      [`event.gone ${otherEvent.id} -`],
    ]);
    await jana.api.delete(`/groups/${id}`);
    expect([await feed.summaries(), await feedOfPetr.summaries()]).toEqual([
      [`group.gone ${id} -`],
      [`group.gone ${id} -`],
    ]);
  });

  // CHG-1
  it('do not concern the events of a group if the person is only invited to the group or has only asked to join it', async () => {
    const { adam, jana, petr, eva, otto } = await server.people('adam', 'jana', 'petr', 'eva', 'otto');
    const otherEvent = await buildEvent(server, adam);
    const group = await buildGroup(server, jana, {
      with: [
        [petr, 'member'],
        [eva, 'invited'],
        [otto, 'requested'],
      ],
    });
    const eventOfGroup = await buildEvent(server, jana, { group: group.id, is_public: true });
    const feeds = await Feed.all(petr, eva, otto);
    const newEntries = () => Promise.all(feeds.map((feed) => feed.summaries()));
    const interest = `/groups/${group.id}/events/${otherEvent.id}/interest`;
    expect((await jana.api.put(interest)).status).toBeLessThan(300);
    const updated = `event.updated ${otherEvent.id} ${jana.slug}`;
    expect(await newEntries()).toEqual([[updated, updated], [], []]);
    await adam.api.patch(`/events/${otherEvent.id}`, { title: 'Jinam' });
    expect(await newEntries()).toEqual([[`event.updated ${otherEvent.id} ${adam.slug}`], [], []]);
    await jana.api.patch(`/events/${eventOfGroup.id}`, { title: 'Výlet skupiny' });
    expect(await newEntries()).toEqual([[`event.updated ${eventOfGroup.id} ${jana.slug}`], [], []]);
    expect((await jana.api.delete(interest)).status).toBe(204);
    expect(await newEntries()).toEqual([[`event.gone ${otherEvent.id} -`], [], []]);
    // CHG-19: an invited person who sees the event for another reason does not read the list of the group's events.
    const joined = await buildEvent(server, adam, { with: [[eva, 'confirmed']] });
    await newEntries();
    await jana.api.put(`/groups/${group.id}/events/${joined.id}/interest`);
    const linked = `event.updated ${joined.id} ${jana.slug}`;
    expect(await newEntries()).toEqual([[linked, linked], [linked], []]);
  });

  // CHG-1
  it('concern new notices and notices that were read', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const { id } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const [feedOfPetr, feedOfEva] = (await Feed.all(petr, eva)) as [Feed, Feed];
    await jana.api.patch(`/events/${id}`, { status: 'cancelled' });
    const {
      data: [notice],
    } = (await petr.api.get('/notices')).body as { data: { id: string }[] };
    const newEntries = await feedOfPetr.newEntries('&types=notice.created');
    expect(newEntries).toMatchObject([
      { type: 'notice.created', subject: { type: 'notice', id: notice!.id }, by: null },
    ]);
    expect((await petr.api.get(new URL(newEntries[0]!.subject.url).pathname.slice('/api/v1'.length))).status).toBe(200);
    for (let time = 0; time < 2; time++) await petr.api.post('/notices/read', { up_to: notice!.id });
    expect(await feedOfPetr.newEntries()).toMatchObject([
      { type: 'notice.updated', subject: { id: notice!.id }, by: { slug: petr.slug } },
    ]);
    expect(await feedOfEva.newEntries()).toEqual([]);
  });

  // CHG-14, NOTE-15
  it('concern notices that quoted a comment or its replies, when the comment is deleted', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const participants = [petr, eva].map((person) => [person, 'confirmed'] as const);
    const { id } = await buildEvent(server, jana, { with: participants });
    const write = async (person: Person, fields: { body: string; parent?: string }) =>
      (await person.api.post(`/events/${id}/comments`, fields)).body.data.id as string;
    const noticeOf = async (person: Person) =>
      (await person.api.get('/notices')).body.data[0] as { id: string; text: string };
    const root = await write(petr, { body: 'kořen' });
    await write(eva, { body: 'odpověď', parent: root });
    const notices = [await noticeOf(jana), await noticeOf(petr)] as const;
    expect(notices.map(({ text }) => /kořen|odpověď/.exec(text)?.[0])).toEqual(['kořen', 'odpověď']);
    const feeds = await Feed.all(jana, petr);
    await petr.api.delete(`/comments/${root}`);
    for (const [i, feed] of feeds.entries()) {
      const entries = await feed.newEntries('&types=notice.updated');
      expect(entries.map(({ subject }) => subject.id)).toEqual([notices[i]?.id]);
    }
    for (const person of [jana, petr]) expect((await noticeOf(person)).text).not.toMatch(/kořen|odpověď/);
  });

  // CHG-6
  it('include event.gone only for members who can no longer see an event after their group removes its interest', async () => {
    const { adam, jana, petr, eva, otto, iva } = await server.people('adam', 'jana', 'petr', 'eva', 'otto', 'iva');
    const { id } = await buildEvent(server, adam, {
      with: [
        [eva, 'confirmed'],
        [otto, 'banned'],
      ],
    });
    const members = [petr, eva, otto, iva].map((person) => [person, 'member'] as const);
    const first = await buildGroup(server, jana, { with: members });
    const second = await buildGroup(server, jana, { with: [[petr, 'member']] });
    const interestOf = (group: { id: string }) => `/groups/${group.id}/events/${id}/interest`;
    for (const group of [first, second]) expect((await jana.api.put(interestOf(group))).status).toBeLessThan(300);
    const feeds = await Feed.all(jana, petr, eva, otto, iva);
    const newEntries = () => Promise.all(feeds.map((feed) => feed.summaries()));
    const [updated, gone] = [`event.updated ${id} ${jana.slug}`, `event.gone ${id} -`];
    await jana.api.delete(interestOf(first));
    expect(await newEntries()).toEqual([[updated], [updated], [updated], [], [gone]]);
    await jana.api.delete(interestOf(second));
    expect(await newEntries()).toEqual([[gone], [gone], [], [], []]);
  });
  // CHG-6
  it('include event.gone only once if a group removes its interest in an event that has become private', async () => {
    const { adam, jana, petr } = await server.people('adam', 'jana', 'petr');
    const { id } = await buildEvent(server, adam);
    const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
    const interest = `/groups/${group.id}/events/${id}/interest`;
    await jana.api.put(interest);
    const feed = await Feed.of(petr);
    await adam.api.patch(`/events/${id}`, { is_public: false });
    expect(await feed.summaries()).toEqual([`event.gone ${id} -`]);
    expect((await jana.api.delete(interest)).status).toBe(204);
    expect(await feed.summaries()).toEqual([]);
  });
  // CHG-7
  it('include no entry when a notice is queued for mail or sent by mail', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { id } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    await jana.api.patch(`/events/${id}`, { status: 'cancelled' });
    const feed = await Feed.of(petr);
    for (const column of ['queued_at', 'mailed_at'])
      await server.sql(`UPDATE notifications SET ${column} = now() WHERE user_id = $1`, [petr.userId]);
    expect(await feed.newEntries()).toEqual([]);
  });
  // CHG-6
  it('include event.gone for a private event of a group if a member declines the invitation to the event', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
    const { id } = await buildEvent(server, jana, { group: group.id });
    const feed = await Feed.of(petr);
    await petr.api.delete(`/events/${id}/join`);
    expect((await petr.api.get(`/discover/events/${id}`)).status).toBe(404);
    expect(await feed.summaries()).toEqual([`event.gone ${id} -`]);
  });

  // CHG-6
  it('include event.gone for a public event of a group if a member declines the invitation and is then banned from the event', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
    const { id } = await buildEvent(server, jana, { group: group.id, is_public: true });
    await petr.api.delete(`/events/${id}/join`);
    const feed = await Feed.of(petr);
    expect((await jana.api.delete(`/events/${id}/participants/${petr.slug}?ban=1`)).status).toBe(204);
    expect(await feed.summaries()).toEqual([`event.gone ${id} -`]);
    // After the end of the ban, the person sees the event again through the group.
    expect((await jana.api.delete(`/events/${id}/participants/${petr.slug}`)).status).toBe(204);
    expect(await feed.summaries()).toEqual([`event.updated ${id} ${jana.slug}`]);
  });

  // CHG-6
  it('include event.updated for a public event of a group if a member declines the invitation to the event', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
    const { id } = await buildEvent(server, jana, { group: group.id, is_public: true });
    const feed = await Feed.of(petr);
    await petr.api.delete(`/events/${id}/join`);
    expect(await feed.summaries()).toEqual([`event.updated ${id} ${petr.slug}`]);
  });

  // CHG-6
  it('include event.gone only once for a member of two groups that are interested in a deleted event', async () => {
    const { adam, jana, petr } = await server.people('adam', 'jana', 'petr');
    const { id } = await buildEvent(server, adam);
    for (let n = 0; n < 2; n++) {
      const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
      expect((await jana.api.put(`/groups/${group.id}/events/${id}/interest`)).status).toBeLessThan(300);
    }
    const feed = await Feed.of(petr);
    expect((await adam.api.delete(`/events/${id}`)).status).toBe(204);
    expect(await feed.summaries()).toEqual([`event.gone ${id} -`]);
  });

  // CHG-6
  it('include event.gone when a participant who is only invited to the group of the event leaves the event', async () => {
    const { jana, petr, eva, otto } = await server.people('jana', 'petr', 'eva', 'otto');
    const group = await buildGroup(server, jana, {
      with: [
        [petr, 'invited'],
        [eva, 'invited'],
        [otto, 'requested'],
      ],
    });
    const { id } = await buildEvent(server, jana, { group: group.id, is_public: true, with: [[petr, 'confirmed']] });
    const feeds = await Feed.all(petr, eva, otto);
    const newEntries = () => Promise.all(feeds.map((feed) => feed.summaries()));
    await petr.api.delete(`/events/${id}/join`);
    expect(await newEntries()).toEqual([[`event.gone ${id} -`], [], []]);
    expect((await jana.api.delete(`/events/${id}`)).status).toBe(204);
    expect(await newEntries()).toEqual([[], [], []]);
  });

  // CHG-1, CHG-6
  it('include event.updated instead of event.gone if an event becomes private and a group member is invited to it, is on its waitlist or has asked to join it', async () => {
    const { adam, jana, petr, eva, otto } = await server.people('adam', 'jana', 'petr', 'eva', 'otto');
    const { id } = await buildEvent(server, adam, {
      with: [
        [petr, 'pending'],
        [eva, 'waitlisted'],
        [otto, 'requested'],
      ],
    });
    const group = await buildGroup(server, jana, {
      with: [petr, eva, otto].map((person) => [person, 'member'] as const),
    });
    expect((await jana.api.put(`/groups/${group.id}/events/${id}/interest`)).status).toBeLessThan(300);
    const feeds = await Feed.all(jana, petr, eva, otto);
    expect((await adam.api.patch(`/events/${id}`, { is_public: false })).status).toBe(200);
    const updated = [`event.updated ${id} ${adam.slug}`];
    expect(await Promise.all(feeds.map((feed) => feed.summaries()))).toEqual([
      [`event.gone ${id} -`],
      updated,
      updated,
      updated,
    ]);
  });

  // CHG-6
  it('include no second event.gone for a member who declined the invitation to a private event of a group, if the event is then deleted', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const group = await buildGroup(server, jana, { with: [[petr, 'member']] });
    const { id } = await buildEvent(server, jana, { group: group.id });
    await petr.api.delete(`/events/${id}/join`);
    const feed = await Feed.of(petr);
    expect((await jana.api.delete(`/events/${id}`)).status).toBe(204);
    expect(await feed.summaries()).toEqual([]);
  });

  // CHG-1, EVT-31
  it('include event.updated for a participant if the group of the event becomes private, if the group invites the participant, and if the participant declines this invitation', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const group = await buildGroup(server, jana);
    const { id } = await buildEvent(server, jana, { group: group.id, is_public: true, with: [[petr, 'confirmed']] });
    const feed = await Feed.of(petr);
    const updated = `event.updated ${id} ${jana.slug}`;
    expect((await jana.api.patch(`/groups/${group.id}`, { is_public: false })).status).toBe(200);
    expect(await feed.summaries()).toEqual([updated]);
    await jana.api.post(`/groups/${group.id}/members`, { user: eva.slug });
    expect(await feed.summaries()).toEqual([]);
    await jana.api.post(`/groups/${group.id}/members`, { user: petr.slug });
    expect(await feed.summaries()).toContain(updated);
    await petr.api.delete(`/groups/${group.id}/join`);
    expect(await feed.summaries()).toContain(`event.updated ${id} ${petr.slug}`);
  });

  // CHG-5, CHG-6
  it.each(['removed', 'banned', 'declined'] as const)(
    'include event.gone for a person whom the organizer has removed or banned, or whose request the organizer has declined (%s)',
    async (how) => {
      const { jana, petr } = await server.people('jana', 'petr');
      const id = (await jana.api.post('/events', eventBody({ join_mode: 'request' }))).body.data.id as string;
      const feed = await Feed.of(petr);
      await petr.api.post(`/events/${id}/join`);
      if (how !== 'declined') await jana.api.post(`/events/${id}/participants/${petr.slug}/promote`);
      await jana.api.delete(`/events/${id}/participants/${petr.slug}${how === 'banned' ? '?ban=1' : ''}`);
      await jana.api.patch(`/events/${id}`, { title: 'Bez něj' });
      expect(await feed.summaries()).toEqual([`event.gone ${id} -`]);
      expect(await feed.summaries()).toEqual([]);
    },
  );
});
