import { Column, Entity } from 'typeorm';
import type { Frequency } from '#contract/vocabulary';
import { Id, Instant, Ref } from '#platform/database/columns';
import type { CalendarDay } from '#platform/time/prague';
import { isWithinYears } from '#platform/time/years';
import { completeTemplate, type EventTemplate } from '../events/event-template.resource';
import type { Occurrence } from '../events/occurrences.commands';
import { overAt } from '../events/over-at';
import { occurrenceEnd, occurrenceStart, type RecurrenceRule } from './recurrence';

/** A template with a recurrence rule (SER-1), and the number of occurrences created so far. */
@Entity('series')
export class Series implements RecurrenceRule {
  @Id()
  id: number;

  @Ref({ name: 'organizer_id' })
  organizerId: number;

  @Instant({ name: 'starts_at' })
  startsAt: Date;

  @Column('text')
  frequency: Frequency;

  @Column('integer')
  interval: number;

  @Column('date', { nullable: true })
  until: CalendarDay | null;

  @Column('integer', { name: 'occurrences_limit', nullable: true })
  occurrencesLimit: number | null;

  @Column('integer', { name: 'duration_minutes', nullable: true })
  durationMinutes: number | null;

  @Column('jsonb', { transformer: { to: (template: EventTemplate) => template, from: completeTemplate } })
  template: EventTemplate;

  /** The number of occurrences created so far, including deleted ones. It is also the index of the next occurrence. */
  @Column('integer')
  generated: number;

  /** Start of the next occurrence to be created; null if there is none. */
  @Instant({ name: 'next_start', nullable: true })
  nextStart: Date | null;

  @Instant({ name: 'cancelled_at', nullable: true })
  cancelledAt: Date | null;

  /** Version of the fields that the organizer can edit; assigned by the trigger `series_version` (sql/triggers.sql). */
  @Ref({ insert: false, update: false })
  version: number;

  @Instant({ name: 'created_at' })
  createdAt: Date;

  @Instant({ name: 'updated_at' })
  updatedAt: Date;

  /** Whether more occurrences will be created. */
  get isActive(): boolean {
    return this.nextStart !== null;
  }

  get isCancelled(): boolean {
    return this.cancelledAt !== null;
  }

  /**
   * Returns the occurrences to be created now, and counts them as created: at most `limit` occurrences that start at or
   * before `horizon`. The first occurrence of the series is included even if it starts later. The series becomes
   * inactive as soon as its last occurrence is created (SER-8), or if its next occurrence would end after the last
   * allowed year.
   */
  generate(horizon: Date, limit = Infinity): Occurrence[] {
    const occurrences: Occurrence[] = [];
    while (
      this.nextStart !== null &&
      occurrences.length < limit &&
      (this.generated === 0 || this.nextStart <= horizon)
    ) {
      const endsAt = occurrenceEnd(this.nextStart, this.durationMinutes);
      const isRepresentable = isWithinYears(overAt(this.nextStart, endsAt));
      if (isRepresentable) occurrences.push({ index: this.generated++, startsAt: this.nextStart, endsAt });
      this.nextStart = isRepresentable ? occurrenceStart(this, this.generated) : null;
    }
    return occurrences;
  }

  /** Marks the series as cancelled. No more occurrences will be created. */
  cancel(now: Date): void {
    this.cancelledAt = now;
    this.nextStart = null;
    this.updatedAt = now;
  }
}

/** Returns a new series without occurrences. The series is not stored yet. */
export function newSeries(
  fields: Pick<
    Series,
    | 'organizerId'
    | 'startsAt'
    | 'frequency'
    | 'interval'
    | 'until'
    | 'occurrencesLimit'
    | 'durationMinutes'
    | 'template'
  >,
  now: Date,
): Series {
  return Object.assign(new Series(), fields, {
    generated: 0,
    nextStart: fields.startsAt,
    cancelledAt: null,
    createdAt: now,
    updatedAt: now,
  });
}
