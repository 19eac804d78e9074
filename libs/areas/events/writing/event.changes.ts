import { EVENT_DEFAULTS, RICH_TEXT_TAGS } from '#contract/vocabulary';
import type { Sealer } from '#platform/config/sealer';
import { cleanHtml } from '#platform/text/html';
import { Event } from '../event.entity';
import { TEMPLATE_PROPERTIES, WRITTEN_PROPERTIES } from '../event.fields';
import type { EventTemplateDto } from '../event.dto';
import { eventViolations } from './event.rules';

/** New values for the fields of an event; an absent field is not changed. `group` and `status` are not among them. */
export interface EventChanges extends EventTemplateDto {
  starts_at?: Date;
  ends_at?: Date | null;
  seeking_company?: boolean;
}

const WAITLIST_DEFAULTS = {
  waitlistMode: EVENT_DEFAULTS.waitlist_mode,
  offerHours: EVENT_DEFAULTS.offer_hours,
} as const;

/** A new event with the default of each field (EVT-13). Fields without a default are null or absent. */
export function blankEvent(organizerId: number, now: Date): Event {
  const empty = Object.fromEntries(
    [...Object.values(TEMPLATE_PROPERTIES), 'endsAt'].map((property) => [property, null]),
  );
  return Object.assign(new Event(), empty, {
    organizerId,
    groupId: null,
    seriesId: null,
    seriesIndex: null,
    status: EVENT_DEFAULTS.status,
    type: EVENT_DEFAULTS.type,
    joinMode: EVENT_DEFAULTS.join_mode,
    isPublic: EVENT_DEFAULTS.is_public,
    seekingCompany: EVENT_DEFAULTS.seeking_company,
    photosEnabled: EVENT_DEFAULTS.photos_enabled,
    ...WAITLIST_DEFAULTS,
    confirmedCount: 0,
    offersCount: 0,
    ticketPriceCredits: 0,
    sourceName: null,
    sourceUrl: null,
    boostedUntil: null,
    images: [],
    createdAt: now,
    updatedAt: now,
  } satisfies Partial<Event>);
}

/**
 * Writes the changes into the event. Throws 422 if the resulting event would break a rule. For an event with offers, the
 * calling code then calls `keepOffersWithinSeats` before it stores the event. `hasWaitlist`: whether the event's waitlist
 * has entries (`eventsWithWaitlistEntries`). This value is needed only if the changes contain join_mode=request.
 * `earliestStart`: for a new event, the earliest allowed start; null if the start may be in the past.
 */
export function changeEvent(
  event: Event,
  changes: EventChanges,
  sealer: Sealer,
  { hasWaitlist = false, earliestStart = null }: { hasWaitlist?: boolean; earliestStart?: Date | null } = {},
): void {
  const conflictsWithWaitlist = hasWaitlist && changes.join_mode === 'request' && event.joinMode !== 'request';
  for (const [field, property] of Object.entries(WRITTEN_PROPERTIES)) {
    const value = changes[field as keyof typeof WRITTEN_PROPERTIES];
    if (value !== undefined) Object.assign(event, { [property]: value ?? defaultOf(property) });
  }
  if (changes.description !== undefined)
    event.description = changes.description && (cleanHtml(changes.description, RICH_TEXT_TAGS) || null);
  event.joinPasswordSealed = sealedPasswordAfter(event, changes, sealer);
  const hasNewTimes = changes.starts_at !== undefined || changes.ends_at !== undefined;
  const after = { ...event, conflictsWithWaitlist, hasNewTimes, earliestStart };
  // Only offers that remain after the change count. If no rule is broken without offers, `keepOffersWithinSeats` finds
  // out which offers remain.
  if (eventViolations({ ...after, offersCount: 0 }).exist) eventViolations(after).throwIfAny();
}

/** The value that is stored if the client sends null. */
function defaultOf(property: keyof Event): unknown {
  return property in WAITLIST_DEFAULTS ? WAITLIST_DEFAULTS[property as keyof typeof WAITLIST_DEFAULTS] : null;
}

/**
 * The encrypted join password after the changes. If the changed event does not have the join mode `password`, the
 * stored password is cleared and a sent password is ignored.
 */
function sealedPasswordAfter(event: Event, changes: EventChanges, sealer: Sealer): string | null {
  if (event.joinMode !== 'password') return null;
  if (changes.join_password === undefined) return event.joinPasswordSealed;
  if (changes.join_password === null) return null;
  const sealed = event.joinPasswordSealed;
  // Encrypting the same password again would give another text, which would count as a change of the event.
  return sealed !== null && sealer.fits(sealed, changes.join_password) ? sealed : sealer.seal(changes.join_password);
}
