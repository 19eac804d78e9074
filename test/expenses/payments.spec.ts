import { buildEvent, type BuiltEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const IBAN_OF_ANN = 'CZ6508000000192000145399';
const IBAN_OF_BEN = 'CZ9455000000001011038930';

/**
 * EXP-11: payment data contain the bank account of the receiver. Only the organizer and the person who has to pay see
 * these data.
 */
describe('the settlement of expenses', () => {
  let server: TestServer;
  let gus: Person;
  let ann: Person;
  let ben: Person;
  let cyr: Person;
  let dan: Person;
  let event: BuiltEvent;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ gus, cyr, dan } = await server.people('gus', 'cyr', 'dan'));
    ann = await server.person('ann', { iban: 'CZ65 0800 0000 1920 0014 5399' });
    ben = await server.person('ben', { iban: IBAN_OF_BEN });
    event = await buildEvent(server, gus, {
      title: 'Chalupa v Krkonoších',
      with: [ann, ben, cyr, dan].map((person) => [person, 'confirmed'] as const),
    });
    const add = (amount: number, payer: Person, sharer: Person) =>
      gus.api.post(`/events/${event.id}/expenses`, {
        title: 'x',
        amount,
        paid_by: payer.slug,
        shared_with: [sharer.slug],
      });
    await add(70, ann, cyr);
    await add(33, ben, gus);
    await add(20.5, dan, ann);
  });
  afterAll(() => server.stop());

  const settlementSeenBy = async (person: Person) => {
    const { settlement } = (await person.api.get(`/events/${event.id}/expenses`)).body.data.summary.CZK;
    return settlement.map((one: { from: Person; to: Person; payment: unknown }) => [
      one.from.slug,
      one.to.slug,
      one.payment,
    ]);
  };
  const payment = (iban: string, amount: string) => ({
    iban,
    spd: `SPD*1.0*ACC:${iban}*AM:${amount}*CC:CZK*MSG:Chalupa v Krkonosich`,
    epc: null,
  });

  // EXP-11
  it('shows the organizer the payment data of all receivers who have a bank account', async () => {
    expect(await settlementSeenBy(gus)).toEqual([
      [cyr.slug, ann.slug, payment(IBAN_OF_ANN, '49.50')],
      [cyr.slug, dan.slug, null],
      [gus.slug, ben.slug, payment(IBAN_OF_BEN, '33.00')],
    ]);
  });

  // EXP-11
  it('shows a participant payment data only for the payments that this participant has to make', async () => {
    expect(await settlementSeenBy(cyr)).toEqual([
      [cyr.slug, ann.slug, payment(IBAN_OF_ANN, '49.50')],
      [cyr.slug, dan.slug, null],
      [gus.slug, ben.slug, null],
    ]);
    for (const person of [ann, ben, dan])
      expect((await settlementSeenBy(person)).map(([, , shown]: unknown[]) => shown)).toEqual([null, null, null]);
  });

  // EXP-7, EXP-11
  it('contains payment data in each currency of the summary', async () => {
    const vienna = await buildEvent(server, gus, { title: 'Vídeň', with: [[ann, 'confirmed']] });
    for (const [currency, amount] of [
      ['CZK', 300],
      ['EUR', 12.5],
      ['USD', 8],
    ] as const) {
      const { status } = await gus.api.post(`/events/${vienna.id}/expenses`, {
        title: currency,
        amount,
        currency,
        paid_by: ann.slug,
        shared_with: [gus.slug],
      });
      expect(status).toBe(201);
    }
    const { summary } = (await gus.api.get(`/events/${vienna.id}/expenses`)).body.data;
    const codes = Object.entries(summary as Record<string, { settlement: { payment: { spd: string } }[] }>).map(
      ([currency, { settlement }]) => [currency, ...settlement.map((one) => one.payment.spd)],
    );
    expect(codes).toEqual([
      ['CZK', `SPD*1.0*ACC:${IBAN_OF_ANN}*AM:300.00*CC:CZK*MSG:Viden`],
      ['EUR', `SPD*1.0*ACC:${IBAN_OF_ANN}*AM:12.50*CC:EUR*MSG:Viden`],
      ['USD', `SPD*1.0*ACC:${IBAN_OF_ANN}*AM:8.00*CC:USD*MSG:Viden`],
    ]);
  });

  // EXP-11
  it('is the only part of the response that contains account numbers', async () => {
    for (const person of [ann, ben, dan])
      expect((await person.api.get(`/events/${event.id}/expenses`)).text).not.toMatch(/CZ\d{22}/);
    expect((await cyr.api.get(`/events/${event.id}/expenses`)).text.match(/CZ\d{22}/g)).toEqual([
      IBAN_OF_ANN,
      IBAN_OF_ANN,
    ]);
  });
});
