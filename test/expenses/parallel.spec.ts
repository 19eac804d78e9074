import { BOOK_PEOPLE } from '#areas/expenses/expense.query';
import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import type { Statement } from '#platform/database/database';
import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

describe('expenses with parallel requests', () => {
  let server: TestServer;
  let ann: Person;
  let ben: Person;
  beforeAll(async () => {
    server = await TestServer.start();
    ({ ann, ben } = await server.people('ann', 'ben'));
  });
  afterAll(() => server.stop());

  it('are deleted only once, and the other requests to delete them get 404', async () => {
    const event = await buildEvent(server, ann);
    const { id } = (await ann.api.post(`/events/${event.id}/expenses`, { title: 'x', amount: 1 })).body.data;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => ann.api.delete(`/events/${event.id}/expenses/${id}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404, 404]);
  });

  // EXP-5
  it('are limited to 50 for each event', async () => {
    const event = await buildEvent(server, ann);
    await server.sql(
      `INSERT INTO expenses (event_id, title, amount_cents, currency, paid_by, created_at)
       SELECT $1, 'x', 100, 'CZK', $2, now() FROM generate_series(1, 47)`,
      [event.eventId, ann.userId],
    );
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ann.api.post(`/events/${event.id}/expenses`, { title: 'x', amount: 1 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(3).fill(201),
      ...Array<number>(7).fill(409),
    ]);
  });

  it('are listed with correct sums while other requests add and delete expenses', async () => {
    const event = await buildEvent(server, ann, { with: [[ben, 'confirmed']] });
    const writing = Promise.all(
      Array.from({ length: 12 }, async (_, number) => {
        const { id } = (
          await ann.api.post(`/events/${event.id}/expenses`, {
            title: 'x',
            amount: 10.01,
            paid_by: [ann, ben][number % 2]?.slug,
          })
        ).body.data;
        if (number % 3 === 0) await ann.api.delete(`/events/${event.id}/expenses/${id}`);
      }),
    );
    for (let reading = 0; reading < 12; reading++) {
      const { expenses, summary } = (await ben.api.get(`/events/${event.id}/expenses`)).body.data;
      const balances: { balance: number }[] = summary.CZK?.balances ?? [];
      expect(balances.reduce((sum, { balance }) => sum + Math.round(balance * 100), 0)).toBe(0);
      expect(Math.round((summary.CZK?.total ?? 0) * 100)).toBe(1001 * expenses.length);
    }
    await writing;
    expect((await ben.api.get(`/events/${event.id}/expenses`)).body.data.expenses).toHaveLength(8);
  });

  // EXP-9, DATA-12
  it('are read again if an account is erased between two statements of the request', async () => {
    const eva = await server.person('eva');
    const event = await buildEvent(server, ann, { with: [[eva, 'confirmed']] });
    await ann.api.post(`/events/${event.id}/expenses`, { title: 'x', amount: 10, paid_by: eva.slug });
    const { database } = server;
    const originalRows = database.rows.bind(database);
    let isErased = false;
    const spy = jest.spyOn(database, 'rows').mockImplementation(async (sql: Statement, values?: readonly unknown[]) => {
      if (sql === BOOK_PEOPLE && !isErased) {
        isErased = true;
        await server.app.get(OwnDataCommands).erase(eva.slug);
      }
      return originalRows(sql, values);
    });
    const { status, body } = await ann.api.get(`/events/${event.id}/expenses`);
    spy.mockRestore();
    expect([isErased, status]).toEqual([true, 200]);
    expect(body.data.expenses[0]).toMatchObject({
      paid_by: { name: 'deleted' },
      shares: [{ amount: 5 }, { amount: 5 }],
    });
  });
});
