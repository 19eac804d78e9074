import { ApiProperty } from '@nestjs/swagger';
import type { Scope } from '#contract/scopes';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { apiPathOf } from './notice-places';
import { NOTICE_KINDS, type NoticeKind } from './notice.texts';
import { noticeWords, type NoticeRecipient } from './notice-words';
import { NOTICE_SUBJECTS, type NoticeRow, type NoticeSubject } from './notice.query';

export { noticeWords, type NoticeRecipient } from './notice-words';

/** The thing that a notice is about. */
export class NoticeSubjectResource {
  /** what kind of thing the notice is about */
  @ApiProperty({ enum: NOTICE_SUBJECTS })
  type: NoticeSubject;

  /** id of the thing, as in the API's paths */
  id: string;

  /**
   * The address at which the reader finds the thing in the API. The address stays the same if the thing is deleted or
   * the reader can no longer see it.
   */
  @ApiProperty({ type: 'string', format: 'uri' })
  url: string;
}

/** A notice (NOTE-1). */
export class NoticeResource {
  /** hashid */
  id: string;

  /** what happened */
  @ApiProperty({ enum: NOTICE_KINDS })
  kind: NoticeKind;

  /** One or more sentences in the language of the response, with times in the reader's time zone. */
  text: string;

  /** the thing that the notice is about */
  subject: NoticeSubjectResource;

  /** when the notice was marked as read; null if it is unread */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  read_at: string | null;

  /** when the notice was created */
  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}

/** The number of unread notices. */
export class UnreadNoticesResource {
  /** how many notices are still unread */
  @ApiProperty({ type: 'integer', minimum: 0 })
  unread: number;
}

export function noticeResource(
  row: NoticeRow,
  recipient: NoticeRecipient,
  scopes: readonly Scope[],
  wire: WireFormat,
): NoticeResource {
  return {
    id: wire.id('notice', row.id),
    kind: row.kind,
    text: noticeWords(row, recipient).text,
    subject: {
      type: row.subject_type,
      id: wire.id(row.subject_type, row.subject_id),
      url: wire.page(`/api/v1${apiPathOf(row, scopes, wire)}`),
    },
    read_at: toWire(row.read_at),
    created_at: toWire(row.created_at),
  };
}
