import { HttpClient } from '#testing/http-client';
import { NpmService } from '#testing/npm-service';
import { Visitor } from '#testing/visitor';
import { ADMIN_URL, withDatabase } from '#testing/test-cluster';
import { waitUntil } from '#testing/wait-until';

/**
 * OPS-1: `npm start` from an empty data folder to a created event, and each way of stopping the server. The test does
 * not run `npm ci`.
 */
describe('npm start', () => {
  let service: NpmService;
  beforeAll(async () => {
    service = await NpmService.prepare();
    // The first command compiles the service. It runs here, so that no test has to wait for the compilation.
    await service.cli(['--help']);
  }, 300_000);
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
  it('prints a curl command that works, and keeps its data after Ctrl-C or kill -9', async () => {
    await service.start();
    const { url, json, token, api } = printedCommand();
    // OPS-95
    const [, page = '', email = '', password = ''] = /Sign in {4}(\S+) as (\S+) with (\S+)/.exec(service.output) ?? [];
    expect((await new Visitor(service).submit(new URL(page).pathname, { email, password })).status).toBe(303);
    expect(url).toBe(`${service.origin}/api/v1/events`);
    const created = await api.post('/events', json);
    expect(created.status).toBe(201);
    expect((await api.get('/events?scope=upcoming')).body.data.map((event: { id: string }) => event.id)).toContain(
      created.body.data.id,
    );

    const createdToken = await service.cli([
      'token',
      'create',
      'petr-svoboda',
      '--name',
      'another',
      '--access',
      'read',
    ]);
    expect(createdToken.code).toBe(0);
    const petr = new HttpClient(service.origin, {
      authorization: `Bearer ${(JSON.parse(createdToken.stdout) as { token: string }).token}`,
    });
    const listedIds = async () =>
      (await petr.get('/discover/events')).body.data.map((event: { id: string }) => event.id);
    expect(await listedIds()).toContain(created.body.data.id);

    expect(service.output).not.toContain('job done');
    expect(await service.stop('SIGINT')).toBe(0);
    expect(service.processIds()).toEqual([]);
    await service.start();
    expect(printedCommand().token).toBe(token);
    expect(await listedIds()).toContain(created.body.data.id);

    await service.kill();
    await service.start();
    expect(await listedIds()).toContain(created.body.data.id);

    expect(await service.stop('SIGTERM')).toBe(0);
    expect(service.processIds()).toEqual([]);
  }, 300_000);

  // OPS-1
  it('prints the real port in its addresses if PORT is 0', async () => {
    let hasFailed = false;
    const started = service.start({ PORT: '0' }).catch(() => (hasFailed = true));
    await waitUntil(() => service.output.includes('/docs') || hasFailed, 240);
    const { url = '', token, json } = printedCommand();
    const { port, origin } = new URL(url);
    expect(Number(port)).toBeGreaterThan(0);
    const api = new HttpClient(origin, { authorization: `Bearer ${token}` });
    expect((await api.post('/events', json)).status).toBe(201);
    expect((await api.get('/events?scope=upcoming')).body.links.first).toContain(`${origin}/`);
    expect(await service.stop('SIGINT')).toBe(0);
    await started;
  }, 120_000);

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
    const { code, stdout, stderr } = await service.cli(['doctor'], '', env);
    expect([code, stdout, stderr.match(/refuses the connection/g)]).toEqual([1, '', ['refuses the connection']]);
  }, 60_000);

  // OPS-4
  it('reports all invalid settings, each in a line of its own', async () => {
    await expect(service.start({ PORT: 'x', JOBS: 'maybe' })).rejects.toThrow(
      /PORT .*\n(.*\n)*JOBS |JOBS .*\n(.*\n)*PORT /,
    );
  }, 60_000);
});
