import { LIMITS } from '#contract/limits';
import {
  EVENT_RELATIONS,
  EVENT_SCOPES,
  EVENT_STATUSES,
  EVENT_TYPES,
  GENDER_RESTRICTIONS,
  JOIN_MODES,
  WAITLIST_MODES,
  type EventRelation,
  type EventScope,
  type EventStatus,
  type EventType,
  type GenderRestriction,
  type JoinMode,
  type WaitlistMode,
} from '#contract/vocabulary';
import { trimmed } from '#platform/http/conversions';
import {
  BooleanField,
  DateTimeField,
  EnumField,
  HashidField,
  IntegerField,
  LatitudeField,
  LongitudeField,
  NumberField,
  TextField,
  TitleField,
  UrlField,
} from '#platform/http/fields';
import { PageQueryDto } from '#platform/http/page';

const { events } = LIMITS;

/**
 * Whether the join password of the body is used: only if the event has join mode `password` after the change (EVT-9).
 */
function isJoinedByPassword(sent: { readonly join_mode?: unknown }, stored: { readonly join_mode?: unknown }): boolean {
  return trimmed(sent.join_mode ?? stored.join_mode) === 'password';
}

/** Fields that an event and the template of a series share (EVT-1, SER-1). */
export class EventTemplateDto {
  @TitleField({ ...events.title, nullable: false, description: 'plain text with visible characters' })
  title?: string;

  @TextField({ ...events.description, description: 'HTML; only the allowed tags are kept' })
  description?: string | null;

  @EnumField(EVENT_TYPES, { nullable: false, description: '`other` when absent on creation' })
  type?: EventType;

  @TextField({ ...events.location_name, description: 'name of the place' })
  location_name?: string | null;

  @TextField({ ...events.location_address, description: 'postal address of the place' })
  location_address?: string | null;

  @LatitudeField({ description: 'degrees north; together with longitude, or both null' })
  latitude?: number | null;

  @LongitudeField({ description: 'degrees east; together with latitude, or both null' })
  longitude?: number | null;

  @BooleanField({
    nullable: false,
    description: 'whether everybody sees the event; if absent on creation: false with `group`, otherwise true',
  })
  is_public?: boolean;

  @EnumField(JOIN_MODES, {
    nullable: false,
    description:
      '`open` when absent on creation. `request` is refused on an event with a price in credits (`ticket_price_credits`), and while the waitlist is not empty',
  })
  join_mode?: JoinMode;

  @TextField({
    ...events.join_password,
    isUsedIf: isJoinedByPassword,
    description: 'required with join_mode=password, ignored with any other join_mode',
  })
  join_password?: string | null;

  @IntegerField({
    ...events.max_participants,
    nullable: true,
    description:
      "seats, including the organizer's; not below the number of seats that participants and open offers occupy; null: no limit",
  })
  max_participants?: number | null;

  @IntegerField({ ...events.age, nullable: true, description: 'lowest permitted age; not above age_max' })
  age_min?: number | null;

  @IntegerField({ ...events.age, nullable: true, description: 'highest permitted age; not below age_min' })
  age_max?: number | null;

  @EnumField(GENDER_RESTRICTIONS, { nullable: true, description: 'the only permitted gender; null: everybody' })
  gender_restriction?: GenderRestriction | null;

  @NumberField({ ...events.price_czk, nullable: true, description: 'price in Czech crowns, with at most two decimals' })
  price_czk?: number | null;

  @TextField({ ...events.price_note, description: 'a remark on the price' })
  price_note?: string | null;

  @UrlField({ ...events.ticket_url, description: 'where tickets are sold outside this service' })
  ticket_url?: string | null;

  @BooleanField({
    nullable: false,
    description:
      'whether the organizer and confirmed participants may add photos to the gallery; false when absent on creation',
  })
  photos_enabled?: boolean;

  @EnumField(WAITLIST_MODES, {
    nullable: true,
    description:
      'how a free seat is given to the waitlist. `manual`: the organizer promotes a person; `auto`: the first person who can join gets the seat; `offer`: this person gets an offer; null: `manual`. Has an effect only with `join_mode` `open` or `password`, with `max_participants` and without a price in credits',
  })
  waitlist_mode?: WaitlistMode | null;

  @IntegerField({
    ...events.offer_hours,
    nullable: true,
    description: 'for how many hours an offer holds a seat, at most until the start; null: 24',
  })
  offer_hours?: number | null;
}

/** The fields of a template, and two fields that an event has in addition. */
class EventFieldsDto extends EventTemplateDto {
  @DateTimeField({ nullable: true, description: 'after starts_at' })
  ends_at?: Date | null;

  @BooleanField({
    nullable: false,
    description:
      'marks the event as looking for company; only for a public event with join_mode open or request, max_participants from 2 to 10 and no price in credits',
  })
  seeking_company?: boolean;
}

/** Body of POST /events. */
export class CreateEventDto extends EventFieldsDto {
  @TitleField({ ...events.title, required: true })
  declare title: string;

  @DateTimeField({ required: true, description: 'not in the past' })
  starts_at: Date;

  @HashidField({ nullable: true, description: 'a group the caller belongs to' })
  group?: string | null;
}

/** Body of PATCH /events/{id}. */
export class UpdateEventDto extends EventFieldsDto {
  @DateTimeField({ nullable: false, description: 'before `ends_at`; a start in the past is accepted' })
  starts_at?: Date;

  @EnumField(EVENT_STATUSES, {
    nullable: false,
    description: '`cancelled`: refunds and notices follow; a cancelled event cannot become active again',
  })
  status?: EventStatus;
}

/** Query of GET /events. */
export class EventsQueryDto extends PageQueryDto {
  @EnumField(EVENT_RELATIONS, { description: "the caller's relation to the events; `organizing` when absent" })
  relation?: EventRelation;

  @EnumField(EVENT_SCOPES, {
    description: '`upcoming`: active and not over, soonest first; `past`: all other events, newest first',
  })
  scope?: EventScope;
}
