import { LIMITS } from '#contract/limits';
import { REPORT_REASONS, type ReportReason } from '#contract/vocabulary';
import { BooleanField, EnumField, IntegerField, TextField, TitleField } from '#platform/http/fields';
import { DECISIONS, type Decision } from '#areas/moderation/decisions.service';

const { moderation, accounts } = LIMITS;

/** The moderators' form for a decision about a reported object. */
export class DecideDto {
  @EnumField(DECISIONS, { required: true })
  decision: Decision;

  /** Duration of a ban in days; empty for a permanent ban. Ignored for other decisions. */
  @IntegerField({ ...moderation.days, nullable: true })
  days?: number | null;

  @TitleField({ ...moderation.reason, required: true })
  reason: string;
}

/** The moderators' form for the answer to an objection. */
export class AnswerDto {
  @EnumField(['grant', 'dismiss'], { required: true })
  answer: 'grant' | 'dismiss';

  @TitleField({ ...moderation.reason, required: true })
  reason: string;
}

/** The form for an objection to a decision. The author of the reported object sends it. */
export class ObjectionDto {
  @TitleField({ min: 1, ...moderation.note, required: true })
  objection: string;
}

/** The report form of people with an account. */
export class ReportFormDto {
  @EnumField(REPORT_REASONS, { required: true })
  reason: ReportReason;

  @TextField({ ...moderation.note, nullable: true })
  note?: string | null;
}

/**
 * The report form of people without an account. It also requires a name, an email address, a note and a confirmation of
 * good faith.
 */
export class AnonymousReportDto {
  @TitleField({ ...accounts.name, required: true })
  name: string;

  @TextField({ ...accounts.email, required: true })
  email: string;

  @EnumField(REPORT_REASONS, { required: true })
  reason: ReportReason;

  @TitleField({ min: 1, ...moderation.note, required: true })
  note: string;

  @BooleanField({ required: true })
  good_faith: boolean;
}
