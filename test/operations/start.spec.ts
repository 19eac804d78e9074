import { CommandLine } from '#testing/command-line';
import { HttpClient } from '#testing/http-client';
import { NpmService } from '#testing/npm-service';
import { Visitor } from '#testing/visitor';
import { ADMIN_URL, withDatabase } from '#testing/test-cluster';

/**
 * OPS-1: `npm start` from an empty data folder to a created event, and each way of stopping the server. The test does
 * not run `npm ci`.
 */
describe('npm start', () => {
  let service: NpmService;
  beforeAll(async () => (service = await NpmService.prepare()), 300_000);
  afterAll(() => service.remove());

  const printedCommand = () => {
    const [, url, headers, json] = /curl -s (\S+) ((?:-H '[^']+' )+)-d '([^']+)'/.exec(service.output) ?? [];
    const token = /Bearer (\w+)/.exec(headers ?? '')?.[1] ?? '';
    return {
      url,
      token,
      json: JSON.parse(json ?? '{}') as Record<string, unknown>,
      api: new HttpClient(service.origin, { authorization: `Bearer ${token}` }),
    };
  };

  // OPS-1, OPS-2
  it('prints a curl command that works even if PORT is 0, and keeps its data after Ctrl-C or kill -9', async () => {
    await service.start();
    const { url, json, token, api } = printedCommand();
    // OPS-95
    const [, page = '', email = '', password = ''] = /Sign in {4}(\S+) as (\S+) with (\S+)/.exec(service.output) ?? [];
    expect((await new Visitor(service).submit(new URL(page).pathname, { email, password })).status).toBe(303);
    expect(url).toBe(`${service.origin}/api/v1/events`);
    const event = await api.post('/events', json);
    expect(event.status).toBe(201);
    expect((await api.get('/events?scope=upcoming')).body.data.map(({ id }: { id: string }) => id)).toContain(
      event.body.data.id,
    );

    const cli = CommandLine.forDatabaseOf({ databaseUrl: null, dataDir: service.dataDir, appSecret: '' });
    const created = await cli.answer('token', 'create', 'petr-svoboda', '--name', 'another', '--access', 'read');
    const petr = () => new HttpClient(service.origin, { authorization: `Bearer ${created.token}` });
    const listedIds = async () => (await petr().get('/discover/events')).body.data.map(({ id }: { id: string }) => id);
    expect(await listedIds()).toContain(event.body.data.id);

    expect(service.output).not.toContain('job done');
    expect(await service.stop('SIGINT')).toBe(0);
    expect(service.processIds()).toEqual([]);
    await service.start({ PORT: '0' });
    const second = printedCommand();
    expect(second.token).toBe(token);
    // The addresses contain the port that the server has chosen.
    const { port, origin } = new URL(second.url ?? '');
    expect(Number(port)).toBeGreaterThan(0);
    expect((await second.api.post('/events', second.json)).status).toBe(201);
    expect((await second.api.get('/events?scope=upcoming')).body.links.first).toContain(`${origin}/`);
    expect(await listedIds()).toContain(event.body.data.id);

    await service.kill();
    await service.start();
    expect(await listedIds()).toContain(event.body.data.id);

    expect(await service.stop('SIGTERM')).toBe(0);
    expect(service.processIds()).toEqual([]);
    // OPS-15: a command works without a running server too.
    expect(JSON.parse((await cli.run(['doctor'])).stdout)).toMatchObject({
      database: { ok: true, detail: expect.stringContaining('embedded') },
    });
    expect(service.processIds()).toEqual([]);
  }, 300_000);

  // OPS-6
  it('exits immediately with one line when the database refuses the connection', async () => {
    const env = {
      DATABASE_URL: withDatabase(process.env[ADMIN_URL] ?? '', 'nowhere'),
      REDIS_URL: 'redis://127.0.0.1:1',
    };
    await expect(service.start(env)).rejects.toThrow(
      'The database of DATABASE_URL refuses the connection: database "nowhere" does not exist\n',
    );
    expect(service.output).not.toMatch(/^\s+at |ExceptionHandler|InstanceLoader/m);
    // OPS-15
    expect(await service.cli(['doctor'], '', env)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The database of DATABASE_URL refuses the connection: database "nowhere" does not exist\n',
    });
  }, 60_000);

  // OPS-4
  it('reports all invalid settings, each in a line of its own', async () => {
    await expect(service.start({ PORT: 'x', JOBS: 'maybe' })).rejects.toThrow(
      /PORT .*\n(.*\n)*JOBS |JOBS .*\n(.*\n)*PORT /,
    );
  }, 60_000);
});
