import type { DayRow } from './statistics.query';
import { daysOf, eventStatisticsResource } from './statistics.resource';

const row = (day: string, what: DayRow['what'], total: number): DayRow => ({ day, what, total });

// STAT-2
describe('the statistics of an event by day', () => {
  it('contain every day of the period; the last day has the current number of confirmed people', () => {
    const rows = [row('2026-02-27', 'joined', 5), row('2026-03-02', 'joined', 1), row('2026-03-02', 'left', 3)];
    expect(daysOf(rows, 4)).toEqual([
      { day: '2026-02-27', joined: 5, left: 0, confirmed: 6 },
      { day: '2026-02-28', joined: 0, left: 0, confirmed: 6 },
      { day: '2026-03-01', joined: 0, left: 0, confirmed: 6 },
      { day: '2026-03-02', joined: 1, left: 3, confirmed: 4 },
    ]);
  });

  it('cover the days from the first to the last day on which people joined or left, at most the last 400 of these days', () => {
    expect(daysOf([row('2026-01-01', 'waitlist_joined', 2)], 0)).toEqual([]);
    const days = daysOf([row('2025-01-01', 'joined', 1), row('2026-06-30', 'joined', 1)], 2);
    expect([days.length, days.at(-1)?.day, days[0]?.confirmed]).toEqual([400, '2026-06-30', 1]);
  });
});

// STAT-5
it('the statistics of offers and the waitlist are totals of all days', () => {
  const days = [
    row('2026-01-01', 'offers_made', 2),
    row('2026-01-02', 'offers_made', 1),
    row('2026-01-02', 'offers_lapsed', 1),
    row('2026-01-02', 'waitlist_left', 1),
  ];
  expect(eventStatisticsResource({ days, statuses: [], checkIns: [] })).toMatchObject({
    waitlist: { joined: 0, promoted: 0, left: 1 },
    offers: { made: 3, accepted: 0, declined: 0, lapsed: 1 },
  });
});
