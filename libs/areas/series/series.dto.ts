import { LIMITS } from '#contract/limits';
import {
  FREQUENCIES,
  OCCURRENCE_SCOPES,
  type Frequency,
  type OccurrenceScope,
  type RecurrenceField,
} from '#contract/vocabulary';
import { DateTimeField, DayField, EnumField, FixedField, IntegerField, TitleField } from '#platform/http/fields';
import { PageQueryDto } from '#platform/http/page';
import type { CalendarDay } from '#platform/time/prague';
import { EventTemplateDto } from '../events/event.dto';

const { events, series } = LIMITS;

/** Body of POST /series. */
export class CreateSeriesDto extends EventTemplateDto {
  @TitleField({ ...events.title, required: true, description: 'plain text with visible characters' })
  declare title: string;

  @DateTimeField({ required: true, description: 'start of the first occurrence; not in the past' })
  starts_at: Date;

  @EnumField(FREQUENCIES, { required: true, description: 'the unit in which `interval` counts' })
  frequency: Frequency;

  @IntegerField({ ...series.interval, description: 'the number of days, weeks or months between occurrences' })
  interval?: number;

  @DayField({
    nullable: true,
    description:
      'the last day on which an occurrence can start; must be later than the day of the first occurrence; not together with occurrences_limit',
  })
  until?: CalendarDay | null;

  @IntegerField({
    ...series.occurrences_limit,
    nullable: true,
    description: 'maximum number of occurrences; not together with until',
  })
  occurrences_limit?: number | null;

  @IntegerField({
    ...series.duration_minutes,
    nullable: true,
    description: 'minutes from starts_at to ends_at of every occurrence',
  })
  duration_minutes?: number | null;
}

/** Body of PATCH /series/{id}: the template; the recurrence rule cannot be changed. */
export class UpdateSeriesDto extends EventTemplateDto implements Partial<Record<RecurrenceField, undefined>> {
  @FixedField()
  starts_at?: undefined;

  @FixedField()
  frequency?: undefined;

  @FixedField()
  interval?: undefined;

  @FixedField()
  until?: undefined;

  @FixedField()
  occurrences_limit?: undefined;

  @FixedField()
  duration_minutes?: undefined;
}

/** Query of GET /series/{id}/events. */
export class OccurrencesQueryDto extends PageQueryDto {
  @EnumField(OCCURRENCE_SCOPES, { description: '`upcoming`: active occurrences that have not started' })
  scope?: OccurrenceScope;
}
