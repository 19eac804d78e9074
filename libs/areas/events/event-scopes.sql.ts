import { EVENT_SCOPES, type EventScope } from '#contract/vocabulary';
import { statement, type Statement } from '#platform/database/database';
import { isClosedSql, isOpenSql } from './event-relation';

/** A value of the query parameter `scope`; `any` if the parameter is absent. */
export type AnyScope = EventScope | 'any';

/** A scope as SQL for an event `e`. */
interface ScopeSql {
  readonly condition: string;
  readonly order: string;
}

/** SQL for each value of the query parameter `scope` (EVT-26). `now` is a placeholder for a parameter, such as `$2`. */
function scopesAt(now: string): Record<AnyScope, ScopeSql> {
  return {
    upcoming: { condition: isOpenSql(now), order: 'ORDER BY e.starts_at, e.id' },
    past: { condition: isClosedSql(now), order: 'ORDER BY e.starts_at DESC, e.id DESC' },
    // The condition is always true. It uses `now`, so that the statements of all scopes have the same parameters.
    any: { condition: `${now}::timestamptz IS NOT NULL`, order: 'ORDER BY e.starts_at DESC, e.id DESC' },
  };
}

/** One statement per scope, for a list of events `e` or its total. */
export function perScope(name: string, now: string, text: (scope: ScopeSql) => string): Record<AnyScope, Statement> {
  const scopes = scopesAt(now);
  const named = [...EVENT_SCOPES, 'any' as const].map((scope) => [
    scope,
    statement(`${name}_${scope}`, text(scopes[scope])),
  ]);
  return Object.fromEntries(named) as Record<AnyScope, Statement>;
}

/**
 * SQL: whether changing or ending the series affects occurrence `e` (SER-14). Only occurrences that are active and have
 * not started are affected.
 */
export function isUpcomingOccurrenceSql(now: string): string {
  return `e.status = 'active' AND e.starts_at > ${now}`;
}
