import { Injectable } from '@nestjs/common';
import type { ReportOutcome, ReportSubject } from '#contract/vocabulary';
import type { Transaction } from '#platform/database/database';
import { NotificationsCommands, type NoticeKind } from '../../notifications/notifications.commands';

/** What was decided about which thing. */
interface Told {
  readonly type: ReportSubject;
  readonly snapshot: Readonly<Record<string, unknown>>;
  readonly outcome: ReportOutcome;
}

/** Who wrote what was dismissed never hears of it. */
const TO_AUTHOR: Readonly<Record<ReportOutcome, NoticeKind | null>> = {
  dismissed: null, removed: 'content_removed', warned: 'warning', banned: 'account_banned',
};
const LONGEST_NAME = 80;

/** Who is told of a decision (MOD-44): its author with the reason, and those who reported, neither by whom. */
@Injectable()
export class DecisionNotices {
  constructor(private readonly notifications: NotificationsCommands) {}

  async tellAuthor(tx: Transaction, userId: number, decisionId: number, { type, snapshot, outcome, reason }: Told & { readonly reason: string }): Promise<void> {
    const kind = TO_AUTHOR[outcome];
    if (kind) await this.notifications.tellOf(tx, kind, { userId, subject: { type: 'decision', id: decisionId }, words: { thing: type, named: nameOf(snapshot), reason } });
  }

  async tellReporter(tx: Transaction, userId: number, reportId: number, { type, snapshot, outcome }: Told): Promise<void> {
    const words = { thing: type, named: nameOf(snapshot), outcome };
    await this.notifications.tellOf(tx, 'report_decided', { userId, subject: { type: 'report', id: reportId }, words });
  }
}

/** Title, name or the beginning of the text, in brackets; nothing for a picture without any. */
function nameOf(snapshot: Readonly<Record<string, unknown>>): string {
  const text = [snapshot['title'], snapshot['name'], snapshot['body']].find((one): one is string => typeof one === 'string');
  if (text === undefined) return '';
  const letters = [...text.replace(/\s+/g, ' ').trim()];
  return ` (${letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME).join('')}…` : letters.join('')})`;
}
