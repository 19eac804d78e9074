import { PublicIds, PUBLIC_ID_KINDS } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { NOTICES, type NoticeKind } from './notice.texts';
import { noticeMail, type MailableNotice } from './notice-mail';

const NOTICE = {
  kind: 'request' as NoticeKind,
  event_title: 'Piknik',
  event_starts_at: new Date('2026-11-20T18:00:00Z'),
  person: 'Petr',
  refunded_credits: '0',
  words: { url: 'https://bot.example.org/hook' },
  name: 'Jana',
  email: 'jana@example.org',
  locale: 'cs',
  timezone: 'Europe/Prague',
  subject_type: 'event' as const,
  subject_id: '7',
  event_id: '7',
};
/** Values for the placeholders in the texts of all kinds. */
const WORDS = {
  url: 'https://example.org/hook',
  thing: 'event',
  named: ' (thing)',
  reason: 'thing',
  outcome: 'removed',
  group: 'Turisté',
  app: 'Kalendář',
  until: '2026-11-20T17:00:00Z',
};

const wire = new WireFormat(
  new PublicIds(new Map(PUBLIC_ID_KINDS.map((kind) => [kind, kind]))),
  'https://events.example.org/akce',
);
const mailOf = (notice: MailableNotice) => noticeMail(notice, 'KEY', wire);
const participantsUrl = `https://events.example.org/akce/events/${wire.id('event', 7)}/people`;

