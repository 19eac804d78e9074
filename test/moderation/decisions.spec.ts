import { Command } from 'commander';
import { reportCommands } from '#apps/cli/commands/report.commands';
import { DecisionsService, DECISIONS, type DecisionResult, type Decision } from '#areas/moderation/decisions.service';
import { titleInParentheses } from '#areas/moderation/decisions/decision-notices';
import { ModerationQueue } from '#areas/moderation/moderation-queue.reader';
import { AuditLog } from '#platform/audit/audit-log';
import { Settings } from '#platform/config/settings';
import { sliceOf } from '#platform/http/page';
import { WireFormat } from '#platform/http/wire-format';
import { buildEvent } from '#testing/builders';
import { CommandLine } from '#testing/command-line';
import type { Person } from '#testing/people';
import { TestServer } from '#testing/test-server';

const OUTCOME_TEXTS = {
  dismiss: 'They found nothing against the rules.',
  remove: 'They have removed it.',
  warn: 'They have warned its author.',
  ban: 'They have banned its author.',
} as const;
const NOTICES_OF_AUTHOR = { remove: 'content_removed', warn: 'warning', ban: 'account_banned' } as const;

describe('decisions about reported content', () => {
  let server: TestServer;
  let jana: Person, petr: Person, eva: Person;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  beforeEach(async () => {
    ({ jana, petr, eva } = await server.people('jana', 'petr', 'eva'));
    await server.sql('DELETE FROM reports');
  });
  afterEach(() => jest.restoreAllMocks());

  async function report(
    person: Person,
    subject_type: string,
    subject_id: string,
    more: Record<string, unknown> = {},
  ): Promise<string> {
    const { status, body } = await person.api.post('/reports', { subject_type, subject_id, reason: 'spam', ...more });
    expect([status, body.code]).toEqual([201, undefined]);
    return body.data.id as string;
  }
  const databaseIdOf = (id: string): number => server.app.get(WireFormat).ids.decode('report', id)!;
  const decide = (id: string, decision: Decision, reason = 'prodává tam hodinky'): Promise<DecisionResult> =>
    server.app.get(DecisionsService).decide(databaseIdOf(id), { decision, reason, actorId: null });
  const outcomes = async (person: Person): Promise<unknown> =>
    (await person.api.get('/reports')).body.data.map((one: { outcome: string | null }) => one.outcome);
  const notices = async (person: Person, language = 'en') =>
    (await person.api.send('GET', '/notices', { headers: { 'accept-language': language } })).body.data as {
      kind: string;
      text: string;
      subject: Record<string, string>;
    }[];
  /** The reports, and the counts of the other rows that a decision could add or change. */
  const changeableState = () =>
    server.sql(`SELECT
    (SELECT json_agg(r ORDER BY r.id) FROM reports r) AS reports, (SELECT count(*) FROM moderation_decisions) AS decisions, (SELECT count(*) FROM notifications) AS notices,
    (SELECT count(*) FROM content_removals) AS removals, (SELECT count(*) FROM users WHERE banned) AS banned, (SELECT count(*) FROM audit_entries) AS entries`);

  // MOD-40
  it('are made from a queue with one entry per object, sorted by the number of reports, then by the oldest report', async () => {
    const [{ id: firstEvent }, { id: secondEvent, eventId }] = [
      await buildEvent(server, jana, { title: 'Jarmark' }),
      await buildEvent(server, jana, { title: 'Trh' }),
    ];
    const reportAboutFirst = await report(petr, 'event', firstEvent);
    const firstReportAboutSecond = await report(petr, 'event', String(eventId), { note: 'Podvod.' });
    await jana.api.patch(`/events/${secondEvent}`, { title: 'Jiný trh' });
    await report(eva, 'event', secondEvent, { reason: 'fraud' });
    const reportAboutPetr = await report(eva, 'user', petr.slug, { note: 'Ruší.' });
    const queue = (await server.app.get(ModerationQueue).list(10)).map(({ report_id, ...row }) => ({
      ...row,
      report_id: server.app.get(WireFormat).id('report', report_id),
    }));
    expect(queue).toEqual([
      {
        report_id: firstReportAboutSecond,
        subject_type: 'event',
        subject_sent: String(eventId),
        author: jana.slug,
        author_name: expect.any(String),
        reports: 2,
        reasons: ['fraud', 'spam'],
        notes: ['Podvod.'],
        first_at: expect.any(Date),
        last_at: expect.any(Date),
        snapshot: expect.objectContaining({ title: 'Trh' }),
      },
      expect.objectContaining({
        report_id: reportAboutFirst,
        subject_sent: firstEvent,
        reports: 1,
        reasons: ['spam'],
        notes: [],
        snapshot: expect.objectContaining({ title: 'Jarmark' }),
      }),
      expect.objectContaining({
        report_id: reportAboutPetr,
        subject_type: 'user',
        subject_sent: petr.slug,
        author: petr.slug,
        author_name: expect.any(String),
        notes: ['Ruší.'],
      }),
    ]);
    expect((await server.app.get(ModerationQueue).list(1)).map(({ subject_sent }) => subject_sent)).toEqual([
      String(eventId),
    ]);
    await decide(reportAboutFirst, 'dismiss');
    expect(await server.app.get(ModerationQueue).list(10)).toHaveLength(2);
  });

  // MOD-40
  it('are made from a queue in which objects with equal numbers of reports are sorted by their oldest open report', async () => {
    const [early, decided, late] = [
      await buildEvent(server, jana),
      await buildEvent(server, jana),
      await buildEvent(server, jana),
    ].map(({ id }) => id) as [string, string, string];
    await decide(await report(petr, 'event', decided), 'dismiss');
    for (const [person, id] of [
      [petr, early],
      [petr, late],
      [eva, late],
      [petr, decided],
      [eva, decided],
      [eva, early],
    ] as const) {
      server.clock.forward(1000);
      await report(person, 'event', id);
    }
    const queue = server.app.get(ModerationQueue);
    const subjectsOf = (rows: readonly { subject_sent: string }[]) => rows.map(({ subject_sent }) => subject_sent);
    expect(subjectsOf(await queue.list(10))).toEqual([early, late, decided]);
    const { items, total } = await queue.page(sliceOf({ page: 2, per_page: 2 }));
    expect([subjectsOf(items), total]).toEqual([[decided], 3]);
  });

  // MOD-40, MOD-61
  it('are made from a queue that shows only the notes and reasons of open reports, the earliest note first', async () => {
    const { id } = await buildEvent(server, jana);
    await decide(await report(petr, 'event', id, { note: 'Vyřízeno.', reason: 'hate' }), 'dismiss');
    const first = await report(petr, 'event', id, { note: 'První.' });
    server.clock.forward(60_000);
    const second = await report(eva, 'event', id, { note: 'Druhá.' });
    const reported = (await server.app.get(ModerationQueue).reportedObject(databaseIdOf(second)))!;
    expect(reported.row).toMatchObject({ reports: 2, reasons: ['spam'], notes: ['První.', 'Druhá.'] });
    expect(Number(reported.row.report_id)).toBe(databaseIdOf(first));
    const [listed] = await server.app.get(ModerationQueue).list(1);
    for (const { first_at, last_at } of [reported.row, listed!])
      expect(Math.round((last_at.getTime() - first_at.getTime()) / 60_000)).toBe(1);
  });

  // MOD-61
  it('distinguish objects of different kinds that have the same database id, both in open reports and in earlier decisions', async () => {
    const [{ id, eventId }, { id: other }] = [await buildEvent(server, jana), await buildEvent(server, jana)];
    await decide(await report(petr, 'user', jana.slug), 'warn', 'o osobě');
    await server.sql("UPDATE moderation_decisions SET subject_id = $1 WHERE subject_type = 'user' AND author_id = $2", [
      eventId,
      jana.userId,
    ]);
    await decide(await report(petr, 'event', other), 'warn', 'o jiné');
    await decide(await report(petr, 'event', id), 'warn', 'o této');
    await report(eva, 'user', jana.slug);
    await server.sql("UPDATE reports SET subject_id = $1 WHERE subject_type = 'user' AND outcome IS NULL", [eventId]);
    const { row, former } = (await server.app
      .get(ModerationQueue)
      .reportedObject(databaseIdOf(await report(petr, 'event', id))))!;
    expect([row.subject_type, row.reports]).toEqual(['event', 1]);
    expect(former.map(({ reason, is_same }) => [reason, is_same])).toEqual([
      ['o této', true],
      ['o jiné', false],
      ['o osobě', false],
    ]);
    expect(await server.app.get(ModerationQueue).list(10)).toHaveLength(2);
  });

  // MOD-20, MOD-46
  it('are recorded in the audit log and in the table of decisions; a ban is recorded with its duration', async () => {
    const reportId = await report(petr, 'user', jana.slug);
    await server.app
      .get(DecisionsService)
      .decide(databaseIdOf(reportId), { decision: 'ban', reason: 'spam', days: 7, actorId: petr.userId });
    expect(
      await server.sql('SELECT actor_id::int AS actor, details FROM audit_entries ORDER BY number DESC LIMIT 1'),
    ).toEqual([{ actor: petr.userId, details: { reports: 1, days: 7 } }]);
    expect(
      await server.sql('SELECT days, decided_by::int AS actor FROM moderation_decisions ORDER BY id DESC LIMIT 1'),
    ).toEqual([{ days: 7, actor: petr.userId }]);
  });

  // MOD-44
  it('name the content in notices by its title, name or text, on one line, shortened to 80 characters and “…”', () => {
    expect(titleInParentheses('event', { body: 'text', name: 'jméno', title: 'název' })).toBe(' (název)');
    expect(titleInParentheses('group', { body: 'text', name: 'jméno' })).toBe(' (jméno)');
    expect(titleInParentheses('comment', { body: ' první\n  druhý ' })).toBe(' (první druhý)');
    expect(titleInParentheses('comment', { body: '<3 &amp; více' })).toBe(' (<3 &amp; více)');
    expect(titleInParentheses('puls', { body: '<b>Kdo</b> jde<br>ven &amp; kam?' })).toBe(' (Kdo jde ven & kam?)');
    expect(titleInParentheses('photo', { key: 'x' })).toBe('');
    expect(titleInParentheses('event', { title: '🎉'.repeat(80) })).toBe(` (${'🎉'.repeat(80)})`);
    expect(titleInParentheses('event', { title: '🎉'.repeat(81) })).toBe(` (${'🎉'.repeat(80)}…)`);
  });

  // MOD-41, MOD-42, MOD-44, MOD-45
  it.each([
    ['dismiss', 'dismissed'],
    ['remove', 'removed'],
    ['warn', 'warned'],
    ['ban', 'banned'],
  ] as const)(
    'apply to all open reports about the same content, and all reporters are notified: %s',
    async (decision, outcome) => {
      const { id } = await buildEvent(server, jana, { title: 'Jarmark' });
      await report(petr, 'event', id);
      const later = await report(eva, 'event', id);
      await report(eva, 'user', jana.slug);
      expect(await decide(later, decision)).toEqual({ subject_type: 'event', subject_id: id, outcome, reports: 2 });

      expect([await outcomes(petr), await outcomes(eva)]).toEqual([[outcome], [null, outcome]]);
      expect((await eva.api.get(`/discover/events/${id}`)).status).toBe(
        decision === 'remove' || decision === 'ban' ? 404 : 200,
      );
      expect((await jana.api.get('/notices')).status).toBe(decision === 'ban' ? 403 : 200);
      expect(
        await server.sql('SELECT action, subject, reason, details FROM audit_entries ORDER BY number DESC LIMIT 1'),
      ).toEqual([
        {
          action: `report ${decision}`,
          subject: `event ${id}`,
          reason: 'prodává tam hodinky',
          details: { reports: 2 },
        },
      ]);
      expect(
        await server.sql(`SELECT count(*)::int AS n FROM audit_entries WHERE subject = $1`, [`event ${id}`]),
      ).toEqual([{ n: 1 }]);

      for (const person of [petr, eva]) {
        expect(await notices(person)).toMatchObject([
          {
            kind: 'report_decided',
            text: `The moderators have reviewed what you reported: event (Jarmark). ${OUTCOME_TEXTS[decision]}`,
            subject: { type: 'report', url: expect.stringMatching(/\/api\/v1\/reports$/) },
          },
        ]);
      }
      expect((await notices(petr, 'cs'))[0]!.text).toMatch(
        /^Moderátoři posoudili, co jste nahlásili: akce \(Jarmark\)\. /,
      );
      const ofAuthor = await server.sql<{ kind: string; words: unknown }>(
        'SELECT kind, words FROM notifications WHERE user_id = $1',
        [jana.userId],
      );
      expect(ofAuthor).toEqual(
        decision === 'dismiss'
          ? []
          : [
              {
                kind: NOTICES_OF_AUTHOR[decision],
                words: expect.objectContaining({ thing: 'event', named: ' (Jarmark)', reason: 'prodává tam hodinky' }),
              },
            ],
      );
      expect(JSON.stringify(ofAuthor)).not.toMatch(new RegExp(`${petr.slug}|${eva.slug}`));
    },
  );

  // MOD-44
  it('are explained to the author in a notice, in the language in which the author reads notices', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Jarmark' });
    await decide(await report(petr, 'event', id), 'warn', 'Důvod s {reason} a {thing}');
    expect(await notices(jana)).toMatchObject([
      {
        kind: 'warning',
        text: expect.stringMatching(
          /^The moderators have warned you about this: event \(Jarmark\)\. Reason: “Důvod s \{reason\} a \{thing\}”\. You can submit one objection, within 30 days: http\S+\/account\/decisions\/\w+$/,
        ),
        subject: { type: 'decision', url: expect.stringMatching(/\/api\/v1\/notices$/) },
      },
    ]);
    expect((await notices(jana, 'cs'))[0]!.text).toMatch(
      /^Moderátoři vás upozorňují na porušení pravidel: akce \(Jarmark\)\. Důvod: „Důvod s \{reason\} a \{thing\}“\. Do 30 dnů můžete podat jednu námitku: /,
    );
  });

  // MOD-32, MOD-41
  it('do not prevent later reports and decisions about the same content', async () => {
    const { id } = await buildEvent(server, jana);
    await decide(await report(petr, 'event', id), 'dismiss');
    await decide(await report(petr, 'event', id), 'warn');
    expect(await outcomes(petr)).toEqual(['warned', 'dismissed']);
  });

  // MOD-43
  it('are refused if the report is already decided or unknown, if a person would be removed, or if the content or its author was deleted', async () => {
    const { id } = await buildEvent(server, jana);
    const decidedReport = await report(petr, 'event', id);
    await decide(decidedReport, 'dismiss');
    const secondReport = await report(petr, 'event', id);
    const reportAboutPerson = await report(petr, 'user', jana.slug);
    const { id: gone } = await buildEvent(server, jana);
    const reportAboutDeleted = await report(petr, 'event', gone);
    await server.sql('DELETE FROM all_events WHERE id = $1', [server.app.get(WireFormat).ids.decode('event', gone)]);
    const before = await changeableState();
    for (const decision of DECISIONS)
      await expect(decide(decidedReport, decision)).rejects.toThrow(
        'A decision about that report has already been made.',
      );
    await expect(
      server.app.get(DecisionsService).decide(999_999_999, { decision: 'warn', reason: 'x', actorId: null }),
    ).rejects.toThrow('There is no such report.');
    await expect(decide(reportAboutPerson, 'remove')).rejects.toThrow('A person cannot be removed: ban them.');
    await expect(decide(reportAboutDeleted, 'remove')).rejects.toThrow(`The event ${gone} no longer exists`);
    await server.sql('UPDATE reports SET author_id = NULL WHERE id = $1', [databaseIdOf(secondReport)]);
    await expect(decide(secondReport, 'ban')).rejects.toThrow('The author no longer has an account');
    await server.sql('UPDATE reports SET author_id = $2 WHERE id = $1', [databaseIdOf(secondReport), jana.userId]);
    expect(await changeableState()).toEqual(before);
  });

  // MOD-43
  it('exclude each other if several moderators decide in parallel about reports of the same content: only one takes effect', async () => {
    const { id } = await buildEvent(server, jana);
    const ids = [await report(petr, 'event', id), await report(eva, 'event', id)];
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => decide(ids[i % 2]!, DECISIONS[i % 4]!)),
    );
    const succeeded = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(succeeded).toMatchObject([{ reports: 2 }]);
    for (const one of settled)
      if (one.status === 'rejected')
        expect((one.reason as Error).message).toBe('A decision about that report has already been made.');
    expect([await outcomes(petr), await outcomes(eva)]).toEqual([[succeeded[0]!.outcome], [succeeded[0]!.outcome]]);
    expect(
      await server.sql('SELECT count(*)::int AS n FROM audit_entries WHERE subject = $1', [`event ${id}`]),
    ).toEqual([{ n: 1 }]);
  });

  // MOD-45
  it.each(['remove', 'ban'] as const)('take effect completely or not at all: %s', async (decision) => {
    const { id } = await buildEvent(server, jana);
    const reportId = await report(petr, 'event', id);
    const before = await changeableState();
    jest.spyOn(server.app.get(AuditLog), 'record').mockRejectedValueOnce(new Error('disk full'));
    await expect(decide(reportId, decision)).rejects.toThrow('disk full');
    expect(await changeableState()).toEqual(before);
    expect((await eva.api.get(`/discover/events/${id}`)).status).toBe(200);
  });

  // MOD-43
  it.each([
    [['decide', 'kTzMbLqa', 'remove', '--reason', '  '], '--reason must have 1 to 1000 characters.'],
    [['decide', 'kTzMbLqa', 'remove', '--reason', 'x'.repeat(1001)], '--reason must have 1 to 1000 characters.'],
    [
      ['decide', 'kTzMbLqa', 'praise', '--reason', 'x'],
      'There is no decision praise; the decisions are dismiss, remove, warn, ban.',
    ],
    [['decide', 'kTzMbLqa', 'ban', '--days', '0', '--reason', 'x'], '--days must be a whole number from 1 to 3650.'],
    [['decide', 'kTzMbLqa', 'ban', '--days', '1.5', '--reason', 'x'], '--days must be a whole number from 1 to 3650.'],
    [['decide', 'kTzMbLqa', 'warn', '--days', '7', '--reason', 'x'], '--days can be used only with ban.'],
    [['list', '--limit', '0'], '--limit must be a whole number from 1 to 10000.'],
  ])(
    'need valid arguments on the command line, which are checked before the database is opened: %j',
    async (args, message) => {
      const program = new Command();
      reportCommands(program);
      await expect(program.parseAsync(['report', ...args], { from: 'user' })).rejects.toThrow(message);
    },
  );

  // MOD-40, MOD-41
  it('can be made on the command line', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Jarmark' });
    const reportId = await report(petr, 'event', id, { note: 'Podvod.' });
    const commandLine = CommandLine.forDatabaseOf(server.app.get(Settings));
    const listed = await commandLine.run(['report', 'list']);
    expect([listed.code, listed.stderr]).toEqual([0, '']);
    expect(JSON.parse(listed.stdout)).toEqual([
      {
        id: reportId,
        subject_type: 'event',
        subject_id: id,
        author: jana.slug,
        reports: 1,
        reasons: ['spam'],
        notes: ['Podvod.'],
        first_at: expect.stringMatching(/Z$/),
        last_at: expect.stringMatching(/Z$/),
        snapshot: expect.objectContaining({
          title: 'Jarmark',
          starts_at: expect.stringMatching(/^[\d-]{10}T[\d:]{8}Z$/),
        }),
      },
    ]);
    const decided = await commandLine.run(['report', 'decide', reportId, 'remove', '--reason', ' podvod ']);
    expect([decided.code, decided.stderr]).toEqual([0, '']);
    expect(JSON.parse(decided.stdout)).toEqual({
      subject_type: 'event',
      subject_id: id,
      outcome: 'removed',
      reports: 1,
    });
    expect(await server.sql('SELECT reason FROM content_removals ORDER BY removed_at DESC LIMIT 1')).toEqual([
      { reason: 'podvod' },
    ]);
  });

  // MOD-102
  it('are not needed if an operator removes the content, because the removal closes all reports on the content', async () => {
    const { id } = await buildEvent(server, jana, { title: 'Jarmark' });
    await report(petr, 'event', id);
    await report(eva, 'event', id);
    await report(eva, 'user', jana.slug);
    const commandLine = CommandLine.forDatabaseOf(server.app.get(Settings));
    const listed = async () =>
      JSON.parse((await commandLine.run(['report', 'list'])).stdout).map(
        (one: { subject_type: string }) => one.subject_type,
      );
    expect(await listed()).toEqual(['event', 'user']);
    expect(await commandLine.run(['content', 'remove', 'event', id, '--reason', 'podvod'])).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect([await outcomes(petr), await outcomes(eva), await listed()]).toEqual([
      ['removed'],
      [null, 'removed'],
      ['user'],
    ]);
    for (const person of [petr, eva]) {
      expect(await notices(person)).toMatchObject([
        {
          kind: 'report_decided',
          text: `The moderators have reviewed what you reported: event (Jarmark). ${OUTCOME_TEXTS.remove}`,
        },
      ]);
    }
    expect(await server.sql('SELECT action, details FROM audit_entries WHERE subject = $1', [`event ${id}`])).toEqual([
      { action: 'content remove', details: { reports: 2 } },
    ]);
    await commandLine.run(['content', 'remove', 'event', id, '--reason', 'znovu']);
    expect(await notices(petr)).toHaveLength(1);
    await commandLine.run(['content', 'restore', 'event', id]);
    await report(petr, 'event', id);
    expect([await outcomes(petr), await listed()]).toEqual([
      [null, 'removed'],
      ['user', 'event'],
    ]);
  });
});
