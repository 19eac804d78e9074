import { LIMITS } from '#contract/limits';
import {
  EVENT_PRICES,
  DISCOVER_SOURCES,
  EVENT_TYPES,
  type EventPrice,
  type DiscoverSource,
  type EventType,
} from '#contract/vocabulary';
import {
  BooleanField,
  DayField,
  EnumField,
  IntegerField,
  LatitudeField,
  LongitudeField,
  NumberField,
  TextField,
} from '#platform/http/fields';
import { PageQueryDto } from '#platform/http/page';
import { hasCentre } from '#platform/places/has-centre';

const { q, min_participants, radius_km } = LIMITS.discover;

/** Query of GET /discover/events. */
export class DiscoverQueryDto extends PageQueryDto {
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
}

/** Query of the page that lists events: Discover's query, and the price. */
export class ExploreQueryDto extends DiscoverQueryDto {
  @EnumField(EVENT_PRICES, { description: 'free: no price, or one of 0' })
  price?: EventPrice;
}
