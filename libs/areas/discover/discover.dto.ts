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

/** Query of the web page that lists public events: the parameters of Discover, without `cursor` (PAGE-26). */
export class ExploreQueryDto extends PageQueryDto {
  @TextField({
    max: q.max,
    description:
      'each word must be the beginning of a word of the event, without regard to diacritics; if a word of `q` has fewer than 3 characters, the whole `q`, with its punctuation, must occur in the title, the description or the place',
  })
  q?: string | null;

  @EnumField(EVENT_TYPES, { description: 'only events of this kind' })
  type?: EventType;

  @EnumField(DISCOVER_SOURCES, { description: 'community: created by users; editorial: imported' })
  source?: DiscoverSource;

  @DayField({ description: 'only events that start on this day or later, Europe/Prague' })
  date_from?: string;

  @DayField({ description: 'only events that start on this day or earlier, Europe/Prague' })
  date_to?: string;

  @IntegerField({
    ...min_participants,
    description: 'only events with at least this number of participants, including the organizer',
  })
  min_participants?: number;

  @BooleanField({ description: '1: only events whose organizer is looking for company' })
  seeking_company?: boolean;

  @LatitudeField({ nullable: false, description: 'together with lng' })
  lat?: number;

  @LongitudeField({ nullable: false, description: 'together with lat' })
  lng?: number;

  @NumberField({
    min: radius_km.min,
    max: radius_km.max,
    default: radius_km.default,
    isUsedIf: hasCentre,
    description: 'used with lat and lng, otherwise ignored',
  })
  radius_km?: number;

  @EnumField(EVENT_PRICES, {
    description: 'free: `price_czk` is null or 0, and `ticket_price_credits` is 0; paid: all other events',
  })
  price?: EventPrice;

  @TextField({
    max: ids.characters,
    nullable: false,
    description: 'only these events: 1 to 100 ids, separated by commas; unknown ids are ignored',
  })
  ids?: string;

  @SlugField({ description: 'only events of this person; an unknown slug returns an empty page' })
  organizer?: string;

  @HashidField({ description: 'only events of this group; an unknown group returns an empty page' })
  group?: string;

  @HashidField({ description: 'only occurrences of this series; an unknown series returns an empty page' })
  series?: string;

  @TextField({
    max: bbox.characters,
    nullable: false,
    description:
      'only events within these degrees: `west,south,east,north`, including the edges; the box crosses the date line if `west` is greater than `east`; not together with `lat`',
  })
  bbox?: string;

  @DateTimeField({ description: 'only events that start at this time or later' })
  starts_after?: Date;

  @DateTimeField({ description: 'only events that start before this time; must be after `starts_after`' })
  starts_before?: Date;

  @EnumField(DISCOVER_SORTS, {
    default: 'default',
    description:
      '`default`: boosted events first, then by start; `starts_at`: by start; `distance`: nearest first, with `lat` and `lng`; `created_at`: newest first',
  })
  sort?: DiscoverSort;
}

/** Query of GET /discover/events. */
export class DiscoverQueryDto extends ExploreQueryDto {
  @TextField({
    max: cursor.max,
    nullable: false,
    description: '`meta.next_cursor` of the previous page, with the same `sort`; not together with `page`',
  })
  cursor?: string;
}
