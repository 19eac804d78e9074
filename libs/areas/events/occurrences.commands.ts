import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { EVENT_DEFAULTS } from '#contract/vocabulary';
import { Sealer } from '#platform/config/sealer';
import type { Transaction } from '#platform/database/database';
import { Signals } from '#platform/signals/signals';
import { Clock } from '#platform/time/clock';
import { blankEvent, changeEvent } from './writing/event.changes';
import type { EventTemplateDto } from './event.dto';
import { lockEvents } from './event-locks';
import { applyTemplate, templateOf } from './writing/event.template';
import type { EventTemplate } from './event-template.resource';
import { OccurrencesMoved, type TimeAndPlace } from './event.signal';
import { EventsCommands } from './events.commands';
import { hasMoved, timeAndPlaceOf } from './writing/time-and-place';
import { eventsWithWaitlist } from './writing/waitlist.query';
import { CHANGE_OCCURRENCES, CREATE_OCCURRENCES, LOCK_UPCOMING_OCCURRENCES } from './occurrences/occurrences.query';

/** One event of a series that is to be made. */
export interface Occurrence {
  /** Its position in the series, from 0. */
  readonly index: number;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

/** A series' occurrences that are to be made, and what they are like. */
export interface NewOccurrences {
  readonly seriesId: number;
  readonly organizerId: number;
  readonly template: EventTemplate;
  readonly occurrences: readonly Occurrence[];
}

/**
 * What may be done to the events of a series as a whole, inside a transaction of the one who asks, who has locked the
 * series. Upcoming ones are active and have not started (SER-14).
 */
@Injectable()
export class OccurrencesCommands {
  constructor(
    private readonly events: EventsCommands,
    private readonly signals: Signals,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** The template with the changes in it, or a new one. 422 when an event made of it would break a rule. */
  template(organizerId: number, changes: EventTemplateDto, before: EventTemplate | null = null): EventTemplate {
    const event = blankEvent(organizerId, this.clock.now());
    if (before) applyTemplate(event, before);
    changeEvent(event, changes, this.sealer);
    return templateOf(event);
  }

  /** Makes occurrences of any number of series by one statement; one whose index is taken is left out. Returns how many were made. */
  async create(tx: Transaction, series: readonly NewOccurrences[]): Promise<number> {
    const templates = series.map(({ seriesId, organizerId, template }) => ({
      series_id: seriesId,
      organizer_id: organizerId,
      ...template,
    }));
    const all = series.flatMap(({ seriesId, occurrences }) =>
      occurrences.map((occurrence) => ({ seriesId, ...occurrence })),
    );
    const made = await tx.rows(CREATE_OCCURRENCES, [
      JSON.stringify(templates),
      all.map(({ seriesId }) => seriesId),
      all.map(({ index }) => index),
      all.map(({ startsAt }) => startsAt),
      all.map(({ endsAt }) => endsAt),
      this.clock.now(),
      EVENT_DEFAULTS.seeking_company,
    ]);
    return made.length;
  }

  /**
   * Writes the changes into every upcoming occurrence and leaves what is not sent as each of them has it. 422 when one
   * of them would break a rule: then none is changed. One that is as they say already is not written. Returns how many there were.
   */
  async changeUpcoming(tx: Transaction, seriesId: number, changes: EventTemplateDto): Promise<number> {
    const now = this.clock.now();
    const upcoming = await lockEvents(tx, { seriesId, status: 'active', startsAt: MoreThan(now) });
    const waited = await eventsWithWaitlist(
      tx,
      upcoming.map(({ id }) => id),
      changes,
    );
    const moved: { eventId: number; before: TimeAndPlace }[] = [];
    const changed = upcoming.filter((event) => {
      const before = templateOf(event);
      const whenAndWhere = timeAndPlaceOf(event);
      changeEvent(event, changes, this.sealer, waited.has(event.id));
      if (hasMoved(event, whenAndWhere)) moved.push({ eventId: event.id, before: whenAndWhere });
      return !isDeepStrictEqual(templateOf(event), before);
    });
    await tx.rows(CHANGE_OCCURRENCES, [
      JSON.stringify(changed.map((event) => ({ id: event.id, ...templateOf(event) }))),
      now,
    ]);
    if (moved.length > 0) await this.signals.raise(tx, new OccurrencesMoved(moved));
    return upcoming.length;
  }

  /** Cancels every upcoming occurrence as `EventsCommands.cancel` does, all at once. Returns how many there were. */
  async cancelUpcoming(tx: Transaction, seriesId: number): Promise<number> {
    const upcoming = await tx.rows<{ id: string }>(LOCK_UPCOMING_OCCURRENCES, [seriesId, this.clock.now()]);
    return this.events.cancel(
      tx,
      upcoming.map(({ id }) => Number(id)),
      'series',
    );
  }
}
