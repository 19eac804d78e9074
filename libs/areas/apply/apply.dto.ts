import { LIMITS } from '#contract/limits';
import { EVENT_STATUSES, PARTICIPATION_STATES, type EventStatus, type ParticipationState } from '#contract/vocabulary';
import {
  BooleanField,
  DateTimeField,
  EnumField,
  IntegerField,
  LatitudeField,
  LongitudeField,
  TextField,
  TitleField,
  UrlField,
} from '#platform/http/fields';
import { CreateEventDto } from '../events/event.dto';

const { credits, grant, source } = LIMITS.apply;

export class PriceDto {
  @IntegerField({ ...credits, required: true })
  ticket_price_credits: number;
}

/** A balance of credits. */
export class CreditsDto {
  @IntegerField(credits)
  credits?: number;
}

/** Credits that an operator grants. */
export class GrantDto {
  @IntegerField({ ...grant, required: true })
  amount: number;
}

export class BoostDto {
  @DateTimeField({ nullable: true })
  boosted_until?: Date | null;
}

export class SourceDto {
  @TitleField({ ...source.name, required: true })
  name: string;

  @UrlField(source.url)
  url?: string | null;
}

/**
 * An event in an `apply` document: the fields of `POST /events`, the status, and the fields that only operators may
 * write. The start may be in the past.
 */
export class AppliedEventDto extends CreateEventDto {
  /** Declared again, because class-validator would otherwise apply the decorators of all parent classes to `title`. */
  @TitleField({ ...LIMITS.events.title, required: true })
  declare title: string;

  @EnumField(EVENT_STATUSES, { nullable: false })
  status?: EventStatus;

  @IntegerField(credits)
  ticket_price_credits?: number;

  @DateTimeField({ nullable: true })
  boosted_until?: Date | null;
}

export class AppliedParticipantDto {
  @TextField({ required: true })
  user: string;

  @EnumField(PARTICIPATION_STATES)
  status?: ParticipationState;

  @IntegerField(credits)
  paid_credits?: number;

  @DateTimeField({ nullable: true })
  checked_in_at?: Date | null;
}

/** A Puls post that an operator writes. The post has a text and a place, but no picture or video. */
export class AppliedPulsDto {
  @TextField({ required: true })
  author: string;

  @TextField({ ...LIMITS.puls.body, required: true })
  body: string;

  @LatitudeField({ required: true })
  latitude: number;

  @LongitudeField({ required: true })
  longitude: number;

  @TextField(LIMITS.puls.location_name)
  location_name?: string | null;

  @DateTimeField({ nullable: true, description: 'default: now; the post expires a day after this time' })
  created_at?: Date | null;

  @BooleanField()
  paid?: boolean;
}
