import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Locale } from '#contract/vocabulary';
import { Database, type Transaction } from '#platform/database/database';
import { renderMail } from '#platform/mail/render-mail';
import { MailDelivery, oldestToMail, type MailSource } from '#platform/mail/mail-delivery';
import type { Mail } from '#platform/mail/mailbox';
import { storedLocale } from '#platform/messages/locale';
import { PRAGUE_ZONE } from '#platform/time/prague';
import { noticeWords } from '../notifications/notice.resource';
import { titleInParentheses } from './decisions/decision-notices';
import { ANSWER_TO_MAIL, MARK_ANSWERED, TAKE_ANSWERS, type AnswerRow } from './reports/report.query';

const WORDS = {
  // Czech would have to put the name into the vocative.
  greeting: { en: 'Hello {name},', cs: 'Dobrý den!' },
  why: {
    en: 'You are receiving this e-mail because you entered this address when you reported this content.',
    cs: 'Tento e-mail dostáváte, protože jste při nahlášení tohoto obsahu uvedli tuto adresu.',
  },
} as const satisfies Record<string, Record<Locale, string>>;

/** Mails the outcome of a report to its reporter, if the reporter has no account (MOD-73). */
@Injectable()
export class ReportAnswersSource implements MailSource, OnModuleInit {
  readonly queue = 'report-answers';

  constructor(
    private readonly database: Database,
    private readonly delivery: MailDelivery,
  ) {}

  onModuleInit(): void {
    this.delivery.register(this);
  }

  async take(tx: Transaction, now: Date, limit: number): Promise<readonly number[]> {
    const queued = await tx.rows<{ id: string }>(TAKE_ANSWERS, [now, oldestToMail(now), limit]);
    return queued.map(({ id }) => Number(id));
  }

  async mailOf(id: number): Promise<Mail | null> {
    const [row] = await this.database.rows<AnswerRow>(ANSWER_TO_MAIL, [id]);
    if (!row) return null;
    const locale = storedLocale(row.reporter_locale);
    const { subject, text } = noticeWords(
      {
        kind: 'report_decided',
        event_title: null,
        event_starts_at: null,
        person: null,
        refunded_credits: '0',
        words: {
          thing: row.subject_type,
          named: titleInParentheses(row.subject_type, row.snapshot),
          outcome: row.outcome,
        },
      },
      { locale, timezone: PRAGUE_ZONE },
    );
    const greeting = WORDS.greeting[locale].replace('{name}', () => row.reporter_name);
    return {
      to: { name: row.reporter_name, address: row.reporter_email },
      ...renderMail({ locale, subject, greeting, paragraphs: [text], foot: [WORDS.why[locale]] }),
    };
  }

  async markSent(id: number, now: Date): Promise<void> {
    await this.database.autocommit.rows(MARK_ANSWERED, [id, now]);
  }
}
