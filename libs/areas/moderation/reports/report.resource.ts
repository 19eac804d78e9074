import { ApiProperty } from '@nestjs/swagger';
import {
  REPORT_OUTCOMES,
  REPORT_REASONS,
  REPORT_SUBJECTS,
  type ReportOutcome,
  type ReportReason,
  type ReportSubject,
} from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';

/** A report and its outcome (MOD-30). */
export class ReportResource {
  /** hashid */
  id: string;

  /** what kind of thing was reported */
  @ApiProperty({ enum: REPORT_SUBJECTS })
  subject_type: ReportSubject;

  /**
   * the id or slug as sent in the report; `deleted` if the account of the reported person, or of the author of the
   * reported post, was deleted
   */
  subject_id: string;

  /** why it was reported */
  @ApiProperty({ enum: REPORT_REASONS })
  reason: ReportReason;

  /** the text for the moderators; null if there is none */
  note: string | null;

  /** null until the report is decided */
  @ApiProperty({ enum: REPORT_OUTCOMES, nullable: true, type: 'string' })
  outcome: ReportOutcome | null;

  /** when the report was sent */
  created_at: string;
}

export interface ReportRow {
  readonly id: string;
  readonly subject_type: ReportSubject;
  /**
   * The id or slug as sent in the report; `deleted` if the account of the reported person, or of the author of the
   * reported post, was deleted.
   */
  readonly subject_sent: string;
  readonly reason: ReportReason;
  readonly note: string | null;
  readonly outcome: ReportOutcome | null;
  readonly created_at: Date;
}

/** A report that the caller has sent. */
export interface OwnReportRow extends ReportRow {
  /**
   * The slug of a reported post or person. Null for other objects, and after the deletion of the account (of the post's
   * author, or of the person).
   */
  readonly slug: string | null;
  /** The reported object, as it was at the time of the report; empty after the deletion of its owner's account. */
  readonly snapshot: Readonly<Record<string, unknown>>;
}

export function reportResource(
  { id, subject_type, subject_sent, reason, note, outcome, created_at }: ReportRow,
  wire: WireFormat,
): ReportResource {
  return {
    id: wire.id('report', id),
    subject_type,
    subject_id: subject_sent,
    reason,
    note,
    outcome,
    created_at: toWire(created_at),
  };
}
