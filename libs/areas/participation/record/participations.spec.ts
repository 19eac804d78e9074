import type { Queryable } from '#platform/database/database';
import type { CreditsCommands } from '../../credits/credits.commands';
import type { StatisticsCommands } from '../../statistics/statistics.commands';
import type { WaitlistSeats } from '../waitlist/waitlist-seats';
import { Participations } from './participations';

// JOIN-44
describe('Participations.takeSeat', () => {
  const participations = new Participations({} as CreditsCommands, {} as WaitlistSeats, {} as StatisticsCommands, {
    now: () => new Date(0),
  });
  const take = (refused: object) => {
    const database: Queryable = { rows: () => Promise.reject(Object.assign(new Error('refused'), refused)) };
    return participations.takeSeat(database, 1, 2, { revision: 1, from: 'none' });
  };

  it('returns null if the stored status has changed: the statement then deliberately sets `status` to NULL, which the database refuses', async () => {
    await expect(take({ code: '23502', table: 'participations', column: 'status' })).resolves.toBeNull();
  });

  it.each([
    { code: '23502', table: 'participations', column: 'updated_at' },
    { code: '23502', table: 'live_events', column: 'status' },
    { code: '23514', table: 'participations', column: 'status' },
    { code: '57014' },
  ])('throws any other database error: %j', async (refused) => {
    await expect(take(refused)).rejects.toMatchObject(refused);
  });
});
