import { DataSource } from 'typeorm';
import { buildEvent, type BuiltEvent } from '#testing/builders';
import { changeWhileWaiting } from '#testing/held-lock';
import type { Answer } from '#testing/http-client';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';
import { inDays, WIRE_TIME } from '#testing/times';
import { warmConnections } from '#testing/warm';

/** docs/rules/payments.md: payments that participants of an event record. */
describe('recorded payments', () => {
  let server: TestServer;
  let ann: Person;
  let ben: Person;
  let cyr: Person;
  let eva: Person;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  beforeEach(async () => ({ ann, ben, cyr, eva } = await server.people('ann', 'ben', 'cyr', 'eva')));
  afterAll(() => server.stop());

  const trip = (...confirmed: Person[]): Promise<BuiltEvent> =>
    buildEvent(server, ann, { title: 'Výlet na Říp', with: confirmed.map((person) => [person, 'confirmed'] as const) });
  const path = (event: BuiltEvent): string => `/events/${event.id}/expenses`;
  const pay = (person: Person, event: BuiltEvent, body: Record<string, unknown>): Promise<Answer> =>
    person.api.post(`${path(event)}/payments`, body);
  const deletePayment = (person: Person, event: BuiltEvent, id: string): Promise<Answer> =>
    person.api.delete(`${path(event)}/payments/${id}`);
  const expensesOf = async (event: BuiltEvent, reader = ann) => (await reader.api.get(path(event))).body.data;
  const shown = ({ slug, name }: Person) => ({ name, nickname: null, slug, avatar_url: null });
  const refusal = ({ status, body }: Answer): unknown[] => [status, body?.code];

  // PAY-1, PAY-5, PAY-6
  it('can be recorded by the payer or the receiver, and change both balances', async () => {
    const event = await trip(ben, cyr);
    await ann.api.post(path(event), { title: 'Chata', amount: 900 });
    const first = await pay(ben, event, { to: ann.slug, amount: 100.5 });
    expect(first.status).toBe(201);
    expect(first.body.data).toEqual({
      id: expect.stringMatching(/^[A-Za-z]{8,}$/),
      from: shown(ben),
      to: shown(ann),
      amount: 100.5,
      currency: 'CZK',
      created_at: expect.stringMatching(WIRE_TIME),
    });
    const second = await pay(ann, event, { from: cyr.slug, to: ann.slug, amount: 300, currency: null });
    expect(second.body.data).toMatchObject({ from: { slug: cyr.slug }, to: { slug: ann.slug } });
    const { expenses, summary } = await expensesOf(event, cyr);
    expect(expenses).toHaveLength(1);
    expect(summary).toEqual({
      CZK: {
        total: 900,
        balances: [
          { user: shown(ann), paid: 900, share: 300, sent: 0, received: 400.5, balance: 199.5 },
          { user: shown(ben), paid: 0, share: 300, sent: 100.5, received: 0, balance: -199.5 },
          { user: shown(cyr), paid: 0, share: 300, sent: 300, received: 0, balance: 0 },
        ],
        settlement: [{ from: shown(ben), to: shown(ann), amount: 199.5, payment: null }],
        payments: [first.body.data, second.body.data],
        optimal: true,
      },
    });
    expect((await pay(ben, event, { from: null, to: ann.slug, amount: 199.5 })).status).toBe(201);
    expect((await expensesOf(event)).summary.CZK.settlement).toEqual([]);
    // A payment in a currency without expenses creates a debt in the other direction.
    expect((await pay(ben, event, { from: ben.slug, to: cyr.slug, amount: 0.01, currency: 'EUR' })).status).toBe(201);
    expect((await expensesOf(event)).summary.EUR).toMatchObject({
      total: 0,
      balances: [
        { sent: 0.01, balance: 0.01 },
        { received: 0.01, balance: -0.01 },
      ],
      settlement: [{ from: { slug: cyr.slug }, to: { slug: ben.slug }, amount: 0.01 }],
    });
  });

  // PAY-1
  it.each([
    ['over', { starts_at: inDays(-3) }],
    ['cancelled', {}],
  ] as const)('can be recorded and deleted for an event that is %s', async (how, options) => {
    const event = await buildEvent(server, ann, { ...options, with: [[ben, 'confirmed']] });
    if (how === 'cancelled')
      expect((await ann.api.patch(`/events/${event.id}`, { status: 'cancelled' })).status).toBe(200);
    const paid = await pay(ben, event, { to: ann.slug, amount: 5 });
    expect(paid.status).toBe(201);
    expect((await deletePayment(ben, event, paid.body.data.id)).status).toBe(204);
  });

  // PAY-2
  it('are refused with 422 if the amount or one of the two people is missing or invalid, or if the currency is unknown', async () => {
    const event = await trip(ben);
    const wrong: [Record<string, unknown>, string[]][] = [
      [{}, ['to', 'amount']],
      [{ to: ann.slug, amount: 0 }, ['amount']],
      [{ to: ann.slug, amount: 1.005 }, ['amount']],
      [{ to: ann.slug, amount: 999_999.01 }, ['amount']],
      [{ to: ann.slug, amount: 1, currency: 'GBP' }, ['currency']],
      [{ to: null, from: 5, amount: 1 }, ['from', 'to']],
      [{ to: ben.slug, amount: 1 }, ['to']],
      [{ from: ann.slug, to: ann.slug, amount: 1 }, ['to']],
    ];
    for (const [body, fields] of wrong) {
      const answer = await pay(ben, event, body);
      expect([...refusal(answer), Object.keys(answer.body.errors)]).toEqual([422, 'validation_failed', fields]);
    }
    for (const amount of [0.01, 999_999]) expect((await pay(ben, event, { to: ann.slug, amount })).status).toBe(201);
  });

  // PAY-3, PAY-4
  it('are refused for the first of these reasons: no right to read the expenses, invalid body, caller neither pays nor receives, ineligible people', async () => {
    const people = await server.people('pending', 'banned', 'stranger');
    const event = await buildEvent(server, ann, {
      with: [
        [ben, 'confirmed'],
        [cyr, 'confirmed'],
        [people.pending, 'pending'],
        [people.banned, 'banned'],
      ],
    });
    const hidden = await buildEvent(server, ann, { is_public: false });
    for (const body of [{}, { to: ann.slug, amount: 1 }]) {
      expect(refusal(await pay(people.stranger, event, body))).toEqual([403, 'forbidden']);
      expect(refusal(await pay(people.pending, event, body))).toEqual([403, 'forbidden']);
      expect(refusal(await pay(people.banned, event, body))).toEqual([403, 'banned']);
      expect(refusal(await pay(people.stranger, hidden, body))).toEqual([404, 'not_found']);
    }
    // The organizer has no special right: payments between two other people are refused, after the check of the body.
    expect(refusal(await pay(ann, event, { from: 'nobody-at-all', to: cyr.slug, amount: 0 }))).toEqual([
      422,
      'validation_failed',
    ]);
    expect(refusal(await pay(ann, event, { from: 'nobody-at-all', to: cyr.slug, amount: 1 }))).toEqual([
      403,
      'forbidden',
    ]);
    expect(refusal(await pay(ann, event, { from: ben.slug, to: cyr.slug, amount: 1 }))).toEqual([403, 'forbidden']);
    for (const slug of [people.pending.slug, people.stranger.slug, 'nobody-at-all']) {
      expect(refusal(await pay(ben, event, { to: slug, amount: 1 }))).toEqual([422, 'participant_not_eligible']);
      expect(refusal(await pay(ben, event, { from: slug, to: ben.slug, amount: 1 }))).toEqual([
        422,
        'participant_not_eligible',
      ]);
    }
    expect((await expensesOf(event)).summary).toEqual({});
  });

  // PAY-4
  it('can be from or to a person who left the event but shares an expense; then only the other person can record them', async () => {
    const event = await trip(ben, cyr, eva);
    await ann.api.post(path(event), { title: 'Chata', amount: 400, shared_with: [ann.slug, cyr.slug] });
    for (const person of [cyr, eva]) expect((await person.api.delete(`/events/${event.id}/join`)).status).toBe(204);
    expect((await pay(ann, event, { from: cyr.slug, to: ann.slug, amount: 200 })).status).toBe(201);
    expect(refusal(await pay(ann, event, { from: eva.slug, to: ann.slug, amount: 200 }))).toEqual([
      422,
      'participant_not_eligible',
    ]);
    expect(refusal(await pay(cyr, event, { to: ann.slug, amount: 200 }))).toEqual([403, 'forbidden']);
    expect((await expensesOf(event)).summary.CZK.settlement).toEqual([]);
  });

  // PAY-3, PAY-4
  it('are refused if the caller leaves the event while the request waits for a lock', async () => {
    const event = await trip(ben);
    const answer = await changeWhileWaiting(
      server,
      ['all_events', event.eventId],
      () => pay(ben, event, { to: ann.slug, amount: 1 }),
      () => server.sql('DELETE FROM participations WHERE event_id = $1', [event.eventId]),
    );
    expect(refusal(answer)).toEqual([403, 'forbidden']);
    expect((await expensesOf(event)).summary).toEqual({});
  });

  // PAY-7
  it('are limited to 200 per event, even if they are recorded in parallel; deleted payments do not count', async () => {
    const event = await trip(ben);
    await server.sql(
      `INSERT INTO expense_payments (event_id, sender_id, receiver_id, entered_by, amount_cents, currency, created_at)
       SELECT $1, $2, $3, $2, 100, 'CZK', now() FROM generate_series(1, 190)`,
      [event.eventId, ben.userId, ann.userId],
    );
    await warmConnections(server.app.get(DataSource));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        pay([ann, ben][index % 2] as Person, event, { from: ben.slug, to: ann.slug, amount: 1 }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(10).fill(201),
      ...Array<number>(10).fill(409),
    ]);
    expect(refusal(await pay(ben, event, { to: ann.slug, amount: 1 }))).toEqual([409, 'payment_limit_reached']);
    expect(refusal(await pay(ben, event, { to: eva.slug, amount: 1 }))).toEqual([422, 'participant_not_eligible']);
    const { payments, balances } = (await expensesOf(event)).summary.CZK;
    expect([payments.length, balances[1].sent, balances[0].received]).toEqual([200, 200, 200]);
    const createdId = answers.find(({ status, body }) => status === 201 && body.data)?.body.data.id as string;
    const statuses = [
      (await deletePayment(ann, event, createdId)).status,
      (await deletePayment(ben, event, createdId)).status,
    ];
    expect(statuses).toContain(204);
    expect((await pay(ben, event, { to: ann.slug, amount: 1 })).status).toBe(201);
  });

  // PAY-8
  it('cannot be changed, and can be deleted only by the person who recorded them', async () => {
    const [event, other] = [await trip(ben, cyr), await trip(ben)];
    const { id } = (await pay(ben, event, { to: ann.slug, amount: 50 })).body.data;
    for (const person of [ann, cyr, eva])
      expect(refusal(await deletePayment(person, event, id))).toEqual([403, 'forbidden']);
    for (const [where, which] of [
      [other, id],
      [event, 'nowhereatall'],
      [event, '1'],
    ] as const)
      expect(refusal(await deletePayment(ben, where, which))).toEqual([404, 'not_found']);
    for (const method of ['PATCH', 'PUT'])
      expect((await ben.api.send(method, `${path(event)}/payments/${id}`, { json: { amount: 2 } })).status).toBe(405);
    expect((await expensesOf(event)).summary.CZK.payments).toHaveLength(1);
    const answers = await Promise.all(Array.from({ length: 6 }, () => deletePayment(ben, event, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404, 404]);
    expect((await expensesOf(event)).summary).toEqual({});
    // A payment that the receiver recorded can be deleted by the receiver, but not by the payer.
    const received = (await pay(ann, event, { from: ben.slug, to: ann.slug, amount: 5 })).body.data;
    expect(refusal(await deletePayment(ben, event, received.id))).toEqual([403, 'forbidden']);
    expect((await deletePayment(ann, event, received.id)).status).toBe(204);
    const last = (await pay(ben, event, { to: ann.slug, amount: 50 })).body.data;
    for (const person of [ben, cyr]) await person.api.delete(`/events/${event.id}/join`);
    // Ben, who recorded the payment, has left the event and can no longer read the expense list.
    expect(refusal(await deletePayment(ben, event, last.id))).toEqual([403, 'forbidden']);
    expect((await expensesOf(event)).summary.CZK.payments).toHaveLength(1);
    expect((await ann.api.delete(`/events/${event.id}`)).status).toBe(204);
    expect(await server.sql('SELECT 1 FROM expense_payments WHERE event_id = $1', [event.eventId])).toEqual([]);
  });

  // PAY-10
  it('are not required for payment codes; only callers who may see the account number get the codes, and the codes for euros include an EPC code', async () => {
    const iban = 'CZ6508000000192000145399';
    const dan = await server.person('dan', { iban, name: 'Dan Žák' });
    const event = await trip(ben, cyr, dan);
    for (const currency of ['EUR', 'CZK'])
      await ann.api.post(path(event), {
        title: 'Vlak',
        amount: 12.34,
        currency,
        paid_by: dan.slug,
        shared_with: [ben.slug],
      });
    for (const person of [ann, ben]) {
      const { EUR, CZK } = (await expensesOf(event, person)).summary;
      expect(EUR.settlement[0].payment).toEqual({
        iban,
        spd: `SPD*1.0*ACC:${iban}*AM:12.34*CC:EUR*MSG:Vylet na Rip`,
        epc: `BCD\n002\n1\nSCT\n\nDan Žák\n${iban}\nEUR12.34\n\n\nVýlet na Říp`,
      });
      expect(CZK.settlement[0].payment.epc).toBeNull();
    }
    for (const person of [cyr, dan])
      expect((await expensesOf(event, person)).summary.EUR.settlement[0].payment).toBeNull();
  });

  // EXP-12, PAY-5
  it('lead to a settlement, even without expenses, and the payment code of the settlement contains the title of the event', async () => {
    const iban = 'CZ6508000000192000145399';
    const dan = await server.person('dan', { iban });
    const event = await trip(dan);
    await pay(dan, event, { to: ann.slug, amount: 7 });
    const { settlement } = (await expensesOf(event)).summary.CZK;
    expect(settlement[0].payment.spd).toBe(`SPD*1.0*ACC:${iban}*AM:7.00*CC:CZK*MSG:Vylet na Rip`);
  });

  // PAY-11, PAY-12
  it('are listed with the expenses in a CSV file', async () => {
    const event = await trip(ben);
    const eve = await server.person('eve', { name: '=Eve, "E"' });
    await ann.api.post(path(event), { title: '=1+1', amount: 100, paid_by: ben.slug });
    const paid = (await pay(ann, event, { to: ben.slug, amount: 50 })).body.data;
    await ann.api.post(path(event), { title: 'Oběd, "velký"', amount: 0.5, currency: 'EUR', shared_with: [ann.slug] });
    const file = await ben.api.get(`${path(event)}.csv`);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="expenses-${event.id}.csv"`);
    expect(file.headers.get('cache-control')).toBe('no-store');
    const [formula, lunch] = (await expensesOf(event)).expenses;
    expect(file.text).toBe(
      [
        'type,id,created_at,title,amount,currency,paid_by,paid_by_name,paid_to,paid_to_name,shares',
        `expense,${formula.id},${formula.created_at},'=1+1,100,CZK,${ben.slug},${ben.name},,,${ann.slug} 50; ${ben.slug} 50`,
        `payment,${paid.id},${paid.created_at},,50,CZK,${ann.slug},${ann.name},${ben.slug},${ben.name},`,
        `expense,${lunch.id},${lunch.created_at},"Oběd, ""velký""",0.5,EUR,${ann.slug},${ann.name},,,${ann.slug} 0.5`,
        '',
      ].join('\r\n'),
    );
    expect(refusal(await eve.api.get(`${path(event)}.csv`))).toEqual([403, 'forbidden']);
    expect(refusal(await ben.api.get('/events/nowhereatall/expenses.csv'))).toEqual([404, 'not_found']);
    const own = await buildEvent(server, eve);
    await eve.api.post(path(own), { title: '007', amount: 1 });
    expect((await eve.api.get(`${path(own)}.csv`)).text).toContain(`,'007,1,CZK,${eve.slug},"'=Eve, ""E""",,,`);
  });
});
