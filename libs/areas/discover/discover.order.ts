import type { DiscoverSort } from '#contract/vocabulary';
import { cubeAround, onSphere } from '#platform/places/sphere';
import type { DiscoverCursor } from './discover.cursor';
import type { Near } from './discover.filter';

/** The requested order, and the position at which the page begins. */
export interface DiscoverOrder {
  readonly sort: DiscoverSort;
  /** The place of the filter; required for `distance`. */
  readonly near: Near | null;
  /** The last event of the previous page; null without a cursor. */
  readonly after: DiscoverCursor | null;
}

export const DEFAULT_ORDER: DiscoverOrder = { sort: 'default', near: null, after: null };

/** An order as SQL on rows `l` of live_events. */
export interface OrderSql {
  /**
   * The part of the statement's name that identifies the order. Orders that differ only in values have the same form.
   * The default order without a cursor has the form ''.
   */
  readonly form: string;
  readonly values: readonly unknown[];
  /** The expression by which rows are ordered; rows with equal values are ordered by id, in the same direction. */
  readonly key: string;
  readonly direction: 'ASC' | 'DESC';
  /** Whether boosted events come first. */
  readonly boostedFirst: boolean;
  /** SQL of the time at which boosts are evaluated. */
  readonly boostedAt: string;
  /** Whether the last event of the previous page was boosted; null without a cursor. */
  readonly afterBoosted: boolean | null;
  /**
   * For `distance`: `AND` with a condition that all matching events meet, and for which PostgreSQL can use an index; ''
   * for other orders.
   */
  readonly within: string;
  /** SQL: whether a row with this key and id follows the cursor; `true` without a cursor. */
  readonly follows: (key: string, id: string) => string;
}

const KEYS: Readonly<Record<Exclude<DiscoverSort, 'distance'>, string>> = {
  default: 'l.starts_at',
  starts_at: 'l.starts_at',
  created_at: 'l.created_at',
};

/** The order as SQL; `first` is the number of the first placeholder for its values. */
export function orderSql({ sort, near, after }: DiscoverOrder, first: number): OrderSql {
  const values: unknown[] = [];
  const add = (value: unknown): string => `$${first + values.push(value) - 1}`;
  const { key, within } = keyOf(sort, near, add);
  const direction = sort === 'created_at' ? 'DESC' : 'ASC';
  const common = { key, within, direction, boostedFirst: sort === 'default' } as const;
  if (after === null)
    return {
      ...common,
      form: sort === 'default' ? '' : sort,
      values,
      boostedAt: '$2',
      afterBoosted: null,
      follows: () => 'true',
    };
  const type = sort === 'distance' ? 'float8' : 'timestamptz';
  const [lastKey, lastId] = [
    `${add(sort === 'distance' ? after.key : new Date(after.key))}::${type}`,
    `${add(after.id)}::bigint`,
  ];
  return {
    ...common,
    form: `${sort}_after${sort === 'default' && after.boosted ? '_boosted' : ''}`,
    values,
    boostedAt: sort === 'default' ? `${add(new Date(after.boostTime))}::timestamptz` : '$2',
    afterBoosted: after.boosted,
    follows: (rowKey, rowId) => `(${rowKey}, ${rowId}) ${direction === 'ASC' ? '>' : '<'} (${lastKey}, ${lastId})`,
  };
}

function keyOf(
  sort: DiscoverSort,
  near: Near | null,
  add: (value: unknown) => string,
): { readonly key: string; readonly within: string } {
  if (sort !== 'distance') return { key: KEYS[sort], within: '' };
  if (near === null) throw new Error('an order by distance needs a place');
  const [lat, lng, km] = [`${add(near.lat)}::float8`, `${add(near.lng)}::float8`, add(near.km)];
  const place = 'f_on_sphere(l.latitude, l.longitude)';
  // The condition `within` limits the search in the index to the box around the circle.
  return {
    key: `(${place} <-> ${onSphere(lat, lng)})`,
    within: ` AND l.latitude IS NOT NULL AND ${place} <@ ${cubeAround(lat, lng, km)}`,
  };
}
