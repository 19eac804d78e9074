import { buildEvent, type BuiltEvent } from '#testing/builders';
import { retryWhileBusy } from '#testing/crowd';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { WIRE_TIME } from '#testing/times';

/** docs/rules/expenses.md: adding, reading and deleting expenses. */
describe('expenses', () => {
  let server: TestServer;
  let ann: Person;
  let ben: Person;
  let cyr: Person;
  let eva: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ ann, ben, cyr, eva } = await server.people('ann', 'ben', 'cyr', 'eva'));
  });
  afterAll(() => server.stop());

  const trip = (...confirmed: Person[]): Promise<BuiltEvent> =>
    buildEvent(server, ann, { title: 'Výlet', with: confirmed.map((person) => [person, 'confirmed'] as const) });
  const path = (event: BuiltEvent): string => `/events/${event.id}/expenses`;
  /** Adds copies of the only expense of the event, with the same shares. */
  const copyExpense = ({ eventId }: BuiltEvent, copies: number) =>
    server.sql(
      `WITH copied AS (
         INSERT INTO expenses (event_id, title, amount_cents, currency, paid_by, created_at)
         SELECT event_id, title, amount_cents, currency, paid_by, created_at FROM expenses, generate_series(1, $2)
          WHERE event_id = $1 RETURNING id)
       INSERT INTO expense_shares (expense_id, user_id, amount_cents)
       SELECT copied.id, user_id, amount_cents FROM copied, expense_shares
        WHERE expense_id = (SELECT id FROM expenses WHERE event_id = $1)`,
      [eventId, copies],
    );
  const shown = ({ slug, name }: Person) => ({ name, nickname: null, slug, avatar_url: null });

  describe('adding an expense', () => {
    // EXP-2, EXP-6
    it('returns the expense with default values: CZK, paid by the organizer, shared by the organizer and all confirmed participants', async () => {
      const event = await buildEvent(server, ann, {
        with: [
          [ben, 'confirmed'],
          [cyr, 'confirmed'],
          [eva, 'pending'],
        ],
      });
      const { status, body } = await ann.api.post(path(event), { title: '  Chata  ', amount: 100 });
      expect(status).toBe(201);
      const sharers = [shown(ann), shown(ben), shown(cyr)];
      expect(body).toEqual({
        data: {
          id: expect.stringMatching(/^[A-Za-z]{8,}$/),
          title: 'Chata',
          amount: 100,
          currency: 'CZK',
          paid_by: shown(ann),
          shared_with: sharers,
          shares: sharers.map((user, index) => ({ user, amount: index === 0 ? 33.34 : 33.33 })),
          created_at: expect.stringMatching(WIRE_TIME),
        },
      });
    });

    // EXP-3
    it('accepts a payer, sharers and a currency that are not the defaults', async () => {
      const event = await trip(ben, cyr);
      const { body } = await ann.api.post(path(event), {
        title: 'Vlak',
        amount: 0.01,
        currency: 'EUR',
        paid_by: ben.slug,
        shared_with: [cyr.slug, ann.slug, cyr.slug],
      });
      expect(body.data).toMatchObject({
        amount: 0.01,
        currency: 'EUR',
        paid_by: { slug: ben.slug },
        shared_with: [{ slug: ann.slug }, { slug: cyr.slug }],
        shares: [{ amount: 0.01 }, { amount: 0 }],
      });
    });

    // EXP-2
    it('divides the amount among all participants, even of a very large event', async () => {
      const event = await trip();
      // In the role `replica`, no triggers run, so this setup takes less than a second.
      await server.sql('SET session_replication_role = replica');
      await server.sql(
        `WITH people AS (
           INSERT INTO users (slug, name, created_at, updated_at)
           SELECT 'many-' || n, 'Host', now(), now() FROM generate_series(1, 22000) n RETURNING id)
         INSERT INTO participations (event_id, user_id, status, joined_at, created_at, updated_at)
         SELECT $1, id, 'confirmed', now(), now(), now() FROM people`,
        [event.eventId],
      );
      await server.sql('SET session_replication_role = origin');
      // Autovacuum is off in tests. Without ANALYZE, PostgreSQL may reuse a plan that it made for a few rows.
      await server.sql('ANALYZE users, participations');
      const expense = { title: 'Ohňostroj', amount: 22_001 };
      const { status, body } = await retryWhileBusy(() => ann.api.post(path(event), expense));
      expect([status, body.data?.shares.length]).toEqual([201, 22_001]);
    });

    // EXP-2
    it('accepts null for fields with a default', async () => {
      const event = await trip(ben);
      const { body } = await ann.api.post(path(event), {
        title: 'Vlak',
        amount: 10,
        currency: null,
        paid_by: null,
        shared_with: null,
      });
      expect(body.data).toMatchObject({
        currency: 'CZK',
        paid_by: { slug: ann.slug },
        shares: [{ amount: 5 }, { amount: 5 }],
      });
    });

    it.each([
      [{}, ['title', 'amount']],
      [{ title: ' ', amount: 1 }, ['title']],
      [{ title: 'x'.repeat(256), amount: 1 }, ['title']],
      [{ title: 'x', amount: 0 }, ['amount']],
      [{ title: 'x', amount: 999_999.01 }, ['amount']],
      [{ title: 'x', amount: 1.005 }, ['amount']],
      [{ title: 'x', amount: '1' }, ['amount']],
      [{ title: 'x', amount: 1, currency: 'GBP' }, ['currency']],
      [{ title: 'x', amount: 1, paid_by: 5 }, ['paid_by']],
      [{ title: 'x', amount: 1, shared_with: [] }, ['shared_with']],
      [{ title: 'x', amount: 1, shared_with: 'ann' }, ['shared_with']],
      [{ title: 'x', amount: 1, shared_with: ['ann', 5] }, ['shared_with.1']],
    ])('refuses %j with 422', async (body, fields) => {
      const event = await trip();
      const answer = await ann.api.post(path(event), body);
      expect(answer.status).toBe(422);
      expect(answer.body.code).toBe('validation_failed');
      expect(Object.keys(answer.body.errors)).toEqual(fields);
    });

    // EXP-2, WIRE-16
    it('accepts amounts from 0.01 to 999999, a title of 255 characters and at most 1000 slugs in shared_with', async () => {
      const event = await trip(ben);
      for (const amount of [0.01, 999_999])
        expect((await ann.api.post(path(event), { title: '🎈'.repeat(255), amount })).status).toBe(201);
      // EXP-3
      const sharedWith = (slugs: number) =>
        ann.api.post(path(event), { title: 'x', amount: 1, shared_with: Array<string>(slugs).fill(ben.slug) });
      expect((await sharedWith(1000)).body.data.shares).toEqual([{ user: shown(ben), amount: 1 }]);
      expect(Object.keys((await sharedWith(1001)).body.errors)).toEqual(['shared_with']);
    });

    // EXP-4
    it('refuses a payer or a sharer who is neither the organizer nor a confirmed participant, with 422 participant_not_eligible', async () => {
      const people = await server.people('pending', 'waitlisted', 'requested', 'declined', 'banned', 'stranger');
      const states = ['pending', 'waitlisted', 'requested', 'declined', 'banned'] as const;
      const event = await buildEvent(server, ann, { with: states.map((state) => [people[state], state] as const) });
      for (const slug of [...Object.values(people).map((person) => person.slug), 'nobody-at-all']) {
        for (const fields of [{ paid_by: slug }, { shared_with: [ann.slug, slug] }]) {
          const answer = await ann.api.post(path(event), { title: 'x', amount: 1, ...fields });
          expect([answer.status, answer.body.code]).toEqual([422, 'participant_not_eligible']);
        }
      }
      expect((await ann.api.get(path(event))).body.data.expenses).toEqual([]);
    });

    // EXP-5
    it('refuses the 51st expense with 409 expense_limit_reached until an expense is deleted', async () => {
      const event = await trip(ben);
      const ids = [(await ann.api.post(path(event), { title: 'první', amount: 1 })).body.data.id as string];
      await copyExpense(event, 47);
      for (const currency of ['EUR', 'USD'])
        ids.push((await ann.api.post(path(event), { title: currency, amount: 1, currency })).body.data.id as string);
      const refused = await ann.api.post(path(event), { title: 'navíc', amount: 1 });
      expect([refused.status, refused.body.code]).toEqual([409, 'expense_limit_reached']);
      // EXP-4: eligibility is checked before the limit.
      for (const fields of [{ paid_by: cyr.slug }, { shared_with: [cyr.slug] }]) {
        const { body } = await ann.api.post(path(event), { title: 'navíc', amount: 1, ...fields });
        expect(body.code).toBe('participant_not_eligible');
      }
      const listed = (await ann.api.get(path(event))).body.data.expenses.map(
        ({ id }: { id: string }) => id,
      ) as string[];
      expect([listed.length, listed[0], ...listed.slice(-2)]).toEqual([50, ...ids]);
      await ann.api.delete(`${path(event)}/${listed[7]}`);
      expect((await ann.api.post(path(event), { title: 'místo', amount: 1 })).status).toBe(201);
    });
  });

  describe('reading the expense list', () => {
    // EXP-7
    it('returns no expenses, an empty summary and all eligible people if no expense was added', async () => {
      const event = await trip(ben);
      expect((await ben.api.get(path(event))).body).toEqual({
        data: {
          expenses: [],
          summary: {},
          participants: [
            { ...shown(ann), is_organizer: true },
            { ...shown(ben), is_organizer: false },
          ],
          viewer: { can_manage: false },
        },
      });
    });

    // EXP-7, EXP-9, EXP-10
    it('shows what each person paid, the shares and the settlement for each currency', async () => {
      const event = await trip(ben, cyr);
      await ann.api.post(path(event), { title: 'Chata', amount: 900 });
      await ann.api.post(path(event), { title: 'Oběd', amount: 300, paid_by: ben.slug });
      await ann.api.post(path(event), {
        title: 'Vlak',
        amount: 60.5,
        currency: 'EUR',
        paid_by: cyr.slug,
        shared_with: [ann.slug],
      });
      const { data } = (await ann.api.get(path(event))).body;
      expect(data.expenses.map((expense: { title: string }) => expense.title)).toEqual(['Chata', 'Oběd', 'Vlak']);
      expect(data.viewer).toEqual({ can_manage: true });
      expect(data.summary).toEqual({
        CZK: {
          total: 1200,
          balances: [
            { user: shown(ann), paid: 900, share: 400, sent: 0, received: 0, balance: 500 },
            { user: shown(ben), paid: 300, share: 400, sent: 0, received: 0, balance: -100 },
            { user: shown(cyr), paid: 0, share: 400, sent: 0, received: 0, balance: -400 },
          ],
          settlement: [
            { from: shown(ben), to: shown(ann), amount: 100, payment: null },
            { from: shown(cyr), to: shown(ann), amount: 400, payment: null },
          ],
          payments: [],
          optimal: true,
        },
        EUR: {
          total: 60.5,
          balances: [
            { user: shown(ann), paid: 0, share: 60.5, sent: 0, received: 0, balance: -60.5 },
            { user: shown(cyr), paid: 60.5, share: 0, sent: 0, received: 0, balance: 60.5 },
          ],
          settlement: [{ from: shown(ann), to: shown(cyr), amount: 60.5, payment: null }],
          payments: [],
          optimal: true,
        },
      });
    });

    // EXP-8
    it('lists people in the order of their slugs; the first people pay the cents that cannot be shared equally', async () => {
      const { zoe, adam } = await server.people('zoe', 'adam');
      const event = await trip(zoe, adam);
      const added = (await ann.api.post(path(event), { title: 'Čaj', amount: 0.02 })).body.data;
      expect(added.shares.map((share: { user: Person; amount: number }) => [share.user.slug, share.amount])).toEqual([
        [adam.slug, 0.01],
        [ann.slug, 0.01],
        [zoe.slug, 0],
      ]);
      const { participants, summary } = (await ann.api.get(path(event))).body.data;
      const inOrder = [adam.slug, ann.slug, zoe.slug];
      expect(participants.map(({ slug }: Person) => slug)).toEqual(inOrder);
      expect(summary.CZK.balances.map(({ user }: { user: Person }) => user.slug)).toEqual(inOrder);
    });

    it('returns the same shares after people leave or join the event', async () => {
      const event = await trip(ben, cyr);
      await ann.api.post(path(event), { title: 'Chata', amount: 100, paid_by: ben.slug });
      const before = (await ann.api.get(path(event))).body.data;
      expect((await ben.api.delete(`/events/${event.id}/join`)).status).toBe(204);
      expect((await eva.api.post(`/events/${event.id}/join`)).status).toBe(200);
      const after = (await ann.api.get(path(event))).body.data;
      expect(after.expenses).toEqual(before.expenses);
      expect(after.summary).toEqual(before.summary);
      expect(after.participants.map(({ slug }: { slug: string }) => slug)).toEqual([ann.slug, cyr.slug, eva.slug]);
      expect((await ben.api.get(path(event))).body.code).toBe('forbidden');
      expect((await ann.api.post(path(event), { title: 'x', amount: 1, paid_by: ben.slug })).body.code).toBe(
        'participant_not_eligible',
      );
    });

    // EXP-8
    it('returns exact sums for fifty very large amounts and for thirty amounts of 0.07', async () => {
      const large = await trip(ben, cyr);
      const small = await trip(ben, cyr);
      await ann.api.post(path(large), { title: 'x', amount: 999_998.99 });
      await copyExpense(large, 48);
      await ann.api.post(path(large), { title: 'x', amount: 999_998.99, paid_by: ben.slug });
      await ann.api.post(path(small), { title: 'x', amount: 0.07 });
      await copyExpense(small, 29);
      expect((await ann.api.get(path(large))).body.data.summary.CZK.total).toBe(49_999_949.5);
      expect((await ann.api.get(path(small))).body.data.summary.CZK).toMatchObject({
        total: 2.1,
        balances: [{ balance: 1.2 }, { balance: -0.6 }, { balance: -0.6 }],
      });
    });
  });

  describe('deleting an expense', () => {
    // EXP-13
    it('answers 204, and removes the expense from all sums', async () => {
      const event = await trip(ben);
      const { id } = (await ann.api.post(path(event), { title: 'Pryč', amount: 500 })).body.data;
      await ann.api.post(path(event), { title: 'Zůstane', amount: 60 });
      const answer = await ann.api.delete(`${path(event)}/${id}`);
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect((await ann.api.get(path(event))).body.data).toMatchObject({
        expenses: [{ title: 'Zůstane' }],
        summary: { CZK: { total: 60 } },
      });
      expect((await ann.api.delete(`${path(event)}/${id}`)).body.code).toBe('not_found');
    });

    // WIRE-4
    it('answers 404 if the event in the path does not have the expense', async () => {
      const [one, other] = [await trip(), await trip()];
      const { id } = (await ann.api.post(path(one), { title: 'x', amount: 1 })).body.data;
      for (const wrong of [`${path(other)}/${id}`, `${path(one)}/nowhereatall`, `${path(one)}/1`]) {
        expect((await ann.api.delete(wrong)).body.code).toBe('not_found');
      }
      expect((await ann.api.get(path(one))).body.data.expenses).toHaveLength(1);
    });

    // EXP-13
    it('is possible, but editing an expense is not: PATCH and PUT get 405', async () => {
      const event = await trip();
      const { id } = (await ann.api.post(path(event), { title: 'x', amount: 1 })).body.data;
      for (const method of ['PATCH', 'PUT']) {
        const answer = await ann.api.send(method, `${path(event)}/${id}`, { json: { amount: 2 } });
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'DELETE']);
      }
    });

    // EXP-13
    it('happens automatically when the event is deleted', async () => {
      const event = await trip();
      await ann.api.post(path(event), { title: 'x', amount: 1 });
      const stored = () => server.sql('SELECT 1 FROM expenses WHERE event_id = $1', [event.eventId]);
      expect(await stored()).toHaveLength(1);
      expect((await ann.api.delete(`/events/${event.id}`)).status).toBe(204);
      expect(await stored()).toEqual([]);
    });
  });

  // EXP-1
  describe('access to expenses', () => {
    const outcomesOf = async (person: Person, event: BuiltEvent, expenseId: string): Promise<unknown[]> => [
      (await person.api.get(path(event))).body.code ?? 'seen',
      (await person.api.post(path(event), { amount: 0 })).body.code,
      (await person.api.delete(`${path(event)}/${expenseId}`)).body.code,
      (await person.api.delete(`${path(event)}/noexpenseatall`)).body.code,
    ];

    it.each([
      [
        true,
        {
          confirmed: 'seen',
          pending: 'forbidden',
          waitlisted: 'forbidden',
          requested: 'forbidden',
          declined: 'forbidden',
          banned: 'banned',
          stranger: 'forbidden',
        },
      ],
      [
        false,
        {
          confirmed: 'seen',
          pending: 'forbidden',
          waitlisted: 'forbidden',
          requested: 'forbidden',
          declined: 'not_found',
          banned: 'not_found',
          stranger: 'not_found',
        },
      ],
    ] as const)('depends on the participation of the caller (public event: %s)', async (isPublic, expected) => {
      const people = await server.people(
        'confirmed',
        'pending',
        'waitlisted',
        'requested',
        'declined',
        'banned',
        'stranger',
      );
      const { stranger: _, ...related } = people;
      const event = await buildEvent(server, ann, {
        is_public: isPublic,
        with: Object.entries(related).map(([state, person]) => [person, state as keyof typeof related] as const),
      });
      const { id } = (await ann.api.post(path(event), { title: 'x', amount: 1 })).body.data;
      for (const [who, readOutcome] of Object.entries(expected)) {
        const writeOutcome = readOutcome === 'seen' ? 'forbidden' : readOutcome;
        expect([who, ...(await outcomesOf(people[who as keyof typeof people], event, id))]).toEqual([
          who,
          readOutcome,
          writeOutcome,
          writeOutcome,
          writeOutcome,
        ]);
      }
      expect((await ann.api.get(path(event))).body.data.expenses).toHaveLength(1);
    });

    // EXP-1, EXP-4, WIRE-37
    it('is refused with 404 for an unknown event; the body is validated before the eligibility of the payer is checked', async () => {
      const event = await trip(ben);
      expect((await ann.api.post(path(event), { title: 'x', amount: 0, paid_by: 'nobody' })).body.code).toBe(
        'validation_failed',
      );
      expect((await ann.api.get('/events/nowhereatall/expenses')).status).toBe(404);
      // WIRE-2: the numeric id of the event is also accepted.
      expect((await ben.api.get(`/events/${event.eventId}/expenses`)).status).toBe(200);
    });
  });
});
