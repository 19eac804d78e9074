import { LIMITS } from '#contract/limits';
import {
  EVENT_RELATIONS, EVENT_SCOPES, EVENT_STATUSES, EVENT_TYPES, GENDER_RESTRICTIONS, JOIN_MODES,
  type EventRelation, type EventScope, type EventStatus, type EventType, type GenderRestriction, type JoinMode,
} from '#contract/vocabulary';
import {
  BooleanField, DateTimeField, EnumField, HashidField, IntegerField, LatitudeField, LongitudeField, NumberField, TextField, TitleField, UrlField,
} from '#platform/http/fields';
import { PageQueryDto } from '#platform/http/page';

const { events } = LIMITS;

/** Fields that an event and the template of a series share (EVT-1, SER-1). */
export class EventTemplateDto {
  @TitleField({ ...events.title, nullable: false })
  title?: string;

  @TextField({ ...events.description, description: 'HTML; only the allowed tags are kept' })
  description?: string | null;

  @EnumField(EVENT_TYPES, { nullable: false })
  type?: EventType;

  @TextField(events.location_name)
  location_name?: string | null;

  @TextField(events.location_address)
  location_address?: string | null;

  @LatitudeField()
  latitude?: number | null;

  @LongitudeField()
  longitude?: number | null;

  @BooleanField({ nullable: false })
  is_public?: boolean;

  @EnumField(JOIN_MODES, { nullable: false })
  join_mode?: JoinMode;

  @TextField({ ...events.join_password, description: 'required with join_mode=password, ignored with any other' })
  join_password?: string | null;

  @IntegerField({ ...events.max_participants, nullable: true })
  max_participants?: number | null;

  @IntegerField({ ...events.age, nullable: true })
  age_min?: number | null;

  @IntegerField({ ...events.age, nullable: true })
  age_max?: number | null;

  @EnumField(GENDER_RESTRICTIONS, { nullable: true })
  gender_restriction?: GenderRestriction | null;

  @NumberField({ ...events.price_czk, nullable: true })
  price_czk?: number | null;

  @TextField(events.price_note)
  price_note?: string | null;

  @UrlField(events.ticket_url)
  ticket_url?: string | null;

  @BooleanField({ nullable: false })
  photos_enabled?: boolean;
}

/** What an event has beyond the template. */
class EventFieldsDto extends EventTemplateDto {
  @DateTimeField({ nullable: true, description: 'after starts_at' })
  ends_at?: Date | null;

  @BooleanField({ nullable: false, description: 'puts the event in the looking-for-company deck' })
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
  @DateTimeField({ nullable: false })
  starts_at?: Date;

  @EnumField(EVENT_STATUSES, { nullable: false, description: 'cancelled: refunds and notices follow; a cancelled event stays so' })
  status?: EventStatus;
}

/** Query of GET /events. */
export class EventsQueryDto extends PageQueryDto {
  @EnumField(EVENT_RELATIONS)
  relation?: EventRelation;

  @EnumField(EVENT_SCOPES)
  scope?: EventScope;
}
