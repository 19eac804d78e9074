import { DecisionsService } from '#areas/moderation/decisions.service';
import { NoticeMailSource } from '#areas/notifications/notice-mail.source';
import { NOTICES } from '#areas/notifications/notice.texts';
import { WireFormat } from '#platform/http/wire-format';
import { buildEvent } from '#testing/builders';
import type { MailServer } from '#testing/mail-server';
import { startWithMail } from '#testing/server-with-mail';
import type { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

/** Notices that are sent as mails, and how people stop these mails. */
describe('mails about notices', () => {
  let server: TestServer;
  let mailServer: MailServer;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    ({ server, mailServer, stop } = await startWithMail());
  });
  afterAll(() => stop());

  const ONE_CLICK = 'List-Unsubscribe=One-Click';

  // NOTE-7, NOTE-8
  it('link to the object of the notice, and can be stopped for each kind separately with one click in the mail program', async () => {
    const jana = await server.person('jana');
    const petr = await server.person('petr', { email: 'petr@example.org', locale: 'en' });
    const invite = async () => {
      const event = await buildEvent(server, jana, { title: 'Piknik' });
      await jana.api.post(`/events/${event.id}/participants`, { user: petr.slug });
      return event;
    };
    const event = await invite();
    const mail = await mailServer.nth('petr@example.org', 1);
    expect(mail.subject).toBe('Invitation: Piknik');
    const [link] = /https?:\/\/\S+\/events\/\w+/.exec(mail.text) ?? [];
    expect(link).toMatch(new RegExp(`/events/${event.id}$`));
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.header('list-unsubscribe-post')).toBe(ONE_CLICK);
    const address = /^<(.+)>$/.exec(mail.header('list-unsubscribe') ?? '')?.[1] ?? '';
    expect(mail.text).toContain(address);
    const path = new URL(address).pathname;

    const program = new Visitor(server);
    expect(await program.get(path)).toMatchObject({
      status: 200,
      html: expect.stringContaining('an invitation to an event'),
    });
    await invite();
    await mailServer.nth('petr@example.org', 2);
    // RFC 8058: the request has no cookies and no CSRF token.
    for (const body of [
      new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      form({ 'List-Unsubscribe': 'One-Click' }),
    ]) {
      expect(await new Visitor(server).send('POST', path, body)).toMatchObject({
        status: 200,
        html: expect.stringContaining('E-mails stopped'),
      });
    }
    const third = await invite();
    await jana.api.patch(`/events/${third.id}`, { status: 'cancelled' });
    expect((await mailServer.nth('petr@example.org', 3)).subject).toBe('Cancelled: Piknik');
    expect((await petr.api.get('/notices')).body.data.map(({ kind }: { kind: string }) => kind)).toEqual([
      'event_cancelled',
      'invitation',
      'invitation',
      'invitation',
    ]);
    for (const wrong of [
      path.replace(/invitation$/, 'nonsense'),
      path.replace(/\/unsubscribe\/[^/]+/, '/unsubscribe/nobodys-key'),
    ]) {
      for (const method of ['GET', 'POST']) expect((await program.send(method, wrong)).status).toBe(404);
    }
  });

  // NOTE-8
  it('can be turned off in the account, for each kind separately', async () => {
    const jana = await server.person('jana');
    const eva = await server.person('eva', { email: 'eva@example.org', password: 'correct horse', locale: 'en' });
    const page = new Visitor(server);
    await page.submit('/sign-in', { email: 'eva@example.org', password: 'correct horse' });
    const ticked = async () =>
      [...(await page.get('/account/notices')).html.matchAll(/name="mail_(\w+)" value="1" checked/g)].map(
        ([, kind]) => kind,
      );
    expect((await ticked()).sort()).toEqual(Object.keys(NOTICES).sort());
    expect(await page.submit('/account/notices', { mail_invitation: '1' }, '/account/notices/mails')).toMatchObject({
      status: 303,
    });
    expect(await ticked()).toEqual(['invitation']);
    const event = await buildEvent(server, jana, { title: 'Kino', with: [[eva, 'waitlisted']] });
    await jana.api.patch(`/events/${event.id}`, { status: 'cancelled' });
    const other = await buildEvent(server, jana, { title: 'Divadlo' });
    await jana.api.post(`/events/${other.id}/participants`, { user: eva.slug });
    expect((await mailServer.nth('eva@example.org', 1)).subject).toBe('Invitation: Divadlo');
    expect(mailServer.of('eva@example.org')).toHaveLength(1);
  });

  // NOTE-23
  it('are sent only once in 24 hours about an invitation that is withdrawn and repeated', async () => {
    const jana = await server.person('jana');
    const oto = await server.person('oto', { email: 'oto@example.org', locale: 'en' });
    const [repeated, other] = [
      await buildEvent(server, jana, { title: 'Bruslení' }),
      await buildEvent(server, jana, { title: 'Sauna' }),
    ];
    const invite = (id: string) => jana.api.post(`/events/${id}/participants`, { user: oto.slug });
    const inviteAgain = async () => {
      await jana.api.delete(`/events/${repeated.id}/participants/${oto.slug}`);
      expect((await invite(repeated.id)).status).toBe(201);
    };
    await invite(repeated.id);
    await inviteAgain();
    // The mails of one batch are sent at the same time.
    await mailServer.nth('oto@example.org', 1);
    await invite(other.id);
    await mailServer.nth('oto@example.org', 2);
    await server.sql(`UPDATE notifications SET created_at = created_at - interval '24 hours' WHERE user_id = $1`, [
      oto.userId,
    ]);
    await inviteAgain();
    await mailServer.nth('oto@example.org', 3);
    expect(mailServer.of('oto@example.org').map(({ subject }) => subject)).toEqual([
      'Invitation: Bruslení',
      'Invitation: Sauna',
      'Invitation: Bruslení',
    ]);
    expect((await oto.api.get('/notices')).body.data).toHaveLength(4);
  });

  // NOTE-22
  it('are sent to a banned person about a decision and about a cancelled event, but not about the person’s removal from an event', async () => {
    const jana = await server.person('jana');
    const ida = await server.person('ida', { email: 'ida@example.org', locale: 'en' });
    const [removedFrom, cancelled] = [
      await buildEvent(server, jana, { title: 'Bowling', with: [[ida, 'confirmed']] }),
      await buildEvent(server, jana, { title: 'Koncert', with: [[ida, 'confirmed']] }),
    ];
    const fields = { subject_type: 'user', subject_id: ida.slug, reason: 'spam' };
    const report = (await jana.api.post('/reports', fields)).body.data.id as string;
    const decision = { decision: 'ban', reason: 'rozesílá reklamu', actorId: null } as const;
    await server.app.get(DecisionsService).decide(server.app.get(WireFormat).ids.decode('report', report)!, decision);
    await jana.api.delete(`/events/${removedFrom.id}/participants/${ida.slug}`);
    await jana.api.patch(`/events/${cancelled.id}`, { status: 'cancelled' });
    await mailServer.nth('ida@example.org', 2);
    const subjects = mailServer.of('ida@example.org').map((mail) => mail.subject);
    expect(subjects.sort()).toEqual(['Cancelled: Koncert', expect.stringContaining('banned')]);
    const [removal] = await server.sql<{ id: string }>(
      "SELECT id FROM notifications WHERE user_id = $1 AND kind = 'removal'",
      [ida.userId],
    );
    const mailOfRemoval = () => server.app.get(NoticeMailSource).mailOf(Number(removal!.id), server.clock.now());
    expect(await mailOfRemoval()).toBeNull();
    await server.sql('UPDATE users SET banned = false WHERE id = $1', [ida.userId]);
    expect((await mailOfRemoval())?.subject).toContain('Bowling');
  });

  // NOTE-7
  it('contain no header and no HTML that a malicious title or name tries to add', async () => {
    const jana = await server.person('jana', { name: 'Jana <jana@evil.example>' });
    await server.person('ota', { email: 'ota@example.org', name: '"Ota" <b>x</b>', locale: 'cs' }).then(async (ota) => {
      const event = await buildEvent(server, jana, { title: 'A</title><img src=x> Bcc: all@evil.example' });
      await jana.api.post(`/events/${event.id}/participants`, { user: ota.slug });
    });
    const mail = await mailServer.nth('ota@example.org', 1);
    expect(mail.subject).toBe('Pozvánka: A</title><img src=x> Bcc: all@evil.example');
    expect(mail.header('bcc')).toBeUndefined();
    expect(mail.html).not.toMatch(/<img|<b>x/);
    expect(mailServer.mails.filter(({ to }) => to.includes('evil'))).toEqual([]);
  });
});

function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}
