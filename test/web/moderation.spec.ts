import { DataSource } from 'typeorm';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { DecisionsService } from '#areas/moderation/decisions.service';
import { ModerationQueue } from '#areas/moderation/moderation-queue.reader';
import { ObjectionsService } from '#areas/moderation/objections.service';
import { ReportAnswersSource } from '#areas/moderation/report-answers.source';
import { AnonymousReportsService } from '#areas/moderation/anonymous-reports.service';
import { LIMITS } from '#contract/limits';
import { AuditLog } from '#platform/audit/audit-log';
import { WireFormat } from '#platform/http/wire-format';
import { Snapshots } from '#web/moderation/snapshot';
import { accessibilityViolations, openBrowser } from '#testing/browser';
import { buildEvent } from '#testing/builders';
import { Feed } from '#testing/feed';
import { buildGroup } from '#testing/groups';
import { formTo, filledIn } from '#testing/forms';
import { phonePhoto } from '#testing/media';
import type { Person } from '#testing/people';
import { describeWith } from '#testing/requirements';
import { confirm } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { Visitor, type Page } from '#testing/visitor';
import { warmConnections } from '#testing/warm';

const SCREENSHOT_FOLDER = process.env.WEB_SCREENSHOTS;

async function updateUser(server: TestServer, person: Person, fields: object): Promise<void> {
  await server.database.transaction(async (tx) => {
    await server.app
      .get(UsersCommands)
      .update(tx, (await server.app.get(UsersReader).lockBySlug(tx, person.slug))!, fields);
  });
}

const emailOf = (person: Person): string => `${person.slug}@example.org`;

/** Gives the person an e-mail address and a password, so that the person can sign in on the pages. */
async function allowSignIn(server: TestServer, person: Person, fields: object = {}): Promise<void> {
  await updateUser(server, person, { email: emailOf(person), password: 'correct horse', locale: 'en', ...fields });
}

/**
 * Returns the ids of the fields to which the focused summary of errors links. Checks that the page has only one element
 * with the role `alert`.
 */
function summaryFields({ html }: Page): string[] {
  const [, summary = ''] = /role="alert" tabindex="-1" autofocus>(.*?)<\/div>/s.exec(html) ?? [];
  expect(html.match(/role="alert"/g)).toHaveLength(1);
  return [...summary.matchAll(/href="#(\w+)"/g)].flatMap(([, id = '']) => (html.includes(` id="${id}"`) ? [id] : []));
}

let visitorCount = 0;

/**
 * A visitor who is signed in as the person. Each visitor has a different IP address, because the number of sign-ins and
 * of reports from one address is limited.
 */
async function visitorOf(server: TestServer, person: Person, fields: object = {}): Promise<Visitor> {
  await allowSignIn(server, person, fields);
  const visitor = new Visitor(server, { 'x-forwarded-for': `203.0.113.${++visitorCount}` });
  expect((await visitor.submit('/sign-in', { email: emailOf(person), password: 'correct horse' })).status).toBe(303);
  return visitor;
}

