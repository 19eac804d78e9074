import { OwnDataCommands } from '#areas/own-data/own-data.commands';
import { NOTICES, type NoticeKind } from '#areas/notifications/notice.texts';
import { buildEvent } from '#testing/builders';
import type { MailServer } from '#testing/mail-server';
import { buildSeries, occurrencesOf } from '#testing/series';
import { startWithMail } from '#testing/server-with-mail';
import { formTo, filledIn } from '#testing/forms';
import { TestServer } from '#testing/test-server';
import { inDays } from '#testing/times';
import { Visitor } from '#testing/visitor';

/** Tests the calendar files in mails, and the settings for reminders and mails. */
describe('notices with a mail server', () => {
  let server: TestServer;
  let mailServer: MailServer;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ server, mailServer, stop } = await startWithMail({ noticeQuietSeconds: 0 }));
  });
  afterAll(() => stop());

  // NOTE-13
  it('are mailed with a calendar file that has a new sequence number if the event changed, and without a file if the event was cancelled', async () => {
    const jana = await server.person('jana');
    const petr = await server.person('petr', { email: 'petr@example.org', locale: 'en' });
    const event = await buildEvent(server, jana, { title: 'Piknik', with: [[petr, 'confirmed']] });
    await jana.api.patch(`/events/${event.id}`, { location_name: 'Letná' });
    const mail = await mailServer.nth('petr@example.org', 1);
    expect(mail.subject).toBe('Changed: Piknik');
    const { text } = await jana.api.get(`~/events/${event.id}.ics`);
    const lines = (file: string) =>
      file.split(/\r?\n/).filter((line) => /^(UID|SEQUENCE|DTSTART|LOCATION|METHOD)/.test(line));
    expect(mail.attachments).toEqual([
      { name: 'event.ics', type: 'text/calendar; method=PUBLISH', text: expect.any(String) },
    ]);
    expect(lines(mail.attachments[0]?.text ?? '')).toEqual(lines(text));
    expect(lines(text)).toContain('SEQUENCE:1');

    const series = await buildSeries(server, jana, { title: 'Běh', atMost: 1 });
    const [only] = await occurrencesOf(jana, series.id);
    await petr.api.post(`/events/${only?.id}/join`);
    await jana.api.patch(`/series/${series.id}`, { location_name: 'Hvězda' });
    const second = await mailServer.nth('petr@example.org', 2);
    expect([second.subject, second.attachments.length]).toEqual(['New place: Běh', 1]);
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    expect((await mailServer.nth('petr@example.org', 3)).attachments).toEqual([]);
  });

  // NOTE-8
  it.each(Object.keys(NOTICES) as NoticeKind[])(
    'of the kind %s are the only ones that the stored choice excludes from mails after one click on the unsubscribe link',
    async (kind) => {
      const { userId } = await server.person('eva', { locale: 'en' });
      const key = `key-${userId}`;
      await server.sql('INSERT INTO mail_choices (user_id, key) VALUES ($1, $2)', [userId, key]);
      const answer = await new Visitor(server).send('POST', `/unsubscribe/${key}/${kind}`, new URLSearchParams());
      expect(answer.status).toBe(200);
      expect(await server.sql('SELECT stopped FROM mail_choices WHERE user_id = $1', [userId])).toEqual([
        { stopped: [kind] },
      ]);
    },
  );

  // NOTE-8
  it('of several kinds are excluded from mails after one click for each kind; a second click for the same kind changes nothing', async () => {
    const { userId } = await server.person('iva');
    const key = `key-${userId}`;
    await server.sql('INSERT INTO mail_choices (user_id, key) VALUES ($1, $2)', [userId, key]);
    for (const kind of ['reminder', 'comment', 'comment'])
      await new Visitor(server).send('POST', `/unsubscribe/${key}/${kind}`, new URLSearchParams());
    expect(await server.sql('SELECT stopped FROM mail_choices WHERE user_id = $1', [userId])).toEqual([
      { stopped: ['reminder', 'comment'] },
    ]);
  });

  // NOTE-14
  it('have a settings form for the time of reminders (hours before the start) and for the kinds of notices that are mailed', async () => {
    const { userId } = await server.person('ota', { email: 'ota@example.org', password: 'correct horse' });
    const page = new Visitor(server);
    await page.submit('/sign-in', { email: 'ota@example.org', password: 'correct horse' });
    const submit = (fields: Record<string, string>) =>
      page.submit('/account/notices', fields, '/account/notices/mails');
    const stored = async () =>
      server.sql(
        'SELECT u.reminder_hours, c.stopped FROM users u LEFT JOIN mail_choices c ON c.user_id = u.id WHERE u.id = $1',
        [userId],
      );
    const otherKinds = Object.keys(NOTICES).filter((kind) => kind !== 'reminder');
    expect((await submit({ mail_reminder: '1', reminder_hours: '2' })).status).toBe(303);
    expect(await stored()).toEqual([{ reminder_hours: 2, stopped: otherKinds }]);
    expect((await page.get('/account/notices')).html).toMatch(/<option value="2" selected>/);
    await submit({ mail_reminder: '1' });
    expect(await stored()).toEqual([{ reminder_hours: 2, stopped: otherKinds }]);
    for (const reminder_hours of ['3', '', 'x']) {
      const refused = await submit({ reminder_hours });
      expect(refused.status).toBe(422);
      expect(refused.html).toMatch(/id="reminder_hours"[^>]*aria-describedby="reminder_hours-error">/);
    }
    expect(await stored()).toEqual([{ reminder_hours: 2, stopped: otherKinds }]);
    // PAGE-97: a form that was opened before another change is refused, and nothing changes.
    const form = formTo((await page.get('/account/notices')).html, '/account/notices/mails');
    expect((await submit({ mail_comment: '1', reminder_hours: '48' })).status).toBe(303);
    const afterChange = await stored();
    const refused = await page.send('POST', form.action, filledIn(form, { mail_invitation: '1' }));
    expect([refused.status, refused.html.includes('Teď: dva dny předem.')]).toEqual([412, true]);
    expect(await stored()).toEqual(afterChange);
    const again = formTo(refused.html, '/account/notices/mails');
    const names = again.fields.map(([name]) => name).filter((name) => name.startsWith('mail_'));
    expect([names.sort(), again.fields]).toEqual([
      ['mail_invitation', 'mail_reminder'],
      expect.arrayContaining([['reminder_hours', '48']]),
    ]);
    expect((await page.send('POST', again.action, filledIn(again, {}))).status).toBe(303);
  });
});

