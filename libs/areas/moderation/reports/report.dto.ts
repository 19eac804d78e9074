import { LIMITS } from '#contract/limits';
import { REPORT_REASONS, REPORT_SUBJECTS, type ReportReason, type ReportSubject } from '#contract/vocabulary';
import { EnumField, TextField } from '#platform/http/fields';

/** The body of `POST /reports` (MOD-30). */
export class CreateReportDto {
  @EnumField(REPORT_SUBJECTS, { required: true, description: 'what kind of thing is reported' })
  subject_type: ReportSubject;

  @TextField({
    min: 1,
    required: true,
    description: 'the id of the thing, as in responses; for a post or a user, the slug or the id',
  })
  subject_id: string;

  @EnumField(REPORT_REASONS, { required: true, description: 'why it is reported' })
  reason: ReportReason;

  @TextField({ ...LIMITS.moderation.note, nullable: true, description: 'what the moderators should know' })
  note?: string | null;
}