describe('the moderation pages', () => {
  let server: TestServer;
  let jana: Person, petr: Person, marta: Person, olga: Person;
  beforeAll(async () => (server = await TestServer.start({ trustProxy: ['loopback'] })));
  afterAll(() => server.stop());
  beforeEach(async () => {
    ({ jana, petr, marta, olga } = await server.people('jana', 'petr', 'marta', 'olga'));
    await server.sql('DELETE FROM reports');
  });

  const report = async (person: Person, subject_type: string, subject_id: string, more: object = {}): Promise<string> =>
    (await person.api.post('/reports', { subject_type, subject_id, reason: 'fraud', ...more })).body.data.id as string;
  const latestDecision = async (): Promise<string> =>
    server.app
      .get(WireFormat)
      .id('decision', (await server.sql<{ id: string }>('SELECT max(id) AS id FROM moderation_decisions'))[0]!.id);
  const linkOf = async (person: Person): Promise<string> =>
    new URL(
      (
        await server.sql<{ link: string }>(
          `SELECT words->>'link' AS link FROM notifications WHERE user_id = $1 ORDER BY id DESC LIMIT 1`,
          [person.userId],
        )
      )[0]!.link,
    ).pathname;

  // MOD-60
  it('are visible only to moderators and admins, and are linked from their account pages', async () => {
    const nobody = new Visitor(server);
    expect((await nobody.get('/moderation')).to).toBe('/sign-in?next=%2Fmoderation');
    const ordinary = await visitorOf(server, petr);
    for (const path of ['/moderation', '/moderation/objections', '/moderation/history', '/moderation/reports/kTzMbLqa'])
      expect([path, (await ordinary.get(path)).status]).toEqual([path, 404]);
    expect((await ordinary.get('/account')).html).not.toContain('href="/moderation"');
    expect(
      (await ordinary.submit('/account', { decision: 'remove', reason: 'x' }, '/moderation/reports/kTzMbLqa')).status,
    ).toBe(404);
    for (const role of ['moderator', 'admin']) {
      const visitor = await visitorOf(server, role === 'admin' ? jana : marta, { [role]: true });
      expect((await visitor.get('/account')).html).toContain('href="/moderation"');
      for (const path of ['/moderation', '/moderation/objections', '/moderation/history'])
        expect([path, (await visitor.get(path)).status]).toEqual([path, 200]);
      expect((await visitor.get('/moderation/reports/kTzMbLqa')).status).toBe(404);
      expect((await visitor.get('/moderation/objections/kTzMbLqa')).status).toBe(404);
      // A form without the CSRF token is refused.
      expect((await visitor.post('/moderation/reports/kTzMbLqa', { decision: 'remove', reason: 'x' })).status).toBe(
        403,
      );
    }
  });

  // MOD-61
  it('show that the history is empty if there are no decisions', async () => {
    await server.sql('DELETE FROM moderation_decisions');
    const moderator = await visitorOf(server, marta, { moderator: true });
    expect((await moderator.get('/moderation/history')).html).toContain('There are no decisions yet.');
  });

  // MOD-40, MOD-61, MOD-62, MOD-63
  it('show reported content in its state at the time of the report, and let a moderator remove it', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Jarmark <b>', description: '<p>Levné <b>hodinky</b></p>' });
    const { eva } = await server.people('eva');
    const reportId = await report(petr, 'event', id, { note: 'Podvod & lež.' });
    await report(eva, 'event', id, { reason: 'spam' });
    await jana.api.patch(`/events/${id}`, { title: 'Nevinný trh' });
    const moderator = await visitorOf(server, marta, { moderator: true });
    const queue = (await moderator.get('/moderation')).html;
    expect(queue).toMatch(/Jarmark &lt;b&gt;/);
    expect(queue).toMatch(/Reports: 2/);
    expect(queue).toContain('Fraud');
    const path = `/moderation/reports/${reportId}`;
    const reportPage = (await moderator.get(path)).html;
    expect(reportPage).toContain('<h2>Event as reported</h2>');
    for (const words of ['Jarmark &lt;b&gt;', 'Levné hodinky', 'Podvod &amp; lež.', jana.slug, `href="/events/${id}"`])
      expect(reportPage).toContain(words);
    expect(reportPage).toMatch(/id="reason-hint">Always required\. [^<]*“Dismiss”[^<]*only moderators/);
    for (const words of ['Nevinný trh', petr.slug, 'Earlier decisions']) expect(reportPage).not.toContain(words);
    for (const [fields, wrongField] of [
      [{ decision: 'remove', reason: ' ' }, 'reason'],
      [{ decision: 'dismiss', reason: '' }, 'reason'],
      [{ decision: 'dismiss', reason: '\u200b\u2060' }, 'reason'],
      [{ decision: 'praise', reason: 'x' }, 'decision'],
      [{ decision: 'ban', days: '0', reason: 'x' }, 'days'],
    ] as const) {
      const refused = await moderator.submit(path, fields);
      expect([fields, refused.status, refused.html.includes(`id="${wrongField}-error"`)]).toEqual([fields, 422, true]);
      // PAGE-96
      expect(summaryFields(refused)).toEqual([wrongField]);
      expect(refused.html).toMatch(
        new RegExp(`name="${wrongField}"[^>]*aria-invalid="true" aria-describedby="${wrongField}-error[^>]*>`),
      );
    }
    expect((await moderator.submit(path, { decision: 'remove', days: '', reason: 'prodává hodinky' })).to).toBe(
      '/moderation?done',
    );
    expect((await petr.api.get(`/discover/events/${id}`)).status).toBe(404);
    expect((await moderator.get('/moderation?done')).html).toContain('role="status"');
    expect((await moderator.get('/moderation')).html).not.toContain('Jarmark');
    expect((await moderator.get(path)).status).toBe(404);
    expect((await moderator.get('/moderation/history')).html).toMatch(
      /removed[^]*Jarmark &lt;b&gt;[^]*prodává hodinky/,
    );
    expect(await server.sql('SELECT actor_id::int AS actor FROM audit_entries ORDER BY number DESC LIMIT 1')).toEqual([
      { actor: marta.userId },
    ]);
    const { id: other } = await buildEvent(server, jana);
    expect((await moderator.get(`/moderation/reports/${await report(petr, 'event', other)}`)).html).toMatch(
      /Earlier decisions[^]*removed[^]*prodává hodinky/,
    );
  });

  // MOD-61
  it('show the HTML of reported content as plain text, with a line for each paragraph', async () => {
    const snapshot = { body: '<p>Jan &amp; <b>Eva</b></p><p>druhý</p>' };
    const { texts } = await server.app.get(Snapshots).one({ subject_type: 'post', snapshot });
    expect(texts[0]!.text).toBe('Jan & Eva\ndruhý');
  });

  // MOD-61, MSG-4
  it('show a reported message and a reported video to the moderator, and show the message to its author together with the decision', async () => {
    const { id } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const message = (await jana.api.post(`/events/${id}/messages`, { text: 'Pošlete mi heslo', to: 'all' })).body.data
      .id;
    const path = `/moderation/reports/${await report(petr, 'message', message)}`;
    const moderator = await visitorOf(server, marta, { moderator: true });
    expect((await moderator.get(path)).html).toMatch(/<dt>Text<\/dt><dd[^>]*>Pošlete mi heslo</);
    await server.sql(`UPDATE reports SET snapshot = snapshot || '{"video_key": "a.mp4"}'`);
    expect((await moderator.get(path)).html).not.toContain('a.mp4');
    expect((await moderator.get(path)).html).toContain('A picture or video cannot be shown now');
    await server.sql(
      `INSERT INTO media_files (key, kind, bytes, state, created_at) VALUES ('a.mp4', 'video', 1, 'kept', now())`,
    );
    expect((await moderator.get(path)).html).toMatch(/<a href="[^"]*a\.mp4">Reported video</);
    expect((await moderator.submit(path, { decision: 'warn', days: '', reason: 'Podvod' })).status).toBe(303);
    const author = await visitorOf(server, jana);
    expect((await author.get(await linkOf(jana))).html).toContain('Pošlete mi heslo');
  });

  // MOD-64
  it('show a reported picture to the moderator; after the removal, the page of the decision shows a text instead of the picture', async () => {
    const { id } = await buildEvent(server, jana, { photos_enabled: true, with: [[petr, 'confirmed']] });
    const photos = await jana.api.upload(`/events/${id}/photos`, [['photos[]', new Blob([await phonePhoto()])]]);
    const path = `/moderation/reports/${await report(petr, 'photo', photos.body.data[0].id)}`;
    const moderator = await visitorOf(server, marta, { moderator: true });
    const picture = /<img src="[^"]*" alt="Reported picture"/;
    expect((await moderator.get(path)).html).toMatch(picture);
    await moderator.submit(path, { decision: 'remove', days: '', reason: 'cizí snímek' });
    const { html } = await new Visitor(server).get(await linkOf(jana));
    expect([picture.test(html), html.includes('A picture or video cannot be shown now')]).toEqual([false, true]);
  });

  // MOD-54, MOD-43
  it('refuse a second decision about a report, and a decision about the moderator’s own content', async () => {
    const moderator = await visitorOf(server, marta, { moderator: true });
    const own = await report(petr, 'user', marta.slug);
    const refused = await moderator.submit(`/moderation/reports/${own}`, { decision: 'dismiss', reason: 'x' });
    expect([refused.status, refused.html.includes('Someone else has to decide about your own content.')]).toEqual([
      409,
      true,
    ]);
    expect(refused.html).not.toContain('value="remove"');
    const { id } = await buildEvent(server, jana);
    const path = `/moderation/reports/${await report(petr, 'event', id)}`;
    const { html } = await moderator.get(path);
    // MOD-62
    expect(html).toMatch(/<option value="7" selected>7\sdays</);
    expect(html).toMatch(/<option value="" >permanent</);
    const _csrf = /name="_csrf" value="([^"]+)"/.exec(html)![1]!;
    const answers = await Promise.all(
      ['warn', 'dismiss'].map((decision) => moderator.post(path, { _csrf, decision, reason: 'x' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  });

  // MOD-54, MOD-90
  it('offer the report form and the decision form to every moderator except the author of the content', async () => {
    const [author, other] = [
      await visitorOf(server, marta, { moderator: true }),
      await visitorOf(server, olga, { moderator: true }),
    ];
    const { id } = await buildEvent(server, marta);
    const { id: eventOfJana } = await buildEvent(server, jana);
    for (const person of [marta, petr]) await confirm(server, eventOfJana, person);
    const post = { title: 'O trhu', body: 'text', categories: ['kolo'], status: 'published' };
    const { id: postId, slug } = (await marta.api.post('/posts', post)).body.data;
    const comment = (await marta.api.post(`/events/${eventOfJana}/comments`, { body: 'Přijďte' })).body.data;
    const group = await buildGroup(server, marta);
    for (const [type, subjectId, page] of [
      ['event', id, `/events/${id}`],
      ['post', postId, `/posts/${slug}`],
      ['comment', comment.id, null],
      ['group', group.id, `/groups/${group.id}`],
      ['user', marta.id, `/people/${marta.slug}`],
    ] as const) {
      const path = `/moderation/reports/${await report(petr, type, subjectId)}`;
      const [own, shown] = [(await author.get(path)).html, (await other.get(path)).html];
      const hasForm = (html: string) => html.includes(`action="${path}"`);
      expect([type, hasForm(own), hasForm(shown)]).toEqual([type, false, true]);
      expect(own).toContain('Someone else has to decide about your own content.');
      // MOD-42, MOD-101
      expect([type, shown.includes('value="remove"')]).toEqual([type, type !== 'user']);
      if (page !== null) expect(shown).toContain(`<p><a href="${page}">`);
      const form = `/report?type=${type}&id=${subjectId}`;
      const canReport = async (visitor: Visitor) => (await visitor.get(form)).html.includes('name="reason"');
      expect([type, await canReport(author)]).toEqual([type, false]);
      if (type !== 'comment') expect([type, await canReport(other)]).toEqual([type, true]);
    }
  });

  // MOD-46, MOD-50, MOD-51, MOD-52
  it('let a moderator ban a person for some days, and let the person send one objection', async () => {
    const post = (
      await jana.api.post('/posts', { title: 'Hrozby', body: 'text', categories: ['kolo'], status: 'published' })
    ).body.data.slug as string;
    const { id: eventId } = await buildEvent(server, jana, { with: [[petr, 'confirmed']] });
    const feed = await Feed.of(petr);
    const moderator = await visitorOf(server, marta, { moderator: true });
    expect(
      (
        await moderator.submit(`/moderation/reports/${await report(petr, 'post', post)}`, {
          decision: 'ban',
          days: '7',
          reason: 'hrozby',
        })
      ).status,
    ).toBe(303);
    expect((await petr.api.get(`/posts/${post}`)).status).toBe(404);
    const [link, decision] = [await linkOf(jana), await latestDecision()];
    const stranger = new Visitor(server);
    const page = await stranger.get(link);
    expect(page.html).toMatch(/We have banned your account[^]*hrozby[^]*Banned until[^]*Hrozby/);
    expect((await stranger.get(`${link}x`)).status).toBe(404);
    expect(summaryFields(await stranger.submit(link, { objection: ' ' }))).toEqual(['objection']);
    expect((await stranger.post(link, { objection: 'bez pole formuláře' })).status).toBe(403);
    expect((await stranger.submit(link, { objection: 'Byl to citát.' })).to).toBe(link);
    expect((await stranger.get(link)).html).toMatch(/Waiting for a reply\.[^]*Byl to citát\.[^]*We have banned/);
    expect((await stranger.submit('/report', { objection: 'Byl to citát.' }, link)).to).toBe(link);
    const another = await stranger.submit('/report', { objection: 'A ještě něco.' }, link);
    expect(another.status).toBe(409);
    expect(another.html).toMatch(/role="alert"[^]*You have already submitted an objection[^]*A ještě něco\./);
    expect((await moderator.get('/moderation/objections')).html).toContain('Hrozby');
    const objectionPath = `/moderation/objections/${decision}`;
    // MOD-90: a moderator who did not make the decision answers the objection.
    const second = await visitorOf(server, olga, { moderator: true });
    expect((await second.get(objectionPath)).html).toMatch(/Byl to citát\./);
    expect((await second.get(objectionPath)).html).not.toContain('A ještě něco.');
    expect((await second.get(objectionPath)).html).toContain('The author will read it.');
    expect(summaryFields(await second.submit(objectionPath, { answer: '', reason: '' }))).toEqual(['answer', 'reason']);
    expect((await second.submit(objectionPath, { answer: 'grant', reason: 'byl to citát' })).to).toBe(
      '/moderation/objections?done',
    );
    // MOD-53: the mail about the answer has the same link.
    expect(await linkOf(jana)).toBe(link);
    expect((await petr.api.get(`/posts/${post}`)).status).toBe(200);
    // CHG-2: the feed does not name the moderators.
    const entries = (await feed.newEntries()).filter(({ subject }) => subject.id === eventId);
    expect(entries.map(({ type, by }) => [type, by])).toEqual([
      ['event.gone', null],
      ['event.updated', null],
    ]);
    expect((await stranger.get(link)).html).toContain(
      'We have accepted your objection and reversed the decision.</strong> byl to citát',
    );
    expect((await second.get('/moderation/history')).html).toContain('The objection was accepted');
    expect((await second.get('/moderation/history')).html).not.toContain('We have accepted your');
    const late = await second.submit('/moderation', { answer: 'dismiss', reason: 'x' }, objectionPath);
    expect([late.status, summaryFields(late)]).toEqual([409, []]);
  });

  // MOD-50, MOD-51
  it('show a decision only to the affected person, who also gets a notice with a link to the decision', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Trh' });
    const moderator = await visitorOf(server, marta, { moderator: true });
    await moderator.submit(`/moderation/reports/${await report(petr, 'event', id)}`, {
      decision: 'warn',
      reason: 'pozor',
    });
    const path = `/account/decisions/${await latestDecision()}`;
    const [author, other] = [await visitorOf(server, jana), await visitorOf(server, petr)];
    expect((await author.get('/account/notices')).html).toContain(`href="${path}"`);
    expect((await author.get(path)).html).toMatch(/We are warning you[^]*pozor[^]*Trh/);
    expect((await other.get(path)).status).toBe(404);
    expect((await new Visitor(server).get(path)).to).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
    expect((await author.submit(path, { objection: 'Proč?' })).to).toBe(path);
    const [second, objectionPath] = [
      await visitorOf(server, olga, { moderator: true }),
      path.replace('/account/decisions', '/moderation/objections'),
    ];
    // MOD-90
    expect((await moderator.submit(objectionPath, { answer: 'dismiss', reason: 'platí' })).status).toBe(409);
    expect((await second.submit(objectionPath, { answer: 'dismiss', reason: 'platí' })).status).toBe(303);
    expect((await author.get(path)).html).toMatch(
      /We have rejected your objection\. The decision does not change\.<\/strong> platí/,
    );
    // MOD-20: the audit log contains the accounts of the moderators.
    const log = (await server.app.get(AuditLog).entries(null, 2)).map(({ action, actor_id, operator }) => [
      action,
      Number(actor_id),
      operator,
    ]);
    expect(log).toEqual([
      ['objection dismiss', olga.userId, null],
      ['report warn', marta.userId, null],
    ]);
  });

  // MOD-70, MOD-71
  it('link to a report form from the content of other people; the form refuses a second report and a report of the reader’s own content', async () => {
    const group = await buildGroup(server, jana, { name: 'Běžci' });
    const { id } = await buildEvent(server, jana, { title: 'Běh', photos_enabled: true });
    await confirm(server, id, petr);
    const photo = (await jana.api.upload(`/events/${id}/photos`, [['photos[]', new Blob([await phonePhoto()])]])).body
      .data[0].id as string;
    const comment = (await jana.api.post(`/events/${id}/comments`, { body: 'Přijďte' })).body.data.id as string;
    const post = (
      await jana.api.post('/posts', { title: 'O běhu', body: 'text', categories: ['kolo'], status: 'published' })
    ).body.data.slug as string;
    const series = (
      await jana.api.post('/series', {
        title: 'Běhy',
        starts_at: new Date(server.clock.now().getTime() + 86_400_000).toISOString(),
        frequency: 'weekly',
        interval: 1,
        occurrences_limit: 2,
        is_public: true,
      })
    ).body.data.id as string;
    const puls = (
      await jana.api.upload('/puls', [
        ['latitude', '50.1'],
        ['longitude', '14.4'],
        ['body', 'Běžím'],
      ])
    ).body.data.id as string;
    const [reader, author] = [await visitorOf(server, petr), await visitorOf(server, jana)];
    const reportable = [
      [`/events/${id}`, 'event', id],
      [`/events/${id}`, 'photo', photo],
      [`/events/${id}`, 'comment', comment],
      [`/groups/${group.id}`, 'group', group.id],
      [`/posts/${post}`, 'post', post],
      [`/people/${jana.slug}`, 'user', jana.slug],
      [`/series/${series}`, 'series', series],
      ['/puls?lat=50.1&lng=14.4', 'puls', puls],
    ] as const;
    for (const [page, type, subjectId] of reportable) {
      const form = `/report?type=${type}&id=${subjectId}`;
      expect([page, (await reader.get(page)).html.includes(`href="${form.replace('&', '&amp;')}"`)]).toEqual([
        page,
        true,
      ]);
      expect([page, (await author.get(page)).html.includes(`type=${type}&amp;id=${subjectId}`)]).toEqual([page, false]);
      const { to } = await reader.submit(form, { type, id: subjectId, reason: 'spam', note: '' });
      const hasPage = !['comment', 'photo', 'puls'].includes(type);
      expect(to).toBe(hasPage ? `/report?sent&type=${type}&id=${subjectId}` : '/report?sent');
      expect((await reader.get(to!)).html.includes(`<a href="${page}">Back to the reported page</a>`)).toBe(hasPage);
      const again = await reader.submit(form, { type, id: subjectId, reason: 'spam' });
      expect([again.status, again.html.includes('role="alert"')]).toEqual([409, true]);
      // PAGE-21
      const refused = formTo((await reader.get(form)).html, '/report');
      const body = filledIn(refused, { reason: 'spam' });
      const { status, html } = await reader.send('POST', refused.action, body, { accept: 'application/json' });
      expect([status, JSON.parse(html)]).toEqual([409, { code: 'already_reported', message: expect.any(String) }]);
    }
    expect(
      (await petr.api.get('/reports')).body.data.map((one: { subject_type: string }) => one.subject_type).sort(),
    ).toEqual(reportable.map(([, type]) => type).sort());
    expect((await reader.get('/report?type=event&id=nowhere')).status).toBe(404);
    expect((await reader.get('/report?sent')).html).toContain('Thank you');
    expect((await author.submit(`/report?type=event&id=${id}`, { type: 'event', id, reason: 'spam' })).status).toBe(
      422,
    );
  });

  // PAGE-98
  it('create one report if a member sends the form twice, and thank the member both times', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Bazar (levně)' });
    const reader = await visitorOf(server, petr);
    const { html } = await reader.get(`/report?type=event&id=${id}`);
    expect(html).toContain('<strong>Event</strong>: Bazar (levně)');
    expect(html).toMatch(
      /<select id="reason" name="reason"\s+required\s*><option value=""\s+selected\s*>Choose a reason</,
    );
    const form = formTo(html, '/report');
    const send = () => reader.send('POST', form.action, filledIn(form, { reason: 'spam' }));
    expect((await Promise.all([send(), send()])).map(({ to }) => to)).toEqual(
      Array(2).fill(`/report?sent&type=event&id=${id}`),
    );
    expect((await petr.api.get('/reports')).body.meta.total).toBe(1);
  });

  // MOD-70, MOD-71, MOD-72, MOD-73
  it('accept reports by people without an account', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Trh' });
    const { id: hidden } = await buildEvent(server, jana, { title: 'Tajný', is_public: false });
    const stranger = new Visitor(server);
    const page = (await stranger.get('/report')).html;
    for (const name of ['address', 'name', 'email', 'reason', 'note', 'good_faith'])
      expect(page).toContain(`name="${name}"`);
    const validFields = {
      address: `${server.origin}/events/${id}?x=1`,
      name: 'Cizí člověk',
      email: 'cizi@example.com',
      reason: 'illegal',
      note: 'Kradené věci.',
      good_faith: '1',
    };
    const wrong: [string, object][] = [
      ['address', { address: `https://elsewhere.example/events/${id}` }],
      ['address', { address: `/events/${hidden}` }],
      ['address', { address: '' }],
      ['name', { name: '' }],
      ['email', { email: 'nikdo' }],
      ['note', { note: '' }],
      ['reason', { reason: 'hodně' }],
      ['good_faith', { good_faith: '' }],
      ['good_faith', { good_faith: '0' }],
    ];
    const base = server.app.get(WireFormat).page('');
    const address = `${base}/events/${id}?x=1`;
    for (const [field, fields] of wrong) {
      const { status, html } = await stranger.submit('/report', { ...validFields, address, ...fields });
      expect([field, status, html.includes(`id="${field}-error"`)]).toEqual([field, 422, true]);
    }
    expect(await server.sql('SELECT 1 FROM reports')).toEqual([]);
    expect((await stranger.submit('/report', { ...validFields, address })).to).toBe(`/report?sent&type=event&id=${id}`);
    // The same form sent again, for example by a double click, leads to the same page.
    expect((await stranger.submit('/report', { ...validFields, address })).to).toBe(`/report?sent&type=event&id=${id}`);
    for (const changed of [{ email: 'CIZI@example.com' }, { note: 'Jiný důvod.' }])
      expect((await stranger.submit('/report', { ...validFields, address, ...changed })).status).toBe(409);
    expect(
      await server.sql(
        'SELECT reporter_id, reporter_name, reporter_email, subject_type, subject_sent, reason, note FROM reports',
      ),
    ).toEqual([
      {
        reporter_id: null,
        reporter_name: 'Cizí člověk',
        reporter_email: 'cizi@example.com',
        subject_type: 'event',
        subject_sent: id,
        reason: 'illegal',
        note: 'Kradené věci.',
      },
    ]);
    // The answer to the report is mailed once, in the language of the reporter.
    const [reportRow] = await server.sql<{ id: string }>('SELECT id FROM reports');
    await server.app
      .get(DecisionsService)
      .decide(Number(reportRow!.id), { decision: 'remove', reason: 'zboží je kradené', actorId: null });
    const source = server.app.get(ReportAnswersSource);
    const reportIds = await server.database.transaction((tx) => source.take(tx, server.clock.now(), 10));
    expect(reportIds).toEqual([Number(reportRow!.id)]);
    const mail = await source.mailOf(reportIds[0]!);
    expect([mail!.to, mail!.subject]).toEqual([
      { name: 'Cizí člověk', address: 'cizi@example.com' },
      'A decision on your report',
    ]);
    expect(mail!.text).toMatch(/Hello Cizí člověk,[^]*event \(Trh\)\. They have removed it\./);
    expect(mail!.text).not.toMatch(/kradené/);
    await source.markSent(reportIds[0]!, server.clock.now());
    expect([
      await source.mailOf(reportIds[0]!),
      await server.database.transaction((tx) => source.take(tx, server.clock.now(), 10)),
    ]).toEqual([null, []]);
    expect((await stranger.get(`/events/${id}`)).status).toBe(404);
    // The form can also be opened from the page of an event.
    const { id: other } = await buildEvent(server, jana);
    expect((await stranger.get(`/events/${other}`)).html).toContain(`/report?type=event&amp;id=${other}`);
    expect(
      (
        await stranger.submit(`/report?type=event&id=${other}`, {
          ...validFields,
          type: 'event',
          id: other,
          email: 'jina@example.com',
        })
      ).to,
    ).toBe(`/report?sent&type=event&id=${other}`);
  });

  // MOD-72, PAGE-96
  it('show the typed text of the report again if a person without an account has exceeded the limit of attempts', async () => {
    const stranger = new Visitor(server, { 'x-forwarded-for': `203.0.113.${++visitorCount}` });
    const send = () => stranger.submit('/report', { note: 'Kradené věci.' });
    for (let n = 0; n < LIMITS.sign_in.per_ip; n++) expect((await send()).status).toBe(422);
    const refused = await send();
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(refused.html).toMatch(/role="alert"[^]*Too many requests[^]*<textarea[^>]*>Kradené věci\./);
  });

  // MOD-31, MOD-71, PAGE-34
  it('show the report form for a Puls post only to readers with an account, and no form for an unknown kind of content', async () => {
    const puls = (
      await jana.api.upload('/puls', [
        ['latitude', '50.1'],
        ['longitude', '14.4'],
        ['body', 'Běžím'],
      ])
    ).body.data.id as string;
    const [stranger, reader] = [new Visitor(server), await visitorOf(server, petr)];
    const form = `/report?type=puls&id=${puls}`;
    expect((await reader.get(form)).html).toContain('Běžím');
    expect((await stranger.get(form)).status).toBe(404);
    for (const link of ['type=bogus&id=x', 'type=&id=x', 'type=event'])
      expect([link, (await reader.get(`/report?${link}`)).status]).toEqual([link, 404]);
    expect((await reader.submit('/report', { type: 'bogus', id: 'x', reason: 'spam' })).status).toBe(404);
    expect((await stranger.get('/report?id=x')).status).toBe(200);
    expect(await server.sql('SELECT 1 FROM reports')).toEqual([]);
  });

  // MOD-71
  it('have no report form for an id that contains a NUL character', async () => {
    const reader = await visitorOf(server, petr);
    for (const type of ['post', 'user', 'event'])
      expect([type, (await reader.get(`/report?type=${type}&id=a%00`)).status]).toEqual([type, 404]);
    expect((await reader.submit('/report', { type: 'post', id: '\0', reason: 'spam' })).status).toBe(404);
  });

  // MOD-71, PEO-7
  it('have a report form for a person only if the reader can see this person', async () => {
    const { skryta } = await server.people('skryta');
    await server.sql('UPDATE users SET searchable = false WHERE id = $1', [skryta.userId]);
    const [stranger, reader] = [new Visitor(server), await visitorOf(server, petr)];
    const statuses = async (): Promise<number[]> => {
      const answers = [];
      for (const visitor of [stranger, reader])
        for (const id of [skryta.slug, skryta.id]) answers.push(await visitor.get(`/report?type=user&id=${id}`));
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([404, 404, 404, 404]);
    await buildEvent(server, skryta, { is_public: false, with: [[petr, 'confirmed']] });
    expect(await statuses()).toEqual([404, 404, 200, 200]);
    await buildEvent(server, skryta);
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await server.sql('UPDATE users SET banned = true WHERE id = $1', [skryta.userId]);
    expect(await statuses()).toEqual([404, 404, 404, 404]);
  });

  // MOD-72
  it('accept at most twenty reports a day from one e-mail address; upper and lower case do not matter', async () => {
    const stranger = new Visitor(server);
    const validFields = { name: 'Cizí', email: 'pilny@example.com', reason: 'spam', note: 'x', good_faith: '1' };
    const { id } = await buildEvent(server, jana);
    await server.sql(
      `INSERT INTO reports (reporter_email, reporter_name, subject_type, subject_id, subject_sent, snapshot, reason,
                            created_at)
       SELECT CASE n % 2 WHEN 0 THEN 'pilny@example.com' ELSE 'Pilny@Example.com' END, 'x', 'user', n, 'x', '{}',
              'spam', $1 FROM generate_series(1, 20) n`,
      [server.clock.now()],
    );
    const refused = await stranger.submit(`/report?type=event&id=${id}`, { ...validFields, type: 'event', id });
    expect([refused.status, refused.html.includes('role="alert"')]).toEqual([429, true]);
    expect(await server.sql(`SELECT count(*)::int AS n FROM reports`)).toEqual([{ n: 20 }]);
  });

  // MOD-72
  it('count the reports of the last 24 hours towards the limit of twenty reports from one e-mail address', async () => {
    const stranger = new Visitor(server);
    const { id } = await buildEvent(server, jana);
    const validFields = { name: 'Cizí', email: 'pilny@example.com', reason: 'spam', note: 'x', good_faith: '1' };
    const sendReport = () =>
      stranger
        .submit(`/report?type=event&id=${id}`, { ...validFields, type: 'event', id })
        .then(({ status }) => status);
    const createReports = (minutesAgo: number) =>
      server.sql(
        `INSERT INTO reports (reporter_email, reporter_name, subject_type, subject_id, subject_sent, snapshot, reason,
                              created_at)
         SELECT 'pilny@example.com', 'x', 'user', n, 'x', '{}', 'spam', $1 FROM generate_series(1, 20) n`,
        [new Date(server.clock.now().getTime() - minutesAgo * 60_000)],
      );
    await createReports(24 * 60 - 5);
    expect(await sendReport()).toBe(429);
    await server.sql('DELETE FROM reports');
    await createReports(24 * 60);
    expect(await sendReport()).toBe(303);
  });

  // MOD-72
  it('accept at most twenty reports a day from one e-mail address, even if the reports are sent in parallel', async () => {
    const events = await Promise.all(Array.from({ length: 6 }, () => buildEvent(server, jana)));
    await server.sql(
      `INSERT INTO reports (reporter_email, reporter_name, subject_type, subject_id, subject_sent, snapshot, reason,
                            created_at)
       SELECT 'pilny@example.com', 'x', 'user', n, 'x', '{}', 'spam', $1 FROM generate_series(1, 18) n`,
      [server.clock.now()],
    );
    const service = server.app.get(AnonymousReportsService);
    await warmConnections(server.app.get(DataSource));
    const settled = await Promise.allSettled(
      events.map(({ id }, i) =>
        service.create({
          name: 'Cizí',
          email: i % 2 ? 'pilny@example.com' : 'Pilny@Example.com',
          locale: 'cs',
          subject_type: 'event',
          subject_id: id,
          reason: 'spam',
          note: 'x',
        }),
      ),
    );
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await server.sql('SELECT count(*)::int AS n FROM reports')).toEqual([{ n: 20 }]);
  });

  // MOD-73
  it('mail the outcome to a person without an account only if the mail can be queued within a day of the decision', async () => {
    await server.sql(
      `INSERT INTO reports (reporter_email, reporter_name, reporter_locale, subject_type, subject_id, subject_sent,
                            snapshot, reason, outcome, decided_at, created_at)
       VALUES ('cizi@example.com', 'Cizí', 'en', 'user', 1, 'x', '{}', 'spam', 'dismissed', $1, $1)`,
      [server.clock.now()],
    );
    const source = server.app.get(ReportAnswersSource);
    const queuedAfter = async (minutes: number): Promise<number> =>
      (
        await server.database.transaction((tx) =>
          source.take(tx, new Date(server.clock.now().getTime() + minutes * 60_000), 10),
        )
      ).length;
    expect([await queuedAfter(24 * 60 + 5), await queuedAfter(24 * 60 - 5)]).toEqual([0, 1]);
  });

  // MOD-61, MOD-63
  it('show the numbers of reported objects and of unanswered objections, and list the latest decision and the oldest objection first', async () => {
    const queue = server.app.get(ModerationQueue);
    const objections = server.app.get(ObjectionsService);
    const before = await queue.waiting();
    const { id } = await buildEvent(server, jana);
    const ids = server.app.get(WireFormat).ids;
    const decisionIds: number[] = [];
    for (const reason of ['první', 'druhý']) {
      const rowId = ids.decode('report', await report(petr, 'event', id))!;
      await server.app.get(DecisionsService).decide(rowId, { decision: 'warn', reason, actorId: null });
      decisionIds.push(ids.decode('decision', await latestDecision())!);
    }
    await report(olga, 'event', id);
    const rowId = ids.decode('report', await report(petr, 'event', id))!;
    expect(await queue.waiting()).toEqual({ reported_objects: 1, objections: before.objections });
    expect((await queue.reportedObject(rowId))?.former).toMatchObject([
      { reason: 'druhý', is_same: true },
      { reason: 'první', is_same: true },
    ]);
    const [first, second] = decisionIds as [number, number];
    // The objection to the later decision is made first.
    await objections.addObjection(second, 'proč druhý');
    server.clock.forward(1000);
    await objections.addObjection(first, 'proč první');
    const listed = async () =>
      (await objections.unanswered(100)).map((one) => Number(one.id)).filter((one) => decisionIds.includes(one));
    expect([await listed(), (await queue.waiting()).objections]).toEqual([[second, first], before.objections + 2]);
    await objections.answer(second, { granted: false, reason: 'platí', actorId: null });
    expect([await listed(), (await queue.waiting()).objections]).toEqual([[first], before.objections + 1]);
    await objections.answer(first, { granted: false, reason: 'platí', actorId: null });
  });
});

