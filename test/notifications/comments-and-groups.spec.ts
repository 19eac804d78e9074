import { setTimeout as pause } from 'node:timers/promises';
import { Settings } from '#platform/config/settings';
import { browserOf } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { CommandLine } from '#testing/command-line';
import { Feed } from '#testing/feed';
import type { Person } from '#testing/people';
import { buildSeries, confirm, occurrencesOf } from '#testing/series';
import { TestServer } from '#testing/test-server';

/** NOTE-15, NOTE-18 */
describe('notices about comments and groups', () => {
  let server: TestServer;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());

  const noticesOf = async ({ api }: Person) => {
    const { body } = await api.send('GET', '/notices', { headers: { 'accept-language': 'en' } });
    return body.data as {
      id: string;
      kind: string;
      text: string;
      subject: { type: string; id: string; url: string };
    }[];
  };
  const textsOf = async (person: Person) => (await noticesOf(person)).map(({ text }) => text);
  const comment = async (author: Person, path: string, body: string, parent?: string): Promise<string> => {
    const answer = await author.api.post(`${path}/comments`, { body, ...(parent !== undefined && { parent }) });
    expect([answer.status, answer.body.code]).toEqual([201, undefined]);
    return answer.body.data.id;
  };
  const block = (blocker: Person, blocked: Person) =>
    server.sql('INSERT INTO user_blocks (blocker_id, blocked_id, created_at) VALUES ($1, $2, now())', [
      blocker.userId,
      blocked.userId,
    ]);
  const markAllRead = async (person: Person) =>
    person.api.post('/notices/read', { up_to: (await noticesOf(person))[0]?.id ?? '' });

  // NOTE-15
  it('inform the organizer about comments, and the people in a thread about replies; while a notice is unread, there is no second notice about the thread', async () => {
    const { jana, petr, eva, adam } = await server.people('jana', 'petr', 'eva', 'adam');
    const event = await buildEvent(server, jana, {
      title: 'Piknik',
      with: [petr, eva, adam].map((person) => [person, 'confirmed'] as const),
    });
    const path = `/events/${event.id}`;
    const root = await comment(petr, path, 'Vezmu deku.');
    const reply = await comment(eva, path, 'A já   <b>koláč</b>\n!', root);
    await comment(eva, path, 'Nebo dva.', root);
    await comment(adam, path, 'Jiné vlákno.');
    expect(await textsOf(petr)).toEqual([`${eva.name} replied to a comment on “Piknik”: “A já koláč !”`]);
    expect(await textsOf(jana)).toEqual([
      `${adam.name} commented on “Piknik”: “Jiné vlákno.”`,
      `${petr.name} commented on “Piknik”: “Vezmu deku.”`,
    ]);
    expect((await noticesOf(petr))[0]?.subject).toEqual({
      type: 'comment',
      id: reply,
      url: expect.stringMatching(new RegExp(`/api/v1/events/${event.id}/comments$`)),
    });
    expect([await textsOf(eva), await textsOf(adam)]).toEqual([[], []]);
    await markAllRead(petr);
    await comment(eva, path, 'A tři.', root);
    expect(await textsOf(petr)).toHaveLength(2);
    const browser = await browserOf(server, jana);
    await browser.get(path);
    expect((await jana.api.get('/notices')).body.meta.unread).toBe(0);
  });

  // NOTE-15, NOTE-21
  it('are not sent to people who block the author or can no longer see the content', async () => {
    const { jana, petr, eva, adam } = await server.people('jana', 'petr', 'eva', 'adam');
    const event = await buildEvent(server, jana, {
      is_public: false,
      with: [petr, eva, adam].map((person) => [person, 'confirmed'] as const),
    });
    const path = `/events/${event.id}`;
    const root = await comment(petr, path, 'Ahoj');
    await comment(eva, path, 'Ahoj', root);
    await markAllRead(petr);
    await block(eva, adam);
    await petr.api.delete(`${path}/join`);
    await comment(adam, path, 'Nazdar', root);
    expect([await textsOf(petr), await textsOf(eva)].map(({ length }) => length)).toEqual([1, 0]);
  });

  // NOTE-15
  it('quote at most 100 characters of a comment, and do not quote a deleted or removed comment', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const { body } = await jana.api.post('/posts', {
      title: 'Zápisek',
      categories: ['mista'],
      body: 'T',
      status: 'published',
    });
    const path = `/posts/${body.data.slug}`;
    const long = await comment(petr, path, `${'ž'.repeat(98)}🎉 a dál`);
    expect(await textsOf(jana)).toEqual([`${petr.name} commented on “Zápisek”: “${'ž'.repeat(98)}🎉…”`]);
    expect((await noticesOf(jana))[0]?.subject).toEqual({
      type: 'comment',
      id: long,
      url: expect.stringMatching(new RegExp(`/api/v1/posts/${body.data.slug}/comments$`)),
    });
    await petr.api.delete(`/comments/${long}`);
    const second = await comment(eva, path, 'Pryč');
    await server.sql('UPDATE all_comments SET removed_at = now() WHERE author_id = $1', [eva.userId]);
    expect(second).toBeTruthy();
    expect(await textsOf(jana)).toEqual([
      `${eva.name} commented on “Zápisek”.`,
      `${petr.name} commented on “Zápisek”.`,
    ]);
  });

  // NOTE-15, MOD-4, MOD-5, MOD-10, CHG-14
  it('do not quote a comment while its event, series or post is removed, or while the organizer of the event or the author of the post is banned', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { id: series } = await buildSeries(server, jana, { atMost: 1 });
    const [{ id } = { id: '' }] = await occurrencesOf(jana, series);
    await confirm(server, id, petr);
    const post = { title: 'Zápisek', categories: ['mista'], body: 'T', status: 'published' };
    const { slug } = (await jana.api.post('/posts', post)).body.data as { slug: string };
    for (const path of [`/events/${id}`, `/posts/${slug}`])
      await comment(jana, path, 'Zlá slova', await comment(petr, path, 'Kořen'));
    const cli = CommandLine.forDatabaseOf(server.app.get(Settings));
    const feed = await Feed.of(petr);
    const updates = async (): Promise<number> =>
      (await feed.newEntries()).filter(({ type }) => type === 'notice.updated').length;
    const quotes = async (): Promise<number> =>
      (await textsOf(petr)).filter((text) => text.includes('Zlá slova')).length;
    for (const [hide, show, hiddenQuotes] of [
      [`content remove event ${id} --reason urážky`, `content restore event ${id}`, 1],
      [`content remove series ${series} --reason urážky`, `content restore series ${series}`, 1],
      [`content remove post ${slug} --reason urážky`, `content restore post ${slug}`, 1],
      [`user ban ${jana.slug}`, `user unban ${jana.slug}`, 2],
    ] as const) {
      await cli.answer(...hide.split(' '));
      expect([hide, await quotes(), await updates()]).toEqual([hide, 2 - hiddenQuotes, hiddenQuotes]);
      await cli.answer(...show.split(' '));
      expect([show, await quotes(), await updates()]).toEqual([show, 2, hiddenQuotes]);
    }
  });

  // NOTE-15
  it('are limited to one unread notice for each thread, even with parallel replies', async () => {
    const { jana, ...others } = await server.people('jana', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    const { body } = await jana.api.post('/posts', {
      title: 'Zápisek',
      categories: ['mista'],
      body: 'T',
      status: 'published',
    });
    const path = `/posts/${body.data.slug}`;
    const root = await comment(jana, path, 'Kdo přijde?');
    await Promise.all(Object.values(others).map((person) => comment(person, path, 'Já', root)));
    await pause(1);
    expect(await textsOf(jana)).toHaveLength(1);
    await (await browserOf(server, jana)).get(path);
    expect((await jana.api.get('/notices')).body.meta.unread).toBe(0);
    for (const person of Object.values(others)) expect((await textsOf(person)).length).toBeLessThanOrEqual(1);
  });

  // NOTE-18
  it('are sent about invitations to a group, requests to join a group, and approvals of these requests', async () => {
    const { jana, petr, eva } = await server.people('jana', 'petr', 'eva');
    const { body } = await jana.api.post('/groups', { name: 'Turisté', is_public: true });
    const path = `/groups/${body.data.id}`;
    await petr.api.post(`${path}/join`);
    await jana.api.post(`${path}/members/${petr.slug}/approve`);
    await jana.api.post(`${path}/members`, { user: eva.slug });
    await eva.api.post(`${path}/join`);
    const subject = { type: 'group', id: body.data.id, url: expect.stringMatching(new RegExp(`/api/v1${path}$`)) };
    const shownNotices = async (person: Person) =>
      (await noticesOf(person)).map(({ kind, text, subject }) => [kind, text, subject]);
    expect(await shownNotices(jana)).toEqual([
      ['group_request', `${petr.name} asks to join your group “Turisté”.`, subject],
    ]);
    expect(await shownNotices(petr)).toEqual([
      ['group_approval', 'Your request to join the group “Turisté” has been approved.', subject],
    ]);
    expect(await shownNotices(eva)).toEqual([
      ['group_invitation', `${jana.name} invites you to the group “Turisté”.`, subject],
    ]);
  });

  // NOTE-18
  it('are not sent about a join request or an approval by a person whom the recipient blocks', async () => {
    const { jana, petr } = await server.people('jana', 'petr');
    const { body } = await jana.api.post('/groups', { name: 'Turisté', is_public: true });
    await block(jana, petr);
    await petr.api.post(`/groups/${body.data.id}/join`);
    expect(await textsOf(jana)).toEqual([]);
    await server.sql('DELETE FROM user_blocks WHERE blocker_id = $1', [jana.userId]);
    await block(petr, jana);
    expect((await jana.api.post(`/groups/${body.data.id}/members/${petr.slug}/approve`)).status).toBe(200);
    expect(await textsOf(petr)).toEqual([]);
  });
});
