import { LIMITS } from '#contract/limits';
import {
  EVENT_PRICES,
  DISCOVER_SORTS,
  DISCOVER_SOURCES,
  EVENT_TYPES,
  type EventPrice,
  type DiscoverSort,
  type DiscoverSource,
  type EventType,
} from '#contract/vocabulary';
import {
  BooleanField,
  DateTimeField,
  DayField,
  EnumField,
  HashidField,
  IntegerField,
  LatitudeField,
  LongitudeField,
  NumberField,
  SlugField,
  TextField,
} from '#platform/http/fields';
import { PageQueryDto } from '#platform/http/page';
import { hasCentre } from '#platform/places/has-centre';

const { q, min_participants, radius_km, ids, bbox, cursor } = LIMITS.discover;

/** Query of the page that lists events. */
export class ExploreQueryDto extends PageQueryDto {
  @TextField({
    max: q.max,
    description:
      'every word must match by word prefix, without diacritics; with a word under 3 characters: as a substring',
  })
  q?: string | null;

  @EnumField(EVENT_TYPES, { description: 'only events of this kind' })
  type?: EventType;

  @EnumField(DISCOVER_SOURCES, { description: 'community: made by users; editorial: imported' })
  source?: DiscoverSource;

  @DayField({ description: 'first day of the start, Europe/Prague' })
  date_from?: string;

  @DayField({ description: 'last day of the start, Europe/Prague' })
  date_to?: string;

  @IntegerField({
    ...min_participants,
    description: 'only events with at least so many participants, including the organizer',
  })
  min_participants?: number;

  @BooleanField({ description: '1: only events whose organizer seeks company' })
  seeking_company?: boolean;

  @LatitudeField({ nullable: false, description: 'together with lng' })
  lat?: number;

  @LongitudeField({ nullable: false, description: 'together with lat' })
  lng?: number;

  @NumberField({
    min: radius_km.min,
    max: radius_km.max,
    default: radius_km.default,
    counts: hasCentre,
    description: 'used with lat and lng, ignored without',
  })
  radius_km?: number;

  @EnumField(EVENT_PRICES, {
    description: 'free: no `price_czk` or 0, and no `ticket_price_credits`; paid: all others',
  })
  price?: EventPrice;
}

/** Query of GET /discover/events. */
export class DiscoverQueryDto extends ExploreQueryDto {
  @TextField({
    max: ids.characters,
    nullable: false,
    description: 'only these events: 1 to 100 ids, separated by commas; unknown ids are ignored',
  })
  ids?: string;

  @SlugField({ description: 'only events of this person; an unknown slug gives an empty page' })
  organizer?: string;

  @HashidField({ description: 'only events of this group; an unknown group gives an empty page' })
  group?: string;

  @HashidField({ description: 'only occurrences of this series; an unknown series gives an empty page' })
  series?: string;

  @TextField({
    max: bbox.characters,
    nullable: false,
    description:
      'only events within these degrees: `west,south,east,north`, edges included; with `west` above `east` across the date line; not together with `lat`',
  })
  bbox?: string;

  @DateTimeField({ description: 'only events that start at this time or later' })
  starts_after?: Date;

  @DateTimeField({ description: 'only events that start before this time, which is after `starts_after`' })
  starts_before?: Date;

  @EnumField(DISCOVER_SORTS, {
    default: 'default',
    description:
      '`default`: boosted events first, then by start; `starts_at`: by start; `distance`: nearest first, with `lat` and `lng`; `created_at`: newest first',
  })
  sort?: DiscoverSort;

  @TextField({
    max: cursor.max,
    nullable: false,
    description: '`meta.next_cursor` of the previous page, in the same order; not together with `page`',
  })
  cursor?: string;
}