// MOD-74
describeWith(
  'chromium-headless-shell',
  'the path of a report in a browser, from its form to the answer to an objection',
  () => {
    it('works with and without scripts, on a phone and on a desktop, in light and dark mode', async () => {
      const server = await TestServer.start();
      const browser = await openBrowser();
      try {
        const { jana, petr, marta } = await server.people('jana', 'petr', 'marta');
        const { id } = await buildEvent(server, jana, { title: 'Levné hodinky', description: '<p>Jen dnes.</p>' });
        const checkedPages: string[] = [];
        const open = async (person: Person, options: { width: number; dark: boolean; scripts: boolean }) => {
          const context = await browser.newContext({
            baseURL: server.origin,
            locale: 'cs-CZ',
            viewport: { width: options.width, height: 812 },
            colorScheme: options.dark ? 'dark' : 'light',
            javaScriptEnabled: options.scripts,
          });
          await (await visitorOf(server, person, { moderator: person === marta, locale: 'cs' })).copyCookiesTo(context);
          const page = await context.newPage();
          const checkPage = async (name: string) => {
            if (SCREENSHOT_FOLDER) await page.screenshot({ path: `${SCREENSHOT_FOLDER}/${name}.png`, fullPage: true });
            checkedPages.push(name);
            if (options.scripts) expect([name, await accessibilityViolations(page)]).toEqual([name, []]);
            if (options.scripts)
              expect([name, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([
                name,
                options.width,
              ]);
          };
          return { page, checkPage, close: () => context.close() };
        };

        const reporter = await open(petr, { width: 375, dark: false, scripts: true });
        await reporter.page.goto(`/events/${id}`);
        await reporter.checkPage('report-link');
        await reporter.page.click('aside a.report');
        await reporter.page.selectOption('#reason', 'fraud');
        await reporter.page.fill('#note', 'Hodinky jsou falešné.');
        await reporter.checkPage('report-form');
        await reporter.page.click('main button');
        await reporter.page.waitForURL('**/report?sent&*');
        await reporter.checkPage('report-sent');

        const moderator = await open(marta, { width: 375, dark: true, scripts: true });
        await moderator.page.goto('/account');
        await moderator.page.click('nav.tabs a[href="/moderation"]');
        await moderator.checkPage('moderation-queue');
        await moderator.page.click('main h2 a:has-text("Levné hodinky")');
        await moderator.page.check('input[value=remove]');
        await moderator.page.fill('#reason', 'Podvodná nabídka.');
        await moderator.checkPage('moderation-report');
        await moderator.page.click('main form button');
        await moderator.page.waitForURL('**/moderation?done');
        expect((await petr.api.get(`/discover/events/${id}`)).status).toBe(404);

        const author = await open(jana, { width: 1280, dark: false, scripts: false });
        await author.page.goto('/account/notices');
        await author.page.click('main ol.notices a');
        await author.checkPage('decision');
        await author.page.fill('#objection', 'Jsou pravé, mám doklad.');
        await author.page.click('main form button');
        expect(await author.page.textContent('main')).toContain('Čeká na odpověď.');

        await moderator.page.click('nav.tabs a[href="/moderation/objections"]');
        await moderator.checkPage('moderation-objections');
        await moderator.page.click('main h2 a');
        await moderator.page.check('input[value=grant]');
        await moderator.page.fill('#reason', 'Doklad souhlasí.');
        await moderator.checkPage('moderation-objection');
        await moderator.page.click('main form button');
        await moderator.page.waitForURL('**/objections?done');
        await moderator.page.goto('/moderation/history');
        await moderator.checkPage('moderation-history');

        expect((await petr.api.get(`/discover/events/${id}`)).status).toBe(200);
        await author.page.reload();
        expect(await author.page.textContent('main')).toContain('Vaší námitce jsme vyhověli');
        await reporter.page.goto('/account/notices');
        expect(await reporter.page.textContent('main')).toContain('Odstranili to.');
        await reporter.page.goto('/account/reports');
        expect(await reporter.page.textContent('main')).toContain('odstraněno');
        expect(checkedPages).toHaveLength(9);
        for (const one of [reporter, moderator, author]) await one.close();
      } finally {
        await browser.close();
        await server.stop();
      }
    }, 120_000);
  },
);
