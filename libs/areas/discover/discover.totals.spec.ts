import { PRIMARY } from '#platform/database/replicas/reading-database';
import { MovableClock } from '#testing/movable-clock';
import type { DiscoverQueryDto } from './discover.dto';
import { filterOf } from './discover.filter';
import type { Head } from './discover.head';
import type { Counted } from './discover.query';
import { DiscoverTotals } from './discover.totals';

/** What a process remembers of totals (docs/adr/0007-totals.md). */
describe('remembered totals', () => {
  const clock = new MovableClock();
  const ask = (totals: DiscoverTotals, q: string, viewerId: number): Promise<{ counted: Counted; from: Counted | null }> =>
    totals.during(PRIMARY, filterOf({ q }), viewerId, async ({ counted: from }, at) => ({ from, counted: { listed: 7, hidden: viewerId, hides: false, snapshot: '1:1:', at } }));

  it('are for everybody, but for what is hidden from one', async () => {
    const totals = new DiscoverTotals(clock);
    expect((await ask(totals, 'piknik', 1)).from).toBeNull();
    expect((await ask(totals, 'piknik', 1)).from).toMatchObject({ listed: 7, hidden: 1 });
    expect((await ask(totals, 'piknik', 2)).from).toMatchObject({ listed: 7, hidden: null });
    expect((await ask(totals, 'piknik', 1)).from).toMatchObject({ listed: 7, hidden: 1 });
    expect((await ask(totals, 'kino', 1)).from).toBeNull();
  });

  it('are no more than 2,000 filters and 20,000 viewers, and those asked for last', async () => {
    const totals = new DiscoverTotals(clock);
    for (let n = 0; n < 2_001; n++) await ask(totals, `slovo${n}`, 1);
    expect(totals.size.filters).toBe(2_000);
    expect((await ask(totals, 'slovo0', 2)).from).toBeNull();
    expect((await ask(totals, 'slovo2000', 2)).from).not.toBeNull();
    for (let n = 0; n < 20_001; n++) await ask(totals, 'jedno', n);
    expect(totals.size).toEqual({ filters: 2_000, viewers: 20_000 });
  });

  describe('and the first events of a search', () => {
    const head = (minutes: number | null): Head => ({ ids: '{1,2}', complete: true, snapshot: '1:1:', since: clock.now(), until: minutes === null ? null : new Date(clock.now().getTime() + minutes * 60_000) });
    const known = async (totals: DiscoverTotals, query: DiscoverQueryDto, answered?: Head | null) => {
      let was: unknown;
      await totals.during(PRIMARY, filterOf(query), 1, async ({ head: from }, at) => {
        was = from;
        return { counted: { listed: 7, hidden: 0, hides: false, snapshot: '1:1:', at }, head: answered };
      });
      return was;
    };

    afterEach(() => {
      jest.restoreAllMocks();
      clock.reset();
    });

    it('are looked for, used until they are none any more, and looked for again after a while', async () => {
      const totals = new DiscoverTotals(clock);
      const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
      const found = head(null);
      expect(await known(totals, { q: 'piknik' }, found)).toBe('find');
      expect(await known(totals, { q: 'piknik' })).toBe(found);
      expect(await known(totals, { q: 'piknik' }, null)).toBe(found);
      now.mockReturnValue(2_999);
      expect(await known(totals, { q: 'piknik' })).toBeNull();
      now.mockReturnValue(3_000);
      expect(await known(totals, { q: 'piknik' }, found)).toBe('find');
      now.mockReturnValue(62_999);
      expect(await known(totals, { q: 'piknik' })).toBe(found);
      now.mockReturnValue(63_000);
      expect(await known(totals, { q: 'piknik' })).toBe('find');
    });

    it('are of no use once a boost among them has lapsed, nor before they were found', async () => {
      const totals = new DiscoverTotals(clock);
      clock.standAt('2031-05-01T10:00:00Z');
      const found = head(1);
      await known(totals, { q: 'piknik' }, found);
      clock.standAt('2031-05-01T10:00:59.999Z');
      expect(await known(totals, { q: 'piknik' })).toBe(found);
      clock.standAt('2031-05-01T10:01:00Z');
      expect(await known(totals, { q: 'piknik' })).toBe('find');
      clock.standAt('2031-05-01T09:59:59.999Z');
      expect(await known(totals, { q: 'piknik' })).toBe('find');
    });

    it('are not kept where no text is searched, nor where joins count', async () => {
      const totals = new DiscoverTotals(clock);
      for (const query of [{}, { type: 'sport' as const }, { q: 'piknik', min_participants: 5 }]) {
        await known(totals, query, head(null));
        expect(await known(totals, query)).toBeNull();
      }
    });
  });
});