describe('notices without a mail server', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  // NOTE-14
  it('have a settings form that contains only the time of reminders and does not change the stored choice of mails', async () => {
    const { userId } = await server.person('ota', { email: 'ota@example.org', password: 'correct horse' });
    await server.sql(`INSERT INTO mail_choices (user_id, key, stopped) VALUES ($1, 'k', '{request}')`, [userId]);
    const page = new Visitor(server);
    await page.submit('/sign-in', { email: 'ota@example.org', password: 'correct horse' });
    expect((await page.get('/account/notices')).html).not.toContain('mail_');
    await page.submit('/account/notices', { reminder_hours: '0' }, '/account/notices/mails');
    expect(
      await server.sql(
        'SELECT u.reminder_hours, c.stopped FROM users u JOIN mail_choices c ON c.user_id = u.id WHERE u.id = $1',
        [userId],
      ),
    ).toEqual([{ reminder_hours: 0, stopped: ['request'] }]);
  });

  // NOTE-20
  it('no longer name a person in digests after the account of this person was erased', async () => {
    const jana = await server.person('jana');
    const [anna, bara] = await Promise.all([
      server.person('anna', { name: 'Anna' }),
      server.person('bara', { name: 'Bára' }),
    ]);
    const event = await buildEvent(server, jana, { starts_at: inDays(2) });
    for (const { api } of [anna, bara]) await api.post(`/events/${event.id}/join`);
    await server.job('joined-digest');
    await server.app.get(OwnDataCommands).erase(anna.slug);
    const { body } = await jana.api.send('GET', '/notices', { headers: { 'accept-language': 'en' } });
    expect(body.data[0].text).toMatch(/^Bára and 1 other person joined /);
    expect(await server.sql('SELECT people::int[] FROM notifications WHERE user_id = $1', [jana.userId])).toEqual([
      { people: [bara.userId] },
    ]);
  });
});
