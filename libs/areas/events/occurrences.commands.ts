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
import { keepOffersWithinSeats, settleSeats } from './writing/settle-seats';
import { hasMoved, timeAndPlaceOf } from './writing/time-and-place';
import { eventsWithWaitlistEntries } from './writing/waitlist.query';
import { CHANGE_OCCURRENCES, CREATE_OCCURRENCES, LOCK_UPCOMING_OCCURRENCES } from './occurrences/occurrences.query';

/** An occurrence to be created. */
export interface Occurrence {
  /** The position of the occurrence in the series, counted from 0. */
  readonly index: number;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

/** Occurrences of one series to be created, and their template. */
export interface NewOccurrences {
  readonly seriesId: number;
  readonly organizerId: number;
  readonly template: EventTemplate;
  readonly occurrences: readonly Occurrence[];
}

/**
 * Writes the occurrences of series, inside the transaction of the calling code. For existing series, the calling code
 * has locked the series. Upcoming occurrences are active and have not started (SER-14).
 */
@Injectable()
export class OccurrencesCommands {
  constructor(
    private readonly events: EventsCommands,
    private readonly signals: Signals,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies the changes to the template `before`, or to the default values if `before` is null, and returns the result.
   * Throws 422 if an event with the returned values would break a rule.
   */
  template(organizerId: number, changes: EventTemplateDto, before: EventTemplate | null = null): EventTemplate {
    const event = blankEvent(organizerId, this.clock.now());
    if (before) applyTemplate(event, before);
    changeEvent(event, changes, this.sealer);
    return templateOf(event);
  }

  /**
   * Creates occurrences of any number of series in one statement. An occurrence whose index already exists is skipped.
   * Returns the number of created occurrences.
   */
  async create(tx: Transaction, series: readonly NewOccurrences[]): Promise<number> {
    const templates = series.map(({ seriesId, organizerId, template }) => ({
      series_id: seriesId,
      organizer_id: organizerId,
      ...template,
    }));
    const all = series.flatMap(({ seriesId, occurrences }) =>
      occurrences.map((occurrence) => ({ seriesId, ...occurrence })),
    );
    const created = await tx.rows(CREATE_OCCURRENCES, [
      JSON.stringify(templates),
      all.map(({ seriesId }) => seriesId),
      all.map(({ index }) => index),
      all.map(({ startsAt }) => startsAt),
      all.map(({ endsAt }) => endsAt),
      this.clock.now(),
      EVENT_DEFAULTS.seeking_company,
    ]);
    return created.length;
  }

  /**
   * Writes the changes into every upcoming occurrence. Absent fields are not changed. If one occurrence would violate a
   * rule, throws 422 and changes no occurrence. Occurrences whose values stay the same are not written. Returns the
   * number of all upcoming occurrences, including those that were not written.
   */
  async changeUpcoming(tx: Transaction, seriesId: number, changes: EventTemplateDto): Promise<number> {
    const now = this.clock.now();
    const upcoming = await lockEvents(tx, { seriesId, status: 'active', startsAt: MoreThan(now) });
    await settleSeats(tx, this.signals, upcoming);
    const withWaitlist = await eventsWithWaitlistEntries(
      tx,
      upcoming.map(({ id }) => id),
      changes,
    );
    const moved: { eventId: number; before: TimeAndPlace }[] = [];
    const changed = upcoming.filter((event) => {
      const before = templateOf(event);
      const formerTimeAndPlace = timeAndPlaceOf(event);
      changeEvent(event, changes, this.sealer, { hasWaitlist: withWaitlist.has(event.id) });
      if (hasMoved(event, formerTimeAndPlace)) moved.push({ eventId: event.id, before: formerTimeAndPlace });
      return !isDeepStrictEqual(templateOf(event), before);
    });
    for (const event of changed) await keepOffersWithinSeats(tx, this.signals, event);
    await tx.rows(CHANGE_OCCURRENCES, [
      JSON.stringify(changed.map((event) => ({ id: event.id, ...templateOf(event) }))),
      now,
    ]);
    await settleSeats(tx, this.signals, upcoming);
    if (moved.length > 0) await this.signals.raise(tx, new OccurrencesMoved(moved));
    return upcoming.length;
  }

  /** Cancels all upcoming occurrences. Returns the number of cancelled occurrences. */
  async cancelUpcoming(tx: Transaction, seriesId: number): Promise<number> {
    const upcoming = await tx.rows<{ id: string }>(LOCK_UPCOMING_OCCURRENCES, [seriesId, this.clock.now()]);
    return this.events.cancel(
      tx,
      upcoming.map(({ id }) => Number(id)),
      'series',
    );
  }
}