describe('a notice as a mail', () => {
  // JOIN-49
  it('is written in the reader’s language with times in the reader’s time zone', () => {
    expect(mailOf(NOTICE)).toEqual({
      senderName: 'Akce',
      subject: 'Žádost o účast: Piknik',
      text: `Dobrý den!\n\nPetr žádá o účast na akci „Piknik“ (pátek 20. listopadu 2026, 19:00).\n\nVyřídit žádost:\n${participantsUrl}\n\n-- \nTento e-mail dostáváte, protože tu máte účet.\nTento druh e-mailů už nechci: https://events.example.org/akce/unsubscribe/KEY/request\nVybrat, které e-maily chci: https://events.example.org/akce/account/notices#mails\n`,
      html: expect.stringMatching(/^<!doctype html>\n<html lang="cs">/),
      unsubscribe: 'https://events.example.org/akce/unsubscribe/KEY/request',
    });
    expect(mailOf({ ...NOTICE, locale: 'en', timezone: 'America/New_York' }).text).toMatch(
      /asks to join “Piknik” \(Friday,? 20 November 2026 at 13:00\)/,
    );
  });

  // NOTE-7
  it('has an HTML part with the same content, and user texts in the HTML part are escaped', () => {
    const { html, text } = mailOf({
      ...NOTICE,
      locale: 'en',
      name: '<i>Jana</i>',
      event_title: '</title><script>alert("1")</script> & {name}',
    });
    expect(html).not.toMatch(/<script|<i>|<\/title><script/);
    expect(html).toContain('&lt;i&gt;Jana&lt;/i&gt;');
    expect(html).toContain(`href="${participantsUrl}"`);
    expect(html).toContain('href="https://events.example.org/akce/unsubscribe/KEY/request"');
    expect(text).toContain('“</title><script>alert("1")</script> & {name}”');
  });

  it('uses the word "somebody" for a person whose account was deleted', () => {
    expect(mailOf({ ...NOTICE, person: null, locale: 'en' }).text).toMatch(/^Hello Jana,\n\nSomebody asks to join/);
    expect(mailOf({ ...NOTICE, person: null }).text).toMatch(/\n\nNěkdo žádá/);
  });

  it.each(['event_cancelled', 'series_cancelled'] as const)(
    'mentions credits only if credits were refunded (kind %s)',
    (kind) => {
      for (const [locale, words] of [
        ['en', /The credits you paid have been returned to your account: 50\./],
        ['cs', /Zaplacené kredity jsou zpět na vašem účtu: 50\./],
      ] as const) {
        expect(mailOf({ ...NOTICE, kind, locale, refunded_credits: '50' }).text).toMatch(words);
        expect(mailOf({ ...NOTICE, kind, locale }).text).not.toMatch(/credit|kredit|\.[ \t]+\n/i);
      }
    },
  );

  it.each(Object.keys(NOTICES) as NoticeKind[])('has a value for every placeholder (kind %s)', (kind) => {
    for (const locale of ['cs', 'en']) {
      const { subject, text } = mailOf({ ...NOTICE, kind, locale, event_title: '{when} $& Piknik', words: WORDS });
      expect(subject + text).not.toMatch(/\{(?!when\} \$&)/);
    }
  });

  // MOD-44
  it('about a decision on a report names the reported content in the reader’s language, and links to the reader’s reports', () => {
    const notice = { ...NOTICE, kind: 'report_decided' as const, subject_type: 'report' as const, words: WORDS };
    expect(mailOf(notice).text).toContain(
      'nahlásili: akce (thing). Odstranili to.\n\nZobrazit vaše nahlášení:\nhttps://events.example.org/akce/account/reports\n',
    );
    expect(mailOf({ ...notice, locale: 'en' }).text).toContain('reported: event (thing). They have removed it.\n');
  });

  // MOD-50, NOTE-6
  it.each(['objection_granted', 'objection_dismissed'] as const)(
    'about an objection links to the decision (%s)',
    (kind) => {
      const link = 'https://events.example.org/akce/objections/KEY';
      for (const [words, url] of [
        [WORDS, `https://events.example.org/akce/account/decisions/${wire.id('decision', 7)}`],
        [{ ...WORDS, link }, link],
      ] as const)
        expect(mailOf({ ...NOTICE, kind, subject_type: 'decision', words }).text).toContain(
          `\n\nZobrazit rozhodnutí:\n${url}\n`,
        );
    },
  );

  // NOTE-6
  it.each([
    [NOTICE.event_id, `/events/${wire.id('event', 7)}#comments`],
    [null, '/posts/vylet#comments'],
  ])('about a comment links to the comments of its event or post (event %s)', (event_id, path) => {
    const comment = { ...NOTICE, kind: 'comment' as const, subject_type: 'comment' as const, event_id };
    expect(mailOf({ ...comment, words: { does: 'comment', post: 'vylet', title: 'Výlet' } }).text).toContain(
      `\n\nZobrazit komentář:\nhttps://events.example.org/akce${path}\n`,
    );
  });

  // NOTE-7, JOIN-47
  it.each([
    ['event_deleted', {}],
    ['removal', { banned: 'true' }],
    ['decline', { banned: 'true' }],
  ] as const)('links to the list of notices if the reader cannot open the page of the event (%s)', (kind, words) => {
    expect(mailOf({ ...NOTICE, kind, words, locale: 'en' }).text).toContain(
      '\n\nView your notices:\nhttps://events.example.org/akce/account/notices\n',
    );
  });

  // NOTE-7
  it.each([
    ['seat_offered', 'event', 'Přijmout místo', 'Accept the seat'],
    ['invitation', 'event', 'Odpovědět na pozvání', 'Answer the invitation'],
    ['group_request', 'group', 'Vyřídit žádost', 'Answer the request'],
  ] as const)('has a link whose text names the answer that the reader can give (%s)', (kind, subject_type, cs, en) => {
    for (const [locale, link] of [
      ['cs', cs],
      ['en', en],
    ] as const)
      expect(mailOf({ ...NOTICE, kind, subject_type, locale, words: WORDS }).text).toContain(`\n\n${link}:\nhttps://`);
  });

  it('has the message of an organizer in a separate paragraph', () => {
    const message = { ...NOTICE, kind: 'organizer_message' as const, subject_type: 'message' as const, locale: 'en' };
    expect(mailOf({ ...message, message: 'Bring a cup.\nSee you!' }).text).toContain(
      '\n\nPetr writes about “Piknik”:\n\nBring a cup.\nSee you!\n\nView the event:\n',
    );
    expect(mailOf(message).text).toContain('“Piknik”: this message is no longer available.\n');
  });

  it('ends the quoted reason of a decision with exactly one full stop', () => {
    const warning = { ...NOTICE, kind: 'warning' as const, subject_type: 'decision' as const, locale: 'en' };
    for (const [reason, quoted] of [
      ['Spam', '“Spam”.'],
      ['This is spam.', '“This is spam.”'],
    ])
      expect(mailOf({ ...warning, words: { ...WORDS, reason, page: '/' } as never }).text).toContain(
        `Reason: ${quoted} You can submit`,
      );
  });

  // NOTE-9
  it('contains no web address in its sentences: links are on separate lines, and a webhook is named by its host', () => {
    const page = 'https://events.example.org/akce/account/decisions/AbCdEfGh';
    const [paused, warned] = [
      mailOf({ ...NOTICE, kind: 'webhook_paused', subject_type: 'webhook', locale: 'en' }),
      mailOf({
        ...NOTICE,
        kind: 'warning',
        subject_type: 'decision',
        locale: 'en',
        words: { ...WORDS, page, link: 'https://events.example.org/akce/objections/KEY' },
      }),
    ];
    expect(paused.text).toContain('Your webhook bot.example.org is paused');
    expect(paused.text).toContain(`:\nhttps://events.example.org/akce/account/api/webhooks/${wire.id('webhook', 7)}\n`);
    expect(warned.text).toContain('You can submit one objection, within 30 days.\n');
    expect(warned.text).toContain(':\nhttps://events.example.org/akce/objections/KEY\n');
    expect(warned.text).not.toContain(page);
  });
});
