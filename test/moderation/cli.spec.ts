import { CommandLine } from '#testing/command-line';
import { YEAR_AFTER_NEXT } from '#testing/times';

describe('moderation on the command line', () => {
  let cli: CommandLine;
  let id: string;
  let numericId: string;
  beforeAll(async () => {
    cli = await CommandLine.open();
    const document = {
      users: [{ slug: 'jana', name: 'Jana' }],
      events: [{ key: 'one', organizer: 'jana', title: 'Jarmark', starts_at: `${YEAR_AFTER_NEXT}-06-01T10:00:00Z` }],
    };
    const result = JSON.parse((await cli.run(['apply', '-'], JSON.stringify(document))).stdout);
    id = result.events[0].id as string;
    numericId = String(result.events[0].numeric_id);
  });
  afterAll(() => cli.close());

  const ok: CommandLine['answer'] = (...args) => cli.answer(...args);
  const refused: CommandLine['refusal'] = (...args) => cli.refusal(...args);

  // MOD-1, MOD-3, MOD-20, MOD-22
  it('can remove content with a reason and restore it, and is recorded in the audit log', async () => {
    const first = await ok('content', 'remove', 'event', id, '--reason', ' podvod ');
    expect(first).toEqual({ kind: 'event', id, removed_at: expect.stringMatching(/Z$/), reason: 'podvod' });
    expect(await ok('content', 'remove', 'event', numericId, '--reason', 'jiný')).toEqual({ ...first, id: numericId });
    expect(await refused('event', 'price', id, '5')).toBe(`There is no event ${id}.`);
    expect(await ok('content', 'restore', 'event', id)).toEqual({ kind: 'event', id, removed_at: null, reason: null });
    expect(await ok('event', 'price', id, '5')).toMatchObject({ ticket_price_credits: 5 });
    const log = await ok('audit');
    expect(
      log.filter(
        ({ subject, action }: { subject: string; action: string }) =>
          subject === `event ${id}` && action.startsWith('content'),
      ),
    ).toEqual([
      {
        number: expect.any(Number),
        at: expect.stringMatching(/Z$/),
        by: null,
        operator: expect.any(String),
        action: 'content restore',
        subject: `event ${id}`,
        reason: null,
        details: {},
      },
      {
        number: expect.any(Number),
        at: expect.stringMatching(/Z$/),
        by: null,
        operator: expect.any(String),
        action: 'content remove',
        subject: `event ${id}`,
        reason: 'podvod',
        details: {},
      },
    ]);
    expect(await ok('audit', 'verify')).toEqual({ intact: true, entries: log.length });
    for (const limit of ['0', '10001'])
      expect(await refused('audit', 'list', '--limit', limit)).toBe('--limit must be a whole number from 1 to 10000.');
  });

  // MOD-20, MOD-46
  it('records the actions of operators on accounts, credits, tokens and events in the audit log', async () => {
    const token = await ok('token', 'create', 'jana', '--name', 'x', '--access', 'read');
    await ok('token', 'revoke', 'jana', token.id);
    await ok('credits', 'grant', 'jana', '5');
    await ok('event', 'price', id, '0');
    expect(await ok('user', 'ban', 'jana', '--days', '3', '--reason', 'hrozby')).toMatchObject({
      banned: true,
      banned_until: expect.stringMatching(/Z$/),
    });
    expect(await ok('user', 'unban', 'jana')).toMatchObject({ banned: false, banned_until: null });
    const log = await ok('audit', 'list', '--limit', '6');
    expect(
      log
        .reverse()
        .map(({ action, subject, reason, details }: Record<string, unknown>) => [action, subject, reason, details]),
    ).toEqual([
      ['token create', 'user jana', null, { token: token.id, access: 'read' }],
      ['token revoke', 'user jana', null, { token: token.id }],
      ['credits grant', 'user jana', null, { amount: 5 }],
      ['event price', `event ${id}`, null, { ticket_price_credits: 0 }],
      ['user ban', 'user jana', 'hrozby', { days: 3 }],
      ['user unban', 'user jana', null, {}],
    ]);
  });

  // MOD-2
  it('refuses an unknown kind of content, an unknown id, and a reason that is missing, empty or too long', async () => {
    expect(await refused('content', 'remove', 'user', 'jana', '--reason', 'x')).toMatch(/There is no kind user/);
    expect(await refused('content', 'remove', 'event', '999999', '--reason', 'x')).toBe('There is no event 999999.');
    expect(await refused('content', 'remove', 'post', 'neni', '--reason', 'x')).toBe('There is no post neni.');
    expect(await refused('content', 'remove', 'comment', id, '--reason', 'x')).toMatch(/There is no comment/);
    expect(await refused('content', 'restore', 'group', 'abcdefgh')).toMatch(/There is no group/);
    const invalidReason = '--reason must have 1 to 1000 characters.';
    for (const reason of ['  ', 'x'.repeat(1001)]) {
      expect(await refused('content', 'remove', 'event', id, '--reason', reason)).toBe(invalidReason);
      expect(await refused('user', 'ban', 'jana', '--reason', reason)).toBe(invalidReason);
    }
    // WIRE-13
    expect(await refused('content', 'remove', 'event', id, '--reason', '\u200b\u2060')).toBe(
      '--reason must have a visible character.',
    );
    expect(await refused('content', 'remove', 'event', id)).toMatch(/--reason/);
  });
});
