import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ReportOutcome, ReportSubject } from '#contract/vocabulary';
import type { Transaction } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { textOfHtml } from '#platform/text/html';
import { hashSecret } from '#platform/text/hash-secret';
import { NoticesReader } from '../../notifications/notices.reader';
import { NotificationsCommands, type NoticeKind } from '../../notifications/notifications.commands';

/** A decision about reported content or a reported account. */
interface Decision {
  readonly type: ReportSubject;
  readonly snapshot: Readonly<Record<string, unknown>>;
  readonly outcome: ReportOutcome;
}

/** A decision with the data for the author's notice. */
interface DecisionForAuthor extends Decision {
  readonly reason: string;
  /** When the ban ends; null for a permanent ban, and if the outcome is not a ban. */
  readonly until: Date | null;
  /** Key of the link by which the author can object without signing in. */
  readonly key: string;
}

/** The notice to the author for each outcome. A dismissed report causes no notice to the author. */
const TO_AUTHOR: Readonly<Record<ReportOutcome, NoticeKind | null>> = {
  dismissed: null,
  removed: 'content_removed',
  warned: 'warning',
  banned: 'account_banned',
};
const MAX_TITLE_LENGTH = 80;
const KEY_BYTES = 24;

/** A new key for a link to a decision, and the hash that is stored instead of the key. */
export function newObjectionKey(): { key: string; hash: string } {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  return { key, hash: hashSecret(key) };
}

/**
 * Notices about a decision (MOD-44, MOD-53). The author's notice contains the reason and a link by which the author can
 * object. The reporters' notices contain the outcome. The notice about an answered objection contains the reason of the
 * answer. No notice contains the name of the moderator.
 */
@Injectable()
export class DecisionNotices {
  constructor(
    private readonly notifications: NotificationsCommands,
    private readonly notices: NoticesReader,
    private readonly wire: WireFormat,
  ) {}

  async notifyAuthor(
    tx: Transaction,
    userId: number,
    decisionId: number,
    { type, snapshot, outcome, reason, until, key }: DecisionForAuthor,
  ): Promise<void> {
    const kind = TO_AUTHOR[outcome];
    if (!kind) return;
    const ends: Record<string, string> = kind === 'account_banned' ? { ends: until?.toISOString() ?? 'never' } : {};
    const page = this.wire.page(`/account/decisions/${this.wire.id('decision', decisionId)}`);
    const words = {
      thing: type,
      named: titleInParentheses(type, snapshot),
      reason,
      ...ends,
      page,
      link: this.wire.page(`/objections/${key}`),
    };
    await this.notifications.notifyAbout(tx, kind, { userId, subject: { type: 'decision', id: decisionId }, words });
  }

  async notifyReporter(
    tx: Transaction,
    userId: number,
    reportId: number,
    { type, snapshot, outcome }: Decision,
  ): Promise<void> {
    const words = { thing: type, named: titleInParentheses(type, snapshot), outcome };
    await this.notifications.notifyAbout(tx, 'report_decided', {
      userId,
      subject: { type: 'report', id: reportId },
      words,
    });
  }

  async notifyAboutObjection(
    tx: Transaction,
    userId: number,
    decisionId: number,
    { type, snapshot, granted, reason }: Omit<Decision, 'outcome'> & { granted: boolean; reason: string },
  ): Promise<void> {
    const link = await this.notices.linkAboutDecision(tx, userId, decisionId);
    const words = {
      thing: type,
      named: titleInParentheses(type, snapshot),
      reason,
      // A banned person can open only this link (MOD-53).
      ...(link !== undefined && { link }),
    };
    await this.notifications.notifyAbout(tx, granted ? 'objection_granted' : 'objection_dismissed', {
      userId,
      subject: { type: 'decision', id: decisionId },
      words,
    });
  }
}

/** The title (`titleOf`) in parentheses after a space; empty if there is no title. */
export function titleInParentheses(type: ReportSubject, snapshot: Readonly<Record<string, unknown>>): string {
  const title = titleOf(type, snapshot);
  return title && ` (${title})`;
}

/** The beginning of `title`, `name`, `body` or `text` in a snapshot; empty if it has none of them (photos). */
export function titleOf(type: ReportSubject, snapshot: Readonly<Record<string, unknown>>): string {
  const stored = ['title', 'name', 'body', 'text']
    .map((key) => snapshot[key])
    .find((one): one is string => typeof one === 'string');
  if (stored === undefined) return '';
  // The text of a Puls post is HTML.
  const text = type === 'puls' ? textOfHtml(stored) : stored;
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length > MAX_TITLE_LENGTH
    ? `${characters.slice(0, MAX_TITLE_LENGTH).join('')}…`
    : characters.join('');
}
