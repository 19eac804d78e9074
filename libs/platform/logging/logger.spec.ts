import { Logger as NestLogger } from '@nestjs/common';
import Fastify, { type FastifyInstance } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import '../http/caller';
import { followRequests, newLogger } from './logger';
import { NestLog } from './nest-log';
import { fastifyLogger } from './logger';

const TOKEN = `evt_${'a1B2c3D4e5'.repeat(4)}xy`;
const SETTINGS = { logLevel: 'trace', production: true } as const;

describe('the log', () => {
  let lines: string[];
  let app: FastifyInstance;
  const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const nest = new NestLogger('Somewhere');

  beforeEach(() => {
    lines = [];
    const logger = newLogger(SETTINGS, { write: (line: string) => void lines.push(line) });
    NestLogger.overrideLogger(new NestLog(logger, ['Quiet']));
    app = Fastify({ ...fastifyLogger(SETTINGS, logger), genReqId: () => 'request-7' });
    followRequests(app);
    app.decorateRequest('caller', null);
    app.addHook('onRequest', async (request) => {
      await pause(1);
      if (request.headers.authorization) request.caller = { id: 12, locale: 'cs' };
    });
  });
  afterEach(async () => {
    await app.close();
    NestLogger.overrideLogger(['log', 'warn', 'error']);
  });

  // OPS-14
  it('has one line per request, which contains the route and not the path', async () => {
    app.get('/events/:id/check-in/:code', async () => 'fine');
    await app.inject({
      url: `/events/5/check-in/SECRETCODE?token=${TOKEN}`,
      headers: { authorization: `Bearer ${TOKEN}`, cookie: 'session=SECRETCOOKIE' },
    });
    expect(logged()).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        request_id: 'request-7',
        user_id: 12,
        method: 'GET',
        route: '/events/:id/check-in/:code',
        status: 200,
        ms: expect.any(Number),
        msg: 'request',
      },
    ]);
  });

  // OPS-14
  it('does not contain the path of an unknown route, because such a path may contain any text', async () => {
    await app.inject({ url: `/SECRET/${TOKEN}?password=SECRET` });
    expect(logged()).toMatchObject([{ request_id: 'request-7', method: 'GET', route: null, status: 404 }]);
    expect(lines.join()).not.toMatch(/SECRET|evt_/);
  });

  it('contains the ids of the request and of the user in every line about a request', async () => {
    app.post('/join', async () => {
      await pause(1);
      nest.warn('deep inside');
      return 'fine';
    });
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    lines.length = 0;
    await fetch(`${address}/join`, {
      method: 'POST',
      headers: { authorization: 'x', 'content-type': 'application/json' },
      body: '{"password":"SECRET"}',
    });
    for (let attempt = 0; lines.length < 2 && attempt < 1000; attempt++) await pause(5);
    expect(logged()).toMatchObject([
      { level: 'warn', context: 'Somewhere', msg: 'deep inside', request_id: 'request-7', user_id: 12 },
      { method: 'POST', route: '/join', status: 200, request_id: 'request-7', user_id: 12 },
    ]);
    expect(lines.join()).not.toContain('SECRET');
  });

  it('has a line for each call of Nest’s logger, with the context, fields and stack; calls of `log` in some contexts get the level debug', () => {
    nest.log('started');
    nest.error('broken', 'Error: broken\n    at here');
    nest.error({ err: new TypeError('no'), job: 'mark' }, 'job failed');
    nest.error(new Error('alone'));
    nest.debug('small');
    nest.log({ only: 'fields' });
    new NestLogger('RouterExplorer').log('Mapped');
    // OPS-95
    new NestLogger('Quiet').log('job done');
    new NestLogger('Quiet').error('job failed');
    expect(logged()).toMatchObject([
      { level: 'info', context: 'Somewhere', msg: 'started' },
      { level: 'error', context: 'Somewhere', msg: 'broken', stack: '    at here' },
      {
        level: 'error',
        context: 'Somewhere',
        msg: 'job failed',
        job: 'mark',
        err: { type: 'TypeError', message: 'no' },
      },
      { level: 'error', context: 'Somewhere', msg: 'alone', err: { type: 'Error' } },
      { level: 'debug', msg: 'small' },
      { level: 'info', context: 'Somewhere', only: 'fields' },
      { level: 'debug', context: 'RouterExplorer', msg: 'Mapped' },
      { level: 'debug', context: 'Quiet', msg: 'job done' },
      { level: 'error', context: 'Quiet', msg: 'job failed' },
    ]);
  });

  // OPS-14
  it('hides secrets, which it recognizes by the name of their field or by their format', () => {
    const query = Object.assign(new Error('duplicate key', { cause: new Error(`bad Bearer ${TOKEN}`) }), {
      code: '23505',
      constraint: 'users_email',
      detail: 'Key (email)=(SECRET)',
      query: 'SELECT SECRET',
      parameters: ['SECRET'],
    });
    const value = Object.assign(new Error('invalid input syntax for type bigint: "SECRET"'), { code: '22P02' });
    const json = (() => {
      try {
        return JSON.parse('{"password": SECRET}') as Error;
      } catch (error) {
        return error;
      }
    })();
    nest.error(
      { err: query, value, json, password: 'SECRET', deep: [{ headers: { authorization: 'SECRET' } }] },
      'all at once',
    );
    nest.warn(`sent ${TOKEN} to postgres://me:SECRET@db.example.org/x and GET /page?code=SECRET`);
    nest.error(json);
    expect(lines.join()).not.toMatch(/SECRET|evt_/);
    expect(logged()[0]).toMatchObject({
      err: { message: 'duplicate key', code: '23505', constraint: 'users_email', cause: { message: 'bad [hidden]' } },
    });
    expect(logged()[0]).toMatchObject({ password: '[hidden]', json: { message: 'malformed JSON' } });
    expect(logged()[1]?.msg).toBe('sent [hidden] to postgres://[hidden]db.example.org/x and GET /page?[hidden]');
  });

  // OPS-14
  it('hides secrets in objects without a prototype and in objects of classes', () => {
    class Credentials {
      readonly password = 'SECRET';
      readonly changedAt = new Date('2026-05-01T10:00:00Z');
      readonly key = { toJSON: () => ({ secret: 'SECRET' }) };
    }
    const fields = Object.assign(Object.create(null) as object, { password: 'SECRET', nickname: 'Jana' });
    nest.warn({ fields, credentials: new Credentials() }, 'refused');
    expect(logged()).toMatchObject([
      {
        fields: { password: '[hidden]', nickname: 'Jana' },
        credentials: { password: '[hidden]', changedAt: '2026-05-01T10:00:00.000Z', key: { secret: '[hidden]' } },
      },
    ]);
  });

  // OPS-14
  it('hides a field that has the name of a secret, regardless of upper and lower case', () => {
    nest.warn({
      Authorization: 'SECRET',
      headers: { Cookie: 'SECRET', 'Set-Cookie': 'SECRET', joinPassword: 'SECRET' },
    });
    expect(lines.join()).not.toContain('SECRET');
    expect(logged()).toMatchObject([{ Authorization: '[hidden]', headers: { Cookie: '[hidden]' } }]);
  });

  // OPS-14
  it.each(['postgres://me:SEC/RET@host/x', 'postgres://me:SEC@RET@host/x', 'https://SECRET@host/x'])(
    'hides the user name and the password in %s',
    (url) => {
      nest.warn(`no connection to ${url}, retrying`);
      expect(logged()[0]?.msg).toBe(`no connection to ${url.split('://')[0] ?? ''}://[hidden]host/x, retrying`);
    },
  );

  it('does not change URLs that contain no password', () => {
    const text =
      'fetched http://host:8080/people, https://example.org/@jana and https://example.org/~jana for jana@example.org';
    nest.warn(text);
    expect(logged()[0]?.msg).toBe(text);
  });

  it('has only one line for a request whose client disconnects before the response', async () => {
    app.get('/slow', async () => pause(300, 'late'));
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    lines.length = 0;
    await fetch(`${address}/slow`, { signal: AbortSignal.timeout(50) }).catch(() => undefined);
    for (let attempt = 0; lines.length < 1 && attempt < 1000; attempt++) await pause(5);
    await pause(400);
    expect(logged()).toMatchObject([
      { msg: 'request given up by the client', route: '/slow', request_id: 'request-7' },
    ]);
  });
});
