import type { Frequency } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { EventTemplateResource, eventTemplateResource } from '../events/event-template.resource';
import type { SeriesRow } from './series.query';

/** A series as its owner sees it (SER-10). */
export class SeriesResource extends EventTemplateResource {
  /** hashid */
  id: string;
  /** whether more occurrences will be created */
  active: boolean;
  /** when the series was cancelled; null if it was not cancelled */
  cancelled_at: string | null;
  /** the unit in which `interval` counts */
  frequency: Frequency;
  /** the number of days, weeks or months between occurrences */
  interval: number;
  /** the last Prague day on which an occurrence may start, as YYYY-MM-DD; null when not given */
  until: string | null;
  /** maximum number of occurrences; null: no limit */
  occurrences_limit: number | null;
  /** length of every occurrence in minutes; null when not given */
  duration_minutes: number | null;
  /** start of the first occurrence, as given when the series was created */
  starts_at: string;
  /** number of existing occurrences, including cancelled ones */
  occurrences_count: number;
  /** start of the first active occurrence that has not started; null if there is none */
  next_occurrence_at: string | null;
  /** when the series was created */
  created_at: string;
  /** when the series was last changed */
  updated_at: string;
}

/**
 * `joinPassword` is the password in plain text; null if the `join_mode` is not `password`, or if the stored password
 * cannot be decrypted.
 */
export function seriesResource(row: SeriesRow, joinPassword: string | null, wire: WireFormat): SeriesResource {
  return {
    id: wire.id('series', row.id),
    active: row.active,
    cancelled_at: toWire(row.cancelled_at),
    frequency: row.frequency,
    interval: row.interval,
    until: row.until,
    occurrences_limit: row.occurrences_limit,
    duration_minutes: row.duration_minutes,
    starts_at: toWire(row.starts_at),
    ...eventTemplateResource(row.template, joinPassword),
    occurrences_count: row.occurrences_count,
    next_occurrence_at: toWire(row.next_occurrence_at),
    created_at: toWire(row.created_at),
    updated_at: toWire(row.updated_at),
  };
}
