import { BansLiftJob } from '#areas/moderation/bans-lift.job';
import { DecisionsService, type Decision } from '#areas/moderation/decisions.service';
import { ObjectionsService, type Answer } from '#areas/moderation/objections.service';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { AuditLog } from '#platform/audit/audit-log';
import { WireFormat } from '#platform/http/wire-format';
import { buildEvent } from '#testing/builders';
import type { Person } from '#testing/people';
import { confirm } from '#testing/series';
import { TestServer } from '#testing/test-server';

const DAY_MS = 86_400_000;

describe('objections, and bans of some days', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  beforeEach(async () => ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva')));
  afterEach(() => jest.restoreAllMocks());

  const rowOf = (kind: 'report' | 'decision', id: string): number => server.app.get(WireFormat).ids.decode(kind, id)!;
  /** Petr reports something of Jana's, and it is decided. → the decision */
  async function decided(subject_type: string, subject_id: string, decision: Decision, days: number | null = null): Promise<number> {
    const { body } = await petr.api.post('/reports', { subject_type, subject_id, reason: 'spam' });
    await server.app.get(DecisionsService).decide(rowOf('report', body.data.id as string), { decision, reason: 'prodává hodinky', days, actorId: null });
    const [row] = await server.sql<{ id: string }>('SELECT max(id) AS id FROM moderation_decisions');
    return Number(row!.id);
  }
  const objections = (): ObjectionsService => server.app.get(ObjectionsService);
  const answer = (id: number, granted: boolean, more: Partial<Answer> = {}) => objections().answer(id, { granted, reason: 'podívali jsme se znovu', actorId: null, ...more });
  const see = async (id: string): Promise<number> => (await eva.api.get(`/discover/events/${id}`)).status;
  const listed = async (title: string): Promise<number> => (await eva.api.get(`/discover/events?q=${title}`)).body.meta.total as number;
  const until = async (person: Person): Promise<[boolean, Date | null]> => {
    const [row] = await server.sql<{ banned: boolean; banned_until: Date | null }>('SELECT banned, banned_until FROM users WHERE id = $1', [person.userId]);
    return [row!.banned, row!.banned_until];
  };
  const latest = async (person: Person): Promise<{ kind: string; words: Record<string, string> }> =>
    (await server.sql<{ kind: string; words: Record<string, string> }>('SELECT kind, words FROM notifications WHERE user_id = $1 ORDER BY id DESC LIMIT 1', [person.userId]))[0]!;

  // MOD-50, MOD-51, MOD-52, MOD-53
  it('granted: what was removed is back as it was, the author is told, and it stands in the log', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Jarmark' });
    await confirm(server, id, petr);
    const before = (await jana.api.get(`/events/${id}`)).body;
    const decision = await decided('event', id, 'remove');
    expect(await see(id)).toBe(404);
    expect(await objections().object(decision, 'Hodinky prodával někdo jiný.')).toBe('yes');
    expect((await objections().waiting(10)).filter((one) => Number(one.id) === decision)).toMatchObject([{ subject_sent: id, author: jana.slug, action: 'remove', objection: 'Hodinky prodával někdo jiný.' }]);
    await answer(decision, true);
    expect((await jana.api.get(`/events/${id}`)).body).toEqual(before);
    expect(await see(id)).toBe(200);
    expect(await latest(jana)).toMatchObject({ kind: 'objection_granted', words: { named: ' (Jarmark)', reason: 'podívali jsme se znovu' } });
    expect(await server.sql('SELECT action, subject, reason, details FROM audit_entries ORDER BY number DESC LIMIT 1'))
      .toEqual([{ action: 'objection grant', subject: `event ${id}`, reason: 'podívali jsme se znovu', details: { decision: 'remove' } }]);
    expect((await objections().waiting(10)).filter((one) => Number(one.id) === decision)).toEqual([]);
    await expect(answer(decision, false)).rejects.toThrow('That objection is answered already.');
    // Granted, so it may be reported and decided anew.
    expect((await petr.api.post('/reports', { subject_type: 'event', subject_id: id, reason: 'spam' })).status).toBe(201);
  });

  // MOD-51, MOD-52
  it('dismissed: it stands, and nobody objects again, also not many at once', async () => {
    const { id } = await buildEvent(server, jana);
    const decision = await decided('event', id, 'remove');
    const tries = await Promise.all(Array.from({ length: 6 }, (_, i) => objections().object(decision, `námitka ${i}`)));
    expect(tries.filter((one) => one === 'yes')).toHaveLength(1);
    await answer(decision, false);
    expect(await see(id)).toBe(404);
    expect((await latest(jana)).kind).toBe('objection_dismissed');
    expect(await objections().object(decision, 'znovu')).toBe('objected');
  });

  // MOD-51
  it('is for thirty days, for the author alone, and not about a dismissal', async () => {
    const { id } = await buildEvent(server, jana);
    const decision = await decided('event', id, 'warn');
    expect((await objections().ofAuthor(decision, jana.userId))?.action).toBe('warn');
    expect(await objections().ofAuthor(decision, petr.userId)).toBeNull();
    const { link } = (await latest(jana)).words;
    const key = /\/objections\/([\w-]{32})$/.exec(link!)![1]!;
    expect(Number((await objections().byKey(key))!.id)).toBe(decision);
    expect(await objections().byKey('x'.repeat(32))).toBeNull();
    await server.sql(`UPDATE moderation_decisions SET decided_at = decided_at - interval '31 days' WHERE id = $1`, [decision]);
    expect(await objections().object(decision, 'pozdě')).toBe('too_late');
    const dismissed = await decided('event', id, 'dismiss');
    expect(await objections().ofAuthor(dismissed, jana.userId)).toBeNull();
    await expect(answer(decision, true)).rejects.toThrow('There is no such objection.');
  });

  // MOD-54
  it('is not decided by whose it is', async () => {
    const { id } = await buildEvent(server, jana);
    const { body } = await petr.api.post('/reports', { subject_type: 'event', subject_id: id, reason: 'spam' });
    await expect(server.app.get(DecisionsService).decide(rowOf('report', body.data.id as string), { decision: 'dismiss', reason: 'x', actorId: jana.userId })).rejects.toThrow('Nobody decides about what is their own.');
    const decision = await decided('user', jana.slug, 'warn');
    await objections().object(decision, 'proč');
    await expect(answer(decision, true, { actorId: jana.userId })).rejects.toThrow('Nobody decides about what is their own.');
    await answer(decision, true, { actorId: petr.userId });
  });

  // MOD-52
  it('fails as a whole', async () => {
    const { id } = await buildEvent(server, jana);
    const decision = await decided('event', id, 'remove');
    await objections().object(decision, 'proč');
    jest.spyOn(server.app.get(AuditLog), 'record').mockRejectedValueOnce(new Error('disk full'));
    await expect(answer(decision, true)).rejects.toThrow('disk full');
    expect(await see(id)).toBe(404);
    await answer(decision, true);
    expect(await see(id)).toBe(200);
  });

  // MOD-46, MOD-47
  it('a ban of some days ends by the clock, in every way at once, before any job', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Dočasník' });
    const { body } = await jana.api.upload('/puls', [['latitude', '50'], ['longitude', '14'], ['body', 'Dočasný puls']]);
    const post = (await jana.api.post('/posts', { title: 'Dočasný článek', body: 'text', categories: ['kolo'], status: 'published' })).body.data.slug as string;
    await decided('user', jana.slug, 'ban', 7);
    const [banned, end] = await until(jana);
    expect([banned, Math.round((end!.getTime() - server.clock.now().getTime()) / DAY_MS)]).toEqual([true, 7]);
    expect((await latest(jana)).words.ends).toBe(end!.toISOString());
    const states = async () => [(await jana.api.get('/user')).status, await see(id), (await eva.api.get(`/posts/${post}`)).status, (await petr.api.get('/puls?lat=50&lng=14')).body.data.some((one: { id: string }) => one.id === body.data.id)];
    expect(await states()).toEqual([403, 404, 404, false]);

    await server.sql(`ALTER TABLE users DISABLE TRIGGER users_ban_live`);
    await server.sql(`UPDATE users SET banned_until = now() - interval '1 second' WHERE id = $1`, [jana.userId]);
    await server.sql(`ALTER TABLE users ENABLE TRIGGER users_ban_live`);
    expect(await states()).toEqual([200, 200, 200, true]);
    expect((await server.app.get(UsersReader).bySlug(jana.slug))?.banned).toBe(false);
    expect(await listed('Dočasník')).toBe(0);
    expect(await server.app.get(BansLiftJob).run()).toEqual({ bans_lifted: 1 });
    expect(await listed('Dočasník')).toBe(1);
    expect(await until(jana)).toEqual([false, null]);
    expect(await server.app.get(BansLiftJob).run()).toEqual({ bans_lifted: 0 });
    expect(await server.sql('SELECT action, subject FROM audit_entries ORDER BY number DESC LIMIT 1')).toEqual([{ action: 'user unban', subject: `user ${jana.slug}` }]);
  });

  // MOD-46
  it('the longer of two bans holds, and one that is over is followed by another', async () => {
    await decided('user', jana.slug, 'ban', 9);
    const [, nine] = await until(jana);
    const ban = (end: Date | null) => server.database.transaction(async (tx) => server.app.get(UsersCommands).ban(tx, (await server.app.get(UsersReader).lockById(tx, jana.userId))!, end));
    await ban(new Date(server.clock.now().getTime() + DAY_MS));
    expect(await until(jana)).toEqual([true, nine]);
    await ban(null);
    expect(await until(jana)).toEqual([true, null]);
    await server.sql(`UPDATE users SET banned_until = now() - interval '1 second' WHERE id = $1`, [jana.userId]);
    await buildEvent(server, jana, { title: 'Mezi dvěma' });
    expect(await listed(encodeURIComponent('Mezi dvěma'))).toBe(1);
    await ban(new Date(server.clock.now().getTime() + DAY_MS));
    expect(await listed(encodeURIComponent('Mezi dvěma'))).toBe(0);
  });

  // MOD-52
  it('granted to one of two bans, the other one holds', async () => {
    const { id } = await buildEvent(server, jana);
    const short = await decided('event', id, 'ban', 3);
    const [, three] = await until(jana);
    await server.sql('UPDATE users SET banned = false, banned_until = NULL WHERE id = $1', [jana.userId]);
    const long = await decided('event', id, 'ban');
    await objections().object(long, 'proč navždy');
    await answer(long, true);
    const [still, end] = await until(jana);
    expect([still, Math.round((end!.getTime() - three!.getTime()) / 1000)]).toEqual([true, 0]);
    await objections().object(short, 'proč');
    await answer(short, true);
    expect(await until(jana)).toEqual([false, null]);
    expect(await see(id)).toBe(200);
  });
});
