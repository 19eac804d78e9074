import type { DiscoverQueryDto } from './discover.dto';
import { filterOf } from './discover.filter';
import { discoverPage, MAX_PREPARED } from './discover.query';

const FILTERS: readonly DiscoverQueryDto[] = [
  { type: 'sport' },
  { q: 'piknik' },
  { price: 'free' },
  { source: 'editorial' },
  { date_from: '2020-01-01' },
  { date_to: '2030-01-01' },
  { min_participants: 2 },
];

function nameFor(query: DiscoverQueryDto): string {
  const at = new Date();
  const known = { listed: 1, hidden: 0, snapshot: '1:1:', at };
  const page = { viewerId: 1, now: at, limit: 20, offset: 0, plan: 'scan', known, isCompact: true } as const;
  return discoverPage({ ...page, filter: filterOf(query) }).sql.name;
}

describe('the statements of Discover', () => {
  it('are prepared for a limited number of combinations of filters, and always for the whole list', () => {
    // The whole list is requested last, after the limit is reached. Earlier test files of this process may also have
    // prepared statements.
    const names = Array.from({ length: 2 ** FILTERS.length - 1 }, (_, n) =>
      nameFor(Object.assign({}, ...FILTERS.filter((_filter, i) => (n + 1) & (1 << i)))),
    );
    expect(new Set(names.filter((name) => name !== '')).size).toBeLessThanOrEqual(MAX_PREPARED);
    expect(names.at(-1)).toBe('');
    expect(nameFor({})).toBe('discover_b_update_');
  });
});
