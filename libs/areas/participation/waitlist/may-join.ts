import { ageOnSql, pragueDaySql } from '#platform/time/prague';
import { blocksSql, isBannedSql } from '../../identity/account-conditions.sql';

/**
 * SQL: whether the waitlisted person `person` could join event `e` if a seat were free. Of the `ELIGIBILITY_RULES`
 * (admission.rules.ts), only those about blocks, age and gender apply. The result is false for a banned or deleted
 * account, and for a profile without a value that the event requires.
 */
export function mayJoinSql(person: string): string {
  const age = ageOnSql(`${person}.birth_date`, pragueDaySql('e.starts_at'));
  return `(NOT ${isBannedSql(person)} AND NOT ${person}.gone AND NOT ${blocksSql('e.organizer_id', `${person}.id`)}
    AND coalesce(e.gender_restriction IS NULL OR e.gender_restriction = ${person}.gender, false)
    AND coalesce(e.age_min IS NULL AND e.age_max IS NULL OR ${age} BETWEEN coalesce(e.age_min, 0) AND coalesce(e.age_max, 1000), false))`;
}
