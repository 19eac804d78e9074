import { PRIMARY } from '#platform/database/replicas/reading-database';
import { MovableClock } from '#testing/movable-clock';
import { filterOf } from './discover.filter';
import type { Counted } from './discover.query';
import { DiscoverTotals } from './discover.totals';

/** The totals that a process remembers (docs/adr/0007-totals.md). */
describe('the remembered totals of Discover', () => {
  const clock = new MovableClock();
  const totalFor = async (totals: DiscoverTotals, q: string, viewerId: number): Promise<{ known: Counted | null }> => {
    const openTotal = await totals.open(PRIMARY, filterOf({ q }), viewerId);
    openTotal.store({ listed: 7, hidden: viewerId, snapshot: '1:1:', at: openTotal.now });
    openTotal.release();
    return { known: openTotal.known };
  };

  it('are shared by all viewers, but the number of hidden events is stored for each viewer', async () => {
    const totals = new DiscoverTotals(clock);
    expect((await totalFor(totals, 'piknik', 1)).known).toBeNull();
    expect((await totalFor(totals, 'piknik', 1)).known).toMatchObject({ listed: 7, hidden: 1 });
    expect((await totalFor(totals, 'piknik', 2)).known).toMatchObject({ listed: 7, hidden: null });
    expect((await totalFor(totals, 'piknik', 1)).known).toMatchObject({ listed: 7, hidden: 1 });
    expect((await totalFor(totals, 'kino', 1)).known).toBeNull();
  });

  it('are stored for the 2,000 most recently used filters, and for the 20,000 most recently used pairs of viewer and filter', async () => {
    const totals = new DiscoverTotals(clock);
    for (let n = 0; n < 2_001; n++) await totalFor(totals, `slovo${n}`, 1);
    expect(totals.size.filters).toBe(2_000);
    expect((await totalFor(totals, 'slovo0', 2)).known).toBeNull();
    expect((await totalFor(totals, 'slovo2000', 2)).known).not.toBeNull();
    for (let n = 0; n < 20_001; n++) await totalFor(totals, 'jedno', n);
    expect(totals.size).toEqual({ filters: 2_000, viewers: 20_000 });
  });
});
