import { NOTICES, type NoticeKind } from './notice.texts';
import { noticeMail } from './notice-mail';

const NOTICE = {
  kind: 'request' as NoticeKind, event_title: 'Piknik', event_starts_at: new Date('2026-11-20T18:00:00Z'), person: 'Petr', refunded_credits: '0', words: {}, name: 'Jana',
  email: 'jana@example.org', locale: 'cs', timezone: 'Europe/Prague',
};

describe('a notice as a mail', () => {
  // JOIN-49
  it('speaks the reader’s language and shows the reader’s clock', () => {
    expect(noticeMail(NOTICE)).toEqual({
      subject: 'Žádost o účast: Piknik',
      text: 'Dobrý den, Jana,\n\nPetr žádá o účast na „Piknik“ (pátek 20. listopadu 2026 v 19:00).\n',
    });
    expect(noticeMail({ ...NOTICE, locale: 'en', timezone: 'America/New_York' }).text).toMatch(/asks to join “Piknik” \(Friday, November 20, 2026 at 1:00/);
  });

  it('says somebody where the account is gone', () => {
    expect(noticeMail({ ...NOTICE, person: null, locale: 'en' }).text).toMatch(/^Hello Jana,\n\nSomebody asks to join/);
    expect(noticeMail({ ...NOTICE, person: null }).text).toMatch(/\n\nNěkdo žádá/);
  });

  it.each(['event_cancelled', 'series_cancelled'] as const)('%s speaks of credits only where some came back', (kind) => {
    for (const [locale, words] of [['en', /Credits you paid are back on your account: 50\./], ['cs', /Zaplacené kredity jsou zpět na vašem účtu: 50\./]] as const) {
      expect(noticeMail({ ...NOTICE, kind, locale, refunded_credits: '50' }).text).toMatch(words);
      expect(noticeMail({ ...NOTICE, kind, locale }).text).not.toMatch(/credit|kredit|\.\s+\n/i);
    }
  });

  it.each(Object.keys(NOTICES) as NoticeKind[])('%s leaves no place open, in either language', (kind) => {
    for (const locale of ['cs', 'en']) {
      const { subject, text } = noticeMail({ ...NOTICE, kind, locale, event_title: '{when} $& Piknik' });
      expect(subject + text).not.toMatch(/\{(?!when\} \$&)/);
    }
  });
});
