import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, statement, type Transaction } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { MailDelivery, oldestToMail, type MailSource } from '#platform/mail/mail-delivery';
import type { Mail } from '#platform/mail/mailbox';
import { isBannedSql } from '../identity/account-conditions.sql';
import { MailChoicesCommands } from './mail-choices.commands';
import { NoticeAttachments } from './notice-attachments';
import { noticeMail, type MailableNotice } from './notice-mail';
import { NOTICE_TEXT_COLUMNS } from './notice.query';

/**
 * Finds at most $3 notices that were created after $2 and are not queued yet. Stores $1 as the time at which they were
 * queued, and returns their ids.
 */
const TAKE_FRESH_NOTIFICATIONS = statement(
  'notifications_take_fresh',
  `UPDATE notifications SET queued_at = $1 WHERE id IN (
     SELECT id FROM notifications WHERE queued_at IS NULL AND created_at > $2 ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/**
 * SQL: whether notice `n` is mailed even if its reader is banned (NOTE-22). True for notices about decisions (a banned
 * person may object to them), about the outcomes of the person's reports, and about cancellations and deletions of
 * events (the person still has seats at other people's events).
 */
const IS_MAILED_DURING_BAN =
  "(n.subject_type IN ('decision', 'report') OR n.kind IN ('event_cancelled', 'series_cancelled', 'event_deleted'))";

/**
 * SQL: whether notice `n` repeats a notice that was created in the $3 seconds before `n` (NOTE-23). A person can
 * withdraw an invitation or a request, and repeat it as often as they like.
 */
const IS_REPEATED = `(n.kind IN ('invitation', 'request', 'group_invitation', 'group_request') AND EXISTS (
        SELECT FROM notifications earlier
         WHERE earlier.user_id = n.user_id AND earlier.kind = n.kind AND earlier.person_id = n.person_id
           AND coalesce(earlier.subject_id, earlier.event_id) = coalesce(n.subject_id, n.event_id)
           AND earlier.id < n.id AND earlier.created_at > n.created_at - make_interval(secs => $3)))`;

/**
 * The notice $1 to be mailed at $2. Returns no row in these cases:
 *
 * - The notice was already mailed.
 * - The notice repeats an earlier one (`IS_REPEATED`).
 * - The notice is a reminder of an event that has started.
 * - The notice's reader has no e-mail address or has stopped mails of this kind.
 * - The reader is banned, and the notice is not mailed during a ban (`IS_MAILED_DURING_BAN`).
 */
const SELECT_NOTIFICATION_TO_MAIL = statement(
  'notifications_to_mail',
  `SELECT ${NOTICE_TEXT_COLUMNS}, n.subject_type, coalesce(n.subject_id, n.event_id) AS subject_id, n.event_id, u.id AS user_id, u.name, u.email, u.locale, u.timezone
     FROM notifications n JOIN users u ON u.id = n.user_id LEFT JOIN users p ON p.id = n.person_id
    WHERE n.id = $1 AND n.mailed_at IS NULL AND u.email IS NOT NULL AND NOT (n.kind = 'reminder' AND n.event_starts_at <= $2)
      AND NOT ${IS_REPEATED}
      AND (${IS_MAILED_DURING_BAN} OR NOT ${isBannedSql('u')})
      AND NOT EXISTS (SELECT 1 FROM mail_choices c WHERE c.user_id = n.user_id AND n.kind = ANY (c.stopped))`,
);

const MARK_NOTIFICATION_MAILED = statement(
  'notifications_mark_mailed',
  'UPDATE notifications SET mailed_at = $2 WHERE id = $1',
);

/** Supplies the mails of notices to `MailDelivery` (JOIN-49, NOTE-7). */
@Injectable()
export class NoticeMailSource implements MailSource, OnModuleInit {
  readonly queue = 'notices';

  constructor(
    private readonly database: Database,
    private readonly delivery: MailDelivery,
    private readonly wire: WireFormat,
    private readonly choices: MailChoicesCommands,
    private readonly attachments: NoticeAttachments,
  ) {}

  onModuleInit(): void {
    this.delivery.register(this);
  }

  async take(tx: Transaction, now: Date, limit: number): Promise<readonly number[]> {
    const queued = await tx.rows<{ id: string }>(TAKE_FRESH_NOTIFICATIONS, [now, oldestToMail(now), limit]);
    return queued.map(({ id }) => Number(id));
  }

  async mailOf(id: number, now: Date): Promise<Mail | null> {
    const [notice] = await this.database.rows<MailableNotice & { user_id: string }>(SELECT_NOTIFICATION_TO_MAIL, [
      id,
      now,
      LIMITS.notices.mailed_again,
    ]);
    if (!notice?.email) return null;
    const mail = noticeMail(notice, await this.choices.keyOf(Number(notice.user_id)), this.wire);
    const attachments = await this.attachments.filesOf(notice);
    return { to: { name: notice.name, address: notice.email }, ...mail, attachments };
  }

  async markSent(id: number, now: Date): Promise<void> {
    await this.database.autocommit.rows(MARK_NOTIFICATION_MAILED, [id, now]);
  }
}
