import { setTimeout as pause } from 'node:timers/promises';
import { DecisionsService, type Decision } from '#areas/moderation/decisions.service';
import { ContentCommands } from '#areas/moderation/content.commands';
import { ContentDecisions } from '#areas/moderation/content-decisions';
import { contentOf } from '#areas/moderation/contents';
import { ObjectionsService, type Answer } from '#areas/moderation/objections.service';
import { RemovedDeleteJob } from '#areas/moderation/removed-delete.job';
import { CreditsCommands } from '#areas/credits/credits.commands';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { AuditLog } from '#platform/audit/audit-log';
import { Settings } from '#platform/config/settings';
import type { ContentKind } from '#contract/vocabulary';
import { statement } from '#platform/database/database';
import { PublicIds } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { browserOf, withPassword } from '#testing/browsers';
import { buildEvent } from '#testing/builders';
import { CommandLine } from '#testing/command-line';
import { storedFiles } from '#testing/files-and-rows';
import { buildGroup } from '#testing/groups';
import { untilWaitingForLock } from '#testing/held-lock';
import { ledgerFaults } from '#testing/ledger';
import { phonePhoto } from '#testing/media';
import { banFor } from '#testing/moderation-actions';
import type { Person } from '#testing/people';
import { buildSeries, confirm, occurrencesOf } from '#testing/series';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';

const DAY_MS = 86_400_000;

