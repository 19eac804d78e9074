import { Client } from 'pg';
import { lockedTables, watchLockOrder } from './lock-order';

describe('the check of the lock order', () => {
  it.each([
    ['SELECT id FROM events WHERE id = $1 FOR NO KEY UPDATE', ['events']],
    [
      'SELECT "Event"."id" AS "Event_id" FROM "events" "Event" WHERE (("Event"."id" = $1)) LIMIT 1 FOR UPDATE',
      ['events'],
    ],
    [
      'UPDATE events SET group_id = NULL WHERE id IN (SELECT id FROM events WHERE group_id = $1 ORDER BY id FOR UPDATE)',
      ['events'],
    ],
    [
      'SELECT 1 FROM groups g JOIN group_members m ON true WHERE g.id = $1 FOR KEY SHARE OF g FOR SHARE OF m',
      ['groups'],
    ],
    ['SELECT a.user_id FROM credit_accounts a WHERE a.user_id = 1 FOR UPDATE', ['credit_accounts']],
    ['SELECT id FROM events WHERE id = $1', []],
    ['SELECT id FROM users WHERE true FOR UPDATE SKIP LOCKED', []],
  ])('finds the tables of the lock order whose rows a statement locks without SKIP LOCKED: %s', (sql, tables) => {
    expect(lockedTables(sql)).toEqual(tables);
  });

  it('refuses to lock an event after a user, unless the same transaction locked an event before the user', () => {
    const query = jest
      .spyOn(Client.prototype as unknown as { query: (sql: string) => void }, 'query')
      .mockReturnValue(undefined);
    watchLockOrder();
    const client = new Client() as unknown as { query: (sql: string) => unknown };
    const [user, event] = [
      'SELECT id FROM users WHERE id = 1 FOR NO KEY UPDATE',
      'SELECT id FROM events WHERE id = 1 FOR KEY SHARE',
    ];
    client.query('START TRANSACTION');
    client.query(event);
    client.query(user);
    client.query(event);
    client.query('COMMIT');
    client.query('START TRANSACTION');
    client.query(user);
    expect(() => client.query(event)).toThrow(/events is locked after users/);
    client.query('ROLLBACK');
    client.query(event);
    expect(query).toHaveBeenCalledTimes(9);
    query.mockRestore();
  });
});