describe('objections and temporary bans', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  beforeEach(async () => ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva')));
  afterEach(() => jest.restoreAllMocks());

  const databaseIdOf = (kind: 'report' | 'decision', id: string): number =>
    server.app.get(WireFormat).ids.decode(kind, id)!;
  /** An operator decides about the report. Returns the id of the decision. */
  async function decide(reportId: number, decision: Decision, days: number | null): Promise<number> {
    await server.app
      .get(DecisionsService)
      .decide(reportId, { decision, reason: 'prodává hodinky', days, actorId: null });
    const [row] = await server.sql<{ id: string }>('SELECT max(id) AS id FROM moderation_decisions');
    return Number(row!.id);
  }
  /** Petr reports content of Jana, and an operator decides about the report. Returns the id of the decision. */
  async function reportAndDecide(
    subject_type: string,
    subject_id: string,
    decision: Decision,
    days: number | null = null,
  ): Promise<number> {
    const { body } = await petr.api.post('/reports', { subject_type, subject_id, reason: 'spam' });
    return decide(databaseIdOf('report', body.data.id as string), decision, days);
  }
  /** Bans Jana, even if she is already banned. SQL inserts the report, because nobody can report a banned person. */
  async function banAgain(days: number | null = null): Promise<number> {
    const [report] = await server.sql<{ id: string }>(
      `INSERT INTO reports (reporter_id, subject_type, subject_id, subject_sent, author_id, snapshot, reason, created_at)
       VALUES ($1, 'user', $2, $3, $2, '{}', 'spam', now()) RETURNING id`,
      [petr.userId, jana.userId, jana.slug],
    );
    return decide(Number(report!.id), 'ban', days);
  }
  const objections = (): ObjectionsService => server.app.get(ObjectionsService);
  const answer = (id: number, granted: boolean, more: Partial<Answer> = {}) =>
    objections().answer(id, { granted, reason: 'podívali jsme se znovu', actorId: null, ...more });
  const httpStatusForEva = async (id: string): Promise<number> => (await eva.api.get(`/discover/events/${id}`)).status;
  const discoverTotal = async (title: string): Promise<number> =>
    (await eva.api.get(`/discover/events?q=${title}`)).body.meta.total as number;
  const banOf = async (person: Person): Promise<[boolean, Date | null]> => {
    const [row] = await server.sql<{ banned: boolean; banned_until: Date | null }>(
      'SELECT banned, banned_until FROM users WHERE id = $1',
      [person.userId],
    );
    return [row!.banned, row!.banned_until];
  };
  const latestNotice = async (person: Person): Promise<{ kind: string; words: Record<string, string> }> =>
    (
      await server.sql<{ kind: string; words: Record<string, string> }>(
        'SELECT kind, words FROM notifications WHERE user_id = $1 ORDER BY id DESC LIMIT 1',
        [person.userId],
      )
    )[0]!;

  // MOD-50, MOD-51, MOD-52, MOD-53
  it('that are granted restore the removed content, notify the author and are recorded in the audit log', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Jarmark' });
    await confirm(server, id, petr);
    const before = (await jana.api.get(`/events/${id}`)).body;
    const decision = await reportAndDecide('event', id, 'remove');
    expect(await httpStatusForEva(id)).toBe(404);
    const reporter = await browserOf(server, petr);
    const hasLink = async () => (await reporter.get('/account/reports')).html.includes(`href="/events/${id}"`);
    expect(await hasLink()).toBe(false);
    expect(await objections().addObjection(decision, 'Hodinky prodával někdo jiný.')).toBe('yes');
    expect((await objections().unanswered(10)).filter((one) => Number(one.id) === decision)).toMatchObject([
      { subject_sent: id, author: jana.slug, action: 'remove', objection: 'Hodinky prodával někdo jiný.' },
    ]);
    await answer(decision, true);
    expect((await jana.api.get(`/events/${id}`)).body).toEqual(before);
    expect(await httpStatusForEva(id)).toBe(200);
    // MOD-70
    expect(await hasLink()).toBe(true);
    expect(await latestNotice(jana)).toMatchObject({
      kind: 'objection_granted',
      words: { named: ' (Jarmark)', reason: 'podívali jsme se znovu' },
    });
    expect(
      await server.sql('SELECT action, subject, reason, details FROM audit_entries ORDER BY number DESC LIMIT 1'),
    ).toEqual([
      {
        action: 'objection grant',
        subject: `event ${id}`,
        reason: 'podívali jsme se znovu',
        details: { decision: 'remove' },
      },
    ]);
    expect((await objections().unanswered(10)).filter((one) => Number(one.id) === decision)).toEqual([]);
    await expect(answer(decision, false)).rejects.toThrow('That objection has already been answered.');
    // After a granted objection the content can be reported again.
    expect((await petr.api.post('/reports', { subject_type: 'event', subject_id: id, reason: 'spam' })).status).toBe(
      201,
    );
  });

  // MOD-51, MOD-52
  it('that are dismissed do not change the decision, and cannot be repeated', async () => {
    const { id } = await buildEvent(server, jana);
    const decision = await reportAndDecide('event', id, 'remove');
    const attempts = await Promise.all(
      Array.from({ length: 6 }, (_, i) => objections().addObjection(decision, `námitka ${i}`)),
    );
    expect(attempts.filter((one) => one === 'yes')).toHaveLength(1);
    expect(await objections().addObjection(decision, `námitka ${attempts.indexOf('yes')}`)).toBe('yes');
    await answer(decision, false);
    expect(await httpStatusForEva(id)).toBe(404);
    expect((await latestNotice(jana)).kind).toBe('objection_dismissed');
    expect(await objections().addObjection(decision, 'znovu')).toBe('already_objected');
  });

  // MOD-51
  it('can be made only by the author, only within thirty days, and not to a decision that dismissed the report', async () => {
    const { id } = await buildEvent(server, jana);
    const decision = await reportAndDecide('event', id, 'warn');
    expect((await objections().ofAuthor(decision, jana.userId))?.action).toBe('warn');
    expect(await objections().ofAuthor(decision, petr.userId)).toBeNull();
    const { link } = (await latestNotice(jana)).words;
    const key = /\/objections\/([\w-]{32})$/.exec(link!)![1]!;
    expect(Number((await objections().byKey(key))!.id)).toBe(decision);
    expect(await objections().byKey('x'.repeat(32))).toBeNull();
    await server.sql(`UPDATE moderation_decisions SET decided_at = decided_at - interval '31 days' WHERE id = $1`, [
      decision,
    ]);
    expect(await objections().addObjection(decision, 'pozdě')).toBe('too_late');
    const dismissed = await reportAndDecide('event', id, 'dismiss');
    expect(await objections().ofAuthor(dismissed, jana.userId)).toBeNull();
    await expect(answer(decision, true)).rejects.toThrow('There is no such objection.');
  });

  // MOD-54
  it('cannot be answered by the author of the content', async () => {
    const { id } = await buildEvent(server, jana);
    const { body } = await petr.api.post('/reports', { subject_type: 'event', subject_id: id, reason: 'spam' });
    await expect(
      server.app.get(DecisionsService).decide(databaseIdOf('report', body.data.id as string), {
        decision: 'dismiss',
        reason: 'x',
        actorId: jana.userId,
      }),
    ).rejects.toThrow('Moderators cannot decide about their own content.');
    const decision = await reportAndDecide('user', jana.slug, 'warn');
    await objections().addObjection(decision, 'proč');
    await expect(answer(decision, true, { actorId: jana.userId })).rejects.toThrow(
      'Moderators cannot decide about their own content.',
    );
    await answer(decision, true, { actorId: petr.userId });
  });

  // MOD-90
  it('must be answered by a moderator or admin who did not make the decision, if there is such a person', async () => {
    const event = await buildEvent(server, jana);
    const setModerator = (person: Person, moderator: boolean) =>
      server.sql('UPDATE users SET moderator = $2 WHERE id = $1', [person.userId, moderator]);
    await server.sql('UPDATE users SET moderator = false, admin = false');
    await setModerator(petr, true);
    const { body } = await eva.api.post('/reports', { subject_type: 'event', subject_id: event.id, reason: 'spam' });
    await server.app.get(DecisionsService).decide(databaseIdOf('report', body.data.id as string), {
      decision: 'warn',
      reason: 'reklama',
      days: null,
      actorId: petr.userId,
    });
    const [row] = await server.sql<{ id: string }>('SELECT max(id) AS id FROM moderation_decisions');
    const decision = Number(row!.id);
    await objections().addObjection(decision, 'Není to reklama.');
    await setModerator(eva, true);
    await expect(answer(decision, false, { actorId: petr.userId })).rejects.toThrow(
      'Someone else must answer an objection',
    );
    // The only other moderators are Eva, who is banned, and Jana, who is the author. Neither of them can answer, so
    // Petr can answer, although he made the decision.
    await server.sql('UPDATE users SET banned = true WHERE id = $1', [eva.userId]);
    await setModerator(jana, true);
    const reasonNotToAnswer = async () =>
      objections().reasonNotToAnswer((await objections().byId(decision))!, petr.userId);
    expect(await reasonNotToAnswer()).toBeNull();
    await server.sql('UPDATE users SET banned = false WHERE id = $1', [eva.userId]);
    expect(await reasonNotToAnswer()).toBe('own_decision');
    // Eva can also answer as an admin who is not a moderator, but not after her account is erased.
    await server.sql('UPDATE users SET moderator = false, admin = true WHERE id = $1', [eva.userId]);
    expect(await reasonNotToAnswer()).toBe('own_decision');
    await server.sql('UPDATE users SET gone = true WHERE id = $1', [eva.userId]);
    expect(await reasonNotToAnswer()).toBeNull();
    await server.sql('UPDATE users SET gone = false WHERE id = $1', [eva.userId]);
    await answer(decision, false, { actorId: eva.userId });
    await setModerator(jana, false);
  });

  // MOD-52
  it('that are granted change nothing if the answer cannot be recorded in the audit log', async () => {
    const { id } = await buildEvent(server, jana);
    const decision = await reportAndDecide('event', id, 'remove');
    await objections().addObjection(decision, 'proč');
    jest.spyOn(server.app.get(AuditLog), 'record').mockRejectedValueOnce(new Error('disk full'));
    await expect(answer(decision, true)).rejects.toThrow('disk full');
    expect(await httpStatusForEva(id)).toBe(404);
    await answer(decision, true);
    expect(await httpStatusForEva(id)).toBe(200);
  });

  // MOD-46, MOD-47
  it('end on time: a ban has no effect after its exact end; the list of Discover changes later, when the job bans-lift runs', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Dočasník' });
    const { body } = await jana.api.upload('/puls', [
      ['latitude', '50'],
      ['longitude', '14'],
      ['body', 'Dočasný puls'],
    ]);
    const post = (
      await jana.api.post('/posts', {
        title: 'Dočasný článek',
        body: 'text',
        categories: ['kolo'],
        status: 'published',
      })
    ).body.data.slug as string;
    await reportAndDecide('user', jana.slug, 'ban', 7);
    const [banned, end] = await banOf(jana);
    expect([banned, Math.round((end!.getTime() - server.clock.now().getTime()) / DAY_MS)]).toEqual([true, 7]);
    expect((await latestNotice(jana)).words.ends).toBe(end!.toISOString());
    const states = async () => [
      (await jana.api.get('/user')).status,
      await httpStatusForEva(id),
      (await eva.api.get(`/posts/${post}`)).status,
      (await petr.api.get('/puls?lat=50&lng=14')).body.data.some((one: { id: string }) => one.id === body.data.id),
    ];
    expect(await states()).toEqual([403, 404, 404, false]);

    await server.sql(`ALTER TABLE users DISABLE TRIGGER users_ban_live`);
    await server.sql(`UPDATE users SET banned_until = now() - interval '1 second' WHERE id = $1`, [jana.userId]);
    await server.sql(`ALTER TABLE users ENABLE TRIGGER users_ban_live`);
    expect(await states()).toEqual([200, 200, 200, true]);
    expect((await server.app.get(UsersReader).bySlug(jana.slug))?.banned).toBe(false);
    expect(await discoverTotal('Dočasník')).toBe(0);
    expect(await server.job('bans-lift')).toEqual({ bans_lifted: 1 });
    expect(await discoverTotal('Dočasník')).toBe(1);
    expect(await banOf(jana)).toEqual([false, null]);
    expect(await server.job('bans-lift')).toEqual({ bans_lifted: 0 });
    expect(await server.sql('SELECT action, subject FROM audit_entries ORDER BY number DESC LIMIT 1')).toEqual([
      { action: 'user unban', subject: `user ${jana.slug}` },
    ]);
  });

  // MOD-47
  it('end on time: a ban that is over has no effect on sign-in, reports, seats and pages, even before the job bans-lift runs', async () => {
    const account = await withPassword(server, jana);
    const reader = await browserOf(server, petr);
    await server.sql('UPDATE users SET show_participation = true WHERE id = $1', [jana.userId]);
    const going = await buildEvent(server, eva, { with: [[jana, 'confirmed']] });
    const full = await buildEvent(server, eva, {
      max_participants: 2,
      waitlist_mode: 'offer',
      with: [
        [petr, 'confirmed'],
        [jana, 'waitlisted'],
      ],
    });
    const series = await buildSeries(server, jana, { is_public: true });
    const states = async () => {
      await server.job('offers-sweep');
      const participants = (await eva.api.get(`/events/${full.id}/participants`)).body.data as {
        user: { slug: string };
        offer_expires_at: string | null;
      }[];
      return {
        signIn: (await new Visitor(server).submit('/sign-in', account)).status,
        report: (await petr.api.post('/reports', { subject_type: 'user', subject_id: jana.slug, reason: 'spam' }))
          .status,
        isShownAsGoing: (await reader.get(`/events/${going.id}`)).html.includes(`/people/${jana.slug}`),
        hasOffer: participants.some(
          ({ user, offer_expires_at }) => user.slug === jana.slug && offer_expires_at !== null,
        ),
        series: (await server.nobody.get(`~/series/${series.id}`)).status,
        calendarOfSeries: (await server.nobody.get(`~/series/${series.id}/calendar.ics`)).status,
      };
    };
    await banFor(server, jana, '1 day');
    await petr.api.delete(`/events/${full.id}/join`);
    expect(await states()).toEqual({
      signIn: 422,
      report: 422,
      isShownAsGoing: false,
      hasOffer: false,
      series: 404,
      calendarOfSeries: 404,
    });
    await banFor(server, jana, '-1 second');
    expect(await states()).toEqual({
      signIn: 303,
      report: 201,
      isShownAsGoing: true,
      hasOffer: true,
      series: 200,
      calendarOfSeries: 200,
    });
    // The ban is lifted here, because another test counts the bans that the job lifts.
    await server.job('bans-lift');
  });

  // MOD-46
  it('do not shorten other bans: a new ban does not shorten a longer ban, but replaces a ban that has ended', async () => {
    await reportAndDecide('user', jana.slug, 'ban', 9);
    const [, endAfterNineDays] = await banOf(jana);
    const ban = (end: Date | null) =>
      server.database.transaction(async (tx) =>
        server.app.get(UsersCommands).ban(tx, (await server.app.get(UsersReader).lockById(tx, jana.userId))!, end),
      );
    await ban(new Date(server.clock.now().getTime() + DAY_MS));
    expect(await banOf(jana)).toEqual([true, endAfterNineDays]);
    await ban(null);
    expect(await banOf(jana)).toEqual([true, null]);
    await ban(new Date(server.clock.now().getTime() + DAY_MS));
    expect(await banOf(jana)).toEqual([true, null]);
    await banAgain(3_650);
    expect(await banOf(jana)).toEqual([true, null]);
    await server.sql(`UPDATE users SET banned_until = now() - interval '1 second' WHERE id = $1`, [jana.userId]);
    await buildEvent(server, jana, { title: 'Mezi dvěma' });
    expect(await discoverTotal(encodeURIComponent('Mezi dvěma'))).toBe(1);
    await ban(new Date(server.clock.now().getTime() + DAY_MS));
    expect(await discoverTotal(encodeURIComponent('Mezi dvěma'))).toBe(0);
  });

  // MOD-44, MOD-46
  it('do not shorten other bans: the notice and the page of a shorter ban show the end of the longer ban', async () => {
    /** The page of a decision shows the end of a ban. Returns the number of days until this end. */
    const daysOf = async (decision: number): Promise<number> =>
      daysUntil((await objections().endOfBan((await objections().byId(decision))!)) ?? null);
    const daysUntil = (end: Date | null): number =>
      end === null ? Infinity : Math.round((end.getTime() - server.clock.now().getTime()) / DAY_MS);
    const first = await reportAndDecide('user', jana.slug, 'ban', 9);
    const shorter = await banAgain(2);
    expect(daysUntil(new Date((await latestNotice(jana)).words['ends']!))).toBe(9);
    expect([await daysOf(first), await daysOf(shorter)]).toEqual([9, 9]);
    const permanent = await banAgain();
    expect([await daysOf(shorter), await daysOf(permanent)]).toEqual([Infinity, Infinity]);
    await objections().addObjection(permanent, 'To jsem nebyla já.');
    await answer(permanent, true);
    expect(await daysOf(shorter)).toBe(9);
  });

  // MOD-52
  it('that are granted end only the ban that they are about, even if the account has two bans', async () => {
    const { id } = await buildEvent(server, jana);
    const short = await reportAndDecide('event', id, 'ban', 3);
    const [, endAfterThreeDays] = await banOf(jana);
    const long = await banAgain();
    await objections().addObjection(long, 'proč navždy');
    await answer(long, true);
    const [isBanned, end] = await banOf(jana);
    expect([isBanned, Math.round((end!.getTime() - endAfterThreeDays!.getTime()) / 1000)]).toEqual([true, 0]);
    await objections().addObjection(short, 'proč');
    await answer(short, true);
    expect(await banOf(jana)).toEqual([false, null]);
    expect(await httpStatusForEva(id)).toBe(200);
  });

  /*
   * Each row contains what must hold, the steps before the objection, and the days of the ban that remains (null: a
   * permanent ban; undefined: no ban). A step that is a number or null is a decision that bans Jana for this number of
   * days (null: permanently). A step that is a text is an action of an operator: a command (`ban 2` bans Jana for two
   * days), or a document for `apply` that sets `banned`. The objection is made to the last decision.
   */
  // MOD-46, MOD-52
  it.each<[string, (string | number | null)[], number | null | undefined]>([
    ['no ban remains after an unban between two decisions', [null, 'unban', 3], undefined],
    ['no ban remains after an unban by a document between two decisions', [null, 'document false', 3], undefined],
    ['a permanent ban by an operator remains', [3, 'ban'], null],
    ['a ban by an operator remains, although it is shorter', [null, 'ban 2'], 2],
    ['a ban by a document remains', [3, 'document true'], null],
    ['a ban by an operator after an unban remains', [3, 'unban', 'ban 2'], 2],
    ['an earlier permanent ban by an operator remains', ['ban', 3], null],
    ['an earlier 2-day ban by an operator remains after a permanent ban by decision', ['ban 2', null], 2],
    ['an earlier permanent ban by an operator remains after a permanent ban by decision', ['ban', null], null],
    ['the first ban after an unban remains when the second ban ends', [null, 'unban', 5, 9], 5],
  ])('that are granted end the ban of the last decision, and no other ban: %s', async (_, steps, days) => {
    const cli = CommandLine.forDatabaseOf(server.app.get(Settings));
    let last = 0;
    for (const step of steps) {
      const [command, value] = String(step).split(' ');
      if (typeof step !== 'string') last = await banAgain(step);
      else if (command === 'document')
        await cli.run(
          ['apply', '-'],
          JSON.stringify({ users: [{ slug: jana.slug, name: 'Jana', banned: value === 'true' }] }),
        );
      else await cli.answer('user', command!, jana.slug, ...(value ? ['--days', value] : []));
    }
    await objections().addObjection(last, 'proč');
    await answer(last, true);
    const [isBanned, end] = await banOf(jana);
    expect(isBanned).toBe(days !== undefined);
    expect(end && Math.round((end.getTime() - server.clock.now().getTime()) / DAY_MS)).toBe(days ?? null);
    await cli.close();
  });

  // MOD-52
  it('that are granted do not restore an object that a later decision has removed again', async () => {
    const { id } = await buildEvent(server, jana);
    const first = await reportAndDecide('event', id, 'remove');
    await objections().addObjection(first, 'proč');
    const cli = CommandLine.forDatabaseOf(server.app.get(Settings));
    await cli.answer('content', 'restore', 'event', id);
    await cli.close();
    expect(await httpStatusForEva(id)).toBe(200);
    const second = await reportAndDecide('event', id, 'remove');
    await answer(first, true);
    expect(await httpStatusForEva(id)).toBe(404);
    await objections().addObjection(second, 'proč znovu');
    await answer(second, true);
    expect(await httpStatusForEva(id)).toBe(200);
  });

  // MOD-52
  it('that are granted do not end an earlier ban whose own objection was dismissed', async () => {
    const first = await reportAndDecide('user', jana.slug, 'ban', 3);
    await objections().addObjection(first, 'proč');
    await answer(first, false);
    const second = await banAgain();
    await objections().addObjection(second, 'proč navždy');
    await answer(second, true);
    const [isBanned, end] = await banOf(jana);
    expect([isBanned, end instanceof Date]).toEqual([true, true]);
  });

  // MOD-52
  it('that are granted against a permanent ban end this ban, and the longest of the three other bans still applies', async () => {
    await reportAndDecide('user', jana.slug, 'ban', 3);
    await banAgain(9);
    const [, endAfterNineDays] = await banOf(jana);
    await banAgain(5);
    const permanent = await banAgain();
    await objections().addObjection(permanent, 'proč navždy');
    await answer(permanent, true);
    const [isBanned, end] = await banOf(jana);
    expect([isBanned, Math.round((end!.getTime() - endAfterNineDays!.getTime()) / 1000)]).toEqual([true, 0]);
  });

  // MOD-51
  it('are possible until exactly thirty days after the decision', async () => {
    const { id } = await buildEvent(server, jana);
    const row = (await objections().byId(await reportAndDecide('event', id, 'warn')))!;
    server.clock.freezeAt(server.clock.now());
    const after = (ms: number) =>
      objections().objectionPermission({ ...row, decided_at: new Date(server.clock.now().getTime() - ms) });
    expect([after(30 * DAY_MS - 1), after(30 * DAY_MS)]).toEqual(['yes', 'too_late']);
  });

  // MOD-50
  it('have no link for a decision that dismisses the reports', async () => {
    const { id } = await buildEvent(server, jana);
    const hasLink = async (decision: number) =>
      (
        await server.sql('SELECT objection_hash IS NOT NULL AS has FROM moderation_decisions WHERE id = $1', [decision])
      )[0];
    expect(await hasLink(await reportAndDecide('event', id, 'dismiss'))).toEqual({ has: false });
    expect(await hasLink(await reportAndDecide('event', id, 'warn'))).toEqual({ has: true });
  });

  const remove = (kind: ContentKind, id: string) =>
    server.database.transaction(async (tx) =>
      server.app
        .get(ContentCommands)
        .removeWithoutAudit(tx, (await contentOf(tx, server.app.get(PublicIds), kind, id))!, 'spam', null),
    );
  /** Runs the job that deletes removed content, as if it ran `days` days later. */
  const deleteAfter = (days: number) =>
    server.app
      .get(RemovedDeleteJob)
      .run({ now: new Date(server.clock.now().getTime() + days * DAY_MS), signal: new AbortController().signal });
  const TABLES = [
    'all_events',
    'all_series',
    'all_groups',
    'all_posts',
    'all_comments',
    'all_gallery_photos',
    'all_puls_posts',
    'event_images',
    'content_removals',
  ];
  const rowCounts = async (): Promise<unknown> =>
    (
      await server.sql(`SELECT ${TABLES.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(', ')}`)
    )[0];

  // MOD-80, MOD-81
  it('are possible for thirty days, after which the removed content and its files are deleted', async () => {
    await deleteAfter(31);
    const before = await rowCounts();
    const files = storedFiles(server);
    const picture = new Blob([await phonePhoto()]);
    const group = await buildGroup(server, jana);
    await jana.api.upload(`/groups/${group.id}/cover`, [['cover', picture]]);
    const { id, eventId } = await buildEvent(server, jana, { photos_enabled: true });
    const { id: otherEvent } = await buildEvent(server, eva, { photos_enabled: true });
    await confirm(server, id, petr);
    await confirm(server, otherEvent, petr);
    await jana.api.upload(`/events/${id}/images`, [['images[]', picture]]);
    await jana.api.upload(`/events/${id}/photos`, [['photos[]', picture]]);
    await petr.api.upload(`/events/${id}/comments`, [
      ['body', 'pod akcí'],
      ['image', picture],
    ]);
    const photo = (await petr.api.upload(`/events/${otherEvent}/photos`, [['photos[]', picture]])).body.data[0]
      .id as string;
    const comment = (
      await petr.api.upload(`/events/${otherEvent}/comments`, [
        ['body', 'kořen'],
        ['image', picture],
      ])
    ).body.data.id as string;
    await eva.api.upload(`/events/${otherEvent}/comments`, [
      ['body', 'odpověď'],
      ['parent', comment],
      ['image', picture],
    ]);
    const post = (
      await jana.api.post('/posts', {
        title: 'Článek',
        body: 'text',
        categories: ['kolo'],
        status: 'published',
        event_id: id,
      })
    ).body.data.slug as string;
    await jana.api.upload(`/posts/${post}/cover`, [['cover', picture]]);
    const puls = (
      await jana.api.upload('/puls', [
        ['latitude', '50'],
        ['longitude', '14'],
        ['body', 'x'],
        ['image', picture],
      ])
    ).body.data.id as string;
    const series = await buildSeries(server, jana, { atMost: 2 });
    await confirm(server, (await occurrencesOf(jana, series.id))[0]!.id, petr);
    // Credits of Petr are held for the event that will be deleted.
    await server.database.transaction(async (tx) => {
      await server.app.get(CreditsCommands).grant(tx, petr.userId, 8);
      const hold = await server.app.get(CreditsCommands).hold(tx, { eventId, userId: petr.userId, amount: 3 });
      await tx.rows(
        statement('test_hold', 'UPDATE participations SET credit_hold_id = $1 WHERE event_id = $2 AND user_id = $3'),
        [hold, eventId, petr.userId],
      );
    });
    const notices = await server.sql('SELECT count(*) FROM notifications');

    for (const [kind, publicId] of [
      ['photo', photo],
      ['comment', comment],
      ['post', post],
      ['puls', puls],
      ['series', series.id],
      ['group', group.id],
      ['event', id],
    ] as const)
      await remove(kind, publicId);
    const removed = await rowCounts();
    expect(await deleteAfter(29)).toEqual({ removed_deleted: 0 });
    expect(await rowCounts()).toEqual(removed);
    expect(await deleteAfter(31)).toEqual({ removed_deleted: 7 });
    expect(await rowCounts()).toEqual({
      ...(before as object),
      all_events: (before as { all_events: number }).all_events + 1,
    });
    // The files are deleted after the transaction is committed, so the test waits for their deletion.
    for (let i = 0; i < 200 && storedFiles(server).length > files.length; i++) await pause(50);
    expect([storedFiles(server), await ledgerFaults(server)]).toEqual([files, []]);
    expect(
      await server.sql('SELECT balance::int, held::int FROM credit_accounts WHERE user_id = $1', [petr.userId]),
    ).toEqual([{ balance: 8, held: 0 }]);
    expect(await server.sql('SELECT count(*) FROM notifications')).toEqual(notices);
    expect((await petr.api.get(`/discover/events/${otherEvent}`)).body.data.current_participants).toBe(2);
    expect(await deleteAfter(31)).toEqual({ removed_deleted: 0 });
    expect(
      await server.sql(`SELECT action, subject FROM audit_entries WHERE action = 'content delete' AND subject = $1`, [
        `event ${id}`,
      ]),
    ).toHaveLength(1);
  });

  // MOD-80
  it('are possible for thirty days: after that, a single run of the job deletes the removed content, even if the job first finds 60 older removals whose objects no longer exist', async () => {
    await deleteAfter(31);
    await server.sql(
      `INSERT INTO content_removals (kind, subject_id, reason, removed_at)
       SELECT 'event', 1000000000 + n, 'spam', '2000-01-01' FROM generate_series(1, 60) n`,
    );
    const { id } = (
      await jana.api.upload('/puls', [
        ['latitude', '50'],
        ['longitude', '14'],
        ['body', 'x'],
      ])
    ).body.data;
    await remove('puls', id);
    expect(await deleteAfter(31)).toEqual({ removed_deleted: 1 });
    expect(await server.sql('SELECT 1 FROM content_removals WHERE subject_id > 1000000000')).toEqual([]);
  });

  // MOD-80
  it('are possible for thirty days: at the exact end of this time, the removed post and the files of its comments are deleted', async () => {
    await deleteAfter(31);
    const files = storedFiles(server);
    const post = (
      await jana.api.post('/posts', { title: 'Článek', body: 'text', categories: ['kolo'], status: 'published' })
    ).body.data.slug as string;
    await petr.api.upload(`/posts/${post}/comments`, [
      ['body', 'pod článkem'],
      ['image', new Blob([await phonePhoto()])],
    ]);
    expect(storedFiles(server).length).toBeGreaterThan(files.length);
    const { removedAt } = (await remove('post', post))!;
    const deleteAt = (ms: number) =>
      server.app.get(RemovedDeleteJob).run({ now: new Date(ms), signal: new AbortController().signal });
    expect(await deleteAt(removedAt!.getTime() + 30 * DAY_MS - 1)).toEqual({ removed_deleted: 0 });
    expect(await deleteAt(removedAt!.getTime() + 30 * DAY_MS)).toEqual({ removed_deleted: 1 });
    for (let i = 0; i < 200 && storedFiles(server).length > files.length; i++) await pause(50);
    expect(storedFiles(server)).toEqual(files);
  });

  // MOD-1, MOD-50, MOD-52
  it('are possible if an operator removed the content without a report', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Jarmark' });
    const post = (
      await jana.api.post('/posts', { title: 'Článek', body: 'text', categories: ['kolo'], status: 'published' })
    ).body.data.slug as string;
    for (const [kind, sent, named] of [
      ['event', id, ' (Jarmark)'],
      ['post', post, ' (Článek)'],
    ] as const) {
      const removeContent = () =>
        server.database.transaction(async (tx) =>
          server.app.get(ContentDecisions).remove(tx, (await contentOf(tx, server.app.get(PublicIds), kind, sent))!, {
            publicId: sent,
            reason: 'podvod',
            actorId: null,
          }),
        );
      const first = await removeContent();
      expect(first).toEqual({ removedAt: expect.any(Date), reason: 'podvod' });
      expect(await removeContent()).toEqual(first);
      expect(await latestNotice(jana)).toMatchObject({
        kind: 'content_removed',
        words: { thing: kind, named, reason: 'podvod' },
      });
    }
    expect(await server.sql('SELECT count(*)::int AS n FROM notifications WHERE user_id = $1', [jana.userId])).toEqual([
      { n: 2 },
    ]);
    expect(await server.sql('SELECT action, reason FROM audit_entries WHERE subject = $1', [`event ${id}`])).toEqual([
      { action: 'content remove', reason: 'podvod' },
    ]);
    const [decision] = await server.sql<{ id: string }>(
      'SELECT max(id) AS id FROM moderation_decisions WHERE subject_sent = $1',
      [id],
    );
    expect(await objections().addObjection(Number(decision!.id), 'omyl')).toBe('yes');
    await answer(Number(decision!.id), true);
    expect(await httpStatusForEva(id)).toBe(200);
  });

  // MOD-1
  it('are not possible, and the author is not notified, if an operator removes content that a ban already hides', async () => {
    const { id } = await buildEvent(server, jana);
    await reportAndDecide('user', jana.slug, 'ban');
    const content = (await contentOf(server.database, server.app.get(PublicIds), 'event', id))!;
    const before = await latestNotice(jana);
    const status = await server.database.transaction((tx) =>
      server.app.get(ContentDecisions).remove(tx, content, { publicId: id, reason: 'podvod', actorId: null }),
    );
    expect(status).toEqual({ removedAt: expect.any(Date), reason: 'podvod' });
    expect(await latestNotice(jana)).toEqual(before);
    expect(await server.sql('SELECT 1 FROM moderation_decisions WHERE subject_sent = $1', [id])).toEqual([]);
  });

  // MOD-80
  it('that are not answered yet delay the deletion of the removed content', async () => {
    await deleteAfter(31);
    const { id } = await buildEvent(server, jana);
    const { id: other } = await buildEvent(server, jana);
    const decision = await reportAndDecide('event', id, 'remove');
    await objections().addObjection(decision, 'proč');
    await remove('event', other);
    const content = (await contentOf(server.database, server.app.get(PublicIds), 'event', other))!;
    await server.database.transaction((tx) =>
      server.app.get(ContentCommands).restore(tx, content, { actorId: null, subject: 'x' }),
    );
    expect(await deleteAfter(31)).toEqual({ removed_deleted: 0 });
    expect(await httpStatusForEva(other)).toBe(200);
    await answer(decision, false);
    expect(await deleteAfter(31)).toEqual({ removed_deleted: 1 });
    // The author objects after the job has found the object, and before the job has locked the decision.
    const late = await reportAndDecide('event', (await buildEvent(server, jana)).id, 'remove');
    await server.sql('BEGIN');
    await server.sql(`UPDATE moderation_decisions SET objection = 'proč', objected_at = now() WHERE id = $1`, [late]);
    const run = deleteAfter(31);
    await untilWaitingForLock(server, 1);
    await server.sql('COMMIT');
    expect(await run).toEqual({ removed_deleted: 0 });
    // This objection is granted after the content was deleted. Nothing can be restored, but no error occurs.
    const again = await buildEvent(server, jana);
    const lost = await reportAndDecide('event', again.id, 'remove');
    await objections().addObjection(lost, 'proč');
    await server.sql('DELETE FROM all_events WHERE id = $1', [again.eventId]);
    await answer(lost, true);
    expect((await latestNotice(jana)).kind).toBe('objection_granted');
  });
});
