import { Logger } from '@nestjs/common';
import { AccountErasures } from '#areas/own-data/account-erasures';
import { Eraser } from '#areas/own-data/erasure/eraser';
import { UsersReader } from '#areas/identity/users.reader';
import { LIMITS } from '#contract/limits';
import { Storage } from '#platform/storage/storage';
import { storedFiles } from '#testing/files-and-rows';
import { TestServer } from '#testing/test-server';
import { Visitor } from '#testing/visitor';
import { unzip } from '#testing/zip';

const PASSWORD = 'correct horse';
const DAY_MS = 86_400_000;

/** /account/data: the export is prepared by a job, and the deletion of the account has a waiting period. */
describe('the page for personal data in the account', () => {
  let server: TestServer;
  let memberCount = 0;
  beforeAll(async () => (server = await TestServer.start()));
  afterAll(() => server.stop());
  // Each test begins in a new window of sign-in attempts, so that the attempts of earlier tests do not count.
  beforeEach(() => server.clock.forward(LIMITS.sign_in.window * 1000 + 1));

  async function newMember(): Promise<{ visitor: Visitor; email: string; id: number }> {
    const email = `own${++memberCount}@example.org`;
    const visitor = new Visitor(server);
    expect((await visitor.register(email, `Vlasta Vlastní ${memberCount}`)).status).toBe(303);
    return { visitor, email, id: (await server.app.get(UsersReader).byEmail(email))?.id as number };
  }
  const archiveOf = async (visitor: Visitor): Promise<{ status: number; headers: Headers; content: Buffer }> => {
    const response = await fetch(`${server.origin}/account/data/export`, {
      headers: { cookie: visitor.cookie, accept: 'text/html' },
      redirect: 'manual',
    });
    return { status: response.status, headers: response.headers, content: Buffer.from(await response.arrayBuffer()) };
  };
  const exportsStored = (): string[] => storedFiles(server).filter((name) => name.startsWith('export-'));

  // DATA-4, DATA-5
  it('shows the progress of the export, and lets only the owner of the data download the archive', async () => {
    const { visitor, email, id } = await newMember();
    expect((await archiveOf(visitor)).status).toBe(404);
    expect(await visitor.submit('/account/data', {}, '/account/data/export')).toMatchObject({
      status: 303,
      to: '/account/data',
    });
    expect((await visitor.get('/account/data')).html).toContain('Preparation will start within a minute.');
    await visitor.submit('/account/data', { _csrf: '' }, '/account/data/export');
    expect((await archiveOf(visitor)).status).toBe(404);
    await server.sql('UPDATE data_exports SET done = 3, total = 40 WHERE user_id = $1', [id]);
    expect((await visitor.get('/account/data')).html).toMatch(/3 of 40 done[\s\S]*<progress max="40" value="3"/);
    expect(await server.job('data-exports')).toMatchObject({ exports_made: 1 });
    expect((await visitor.get('/account/data')).html).toMatch(
      /The archive is available until[\s\S]*ZIP \([1-9]\d* kB\)/,
    );
    const { status, headers, content } = await archiveOf(visitor);
    expect([
      status,
      headers.get('content-type'),
      headers.get('cache-control'),
      headers.get('content-disposition'),
    ]).toEqual([200, 'application/zip', 'no-store', 'attachment; filename="my-data.zip"']);
    expect(JSON.parse(String((await unzip(content)).get('account.json')))).toEqual([
      expect.objectContaining({ email }),
    ]);
    const [row] = await server.sql<{ done: number; total: number; file: string }>(
      'SELECT done, total, file FROM data_exports WHERE bytes IS NOT NULL AND user_id = $1',
      [id],
    );
    expect([row?.done, (row?.total ?? 0) > 20]).toEqual([row?.total, true]);

    const { visitor: other } = await newMember();
    expect((await archiveOf(other)).status).toBe(404);
    expect((await archiveOf(new Visitor(server))).headers.get('location')).toBe(
      '/sign-in?next=%2Faccount%2Fdata%2Fexport',
    );
    expect((await server.nobody.get(`~/media/${row?.file}`)).status).toBe(404);
  });

  // DATA-6
  it('offers the archive for seven days or until a new archive is requested', async () => {
    const { visitor, id } = await newMember();
    const requestExport = () => visitor.submit('/account/data', {}, '/account/data/export');
    await requestExport();
    await server.job('data-exports');
    const [first] = await server.sql<{ file: string }>('SELECT file FROM data_exports WHERE user_id = $1', [id]);
    expect(exportsStored()).toContain(first?.file);
    await requestExport();
    expect(await server.job('data-exports')).toEqual({ exports_made: 1, exports_deleted: 1 });
    expect((await archiveOf(visitor)).status).toBe(200);
    expect(exportsStored()).not.toContain(first?.file);
    const storedBeforeSweep = exportsStored();
    server.clock.forward(2 * 60 * 60 * 1000);
    await server.job('media-sweep');
    expect(exportsStored()).toEqual(storedBeforeSweep);
    server.clock.forward(LIMITS.own_data.export_kept * 1000);
    expect((await archiveOf(visitor)).status).not.toBe(200);
    await server.job('data-exports');
    expect([exportsStored(), await server.sql('SELECT id FROM data_exports')]).toEqual([[], []]);
  });

  // OPS-13
  it('makes new archives and deletes the other expired archives if the file of an archive cannot be removed', async () => {
    const [failing, expired, waiting] = [await newMember(), await newMember(), await newMember()];
    const requestExport = ({ visitor }: typeof failing) => visitor.submit('/account/data', {}, '/account/data/export');
    for (const member of [failing, expired]) await requestExport(member);
    await server.job('data-exports');
    server.clock.forward(LIMITS.own_data.export_kept * 1000);
    await requestExport(waiting);
    const removing = jest.spyOn(server.app.get(Storage), 'remove').mockRejectedValueOnce(new Error('no access'));
    await expect(server.job('data-exports')).rejects.toThrow('1 of 2 items failed');
    removing.mockRestore();
    const owners = async () =>
      (await server.sql<{ id: number }>('SELECT user_id::int AS id FROM data_exports ORDER BY id')).map(({ id }) => id);
    expect(await owners()).toEqual([failing.id, waiting.id]);
    expect((await archiveOf(waiting.visitor)).status).toBe(200);
    expect(await server.job('data-exports')).toEqual({ exports_made: 0, exports_deleted: 1 });
    expect(await owners()).toEqual([waiting.id]);
  });

  // DATA-5
  it('offers the archive for seven days from its completion, even if its creation takes long', async () => {
    const { visitor, id } = await newMember();
    await visitor.submit('/account/data', {}, '/account/data/export');
    const start = server.clock.now().getTime();
    const storage = server.app.get(Storage);
    const write = storage.write.bind(storage);
    jest.spyOn(storage, 'write').mockImplementationOnce((...file) => {
      server.clock.forward(2 * 60 * 60 * 1000);
      return write(...file);
    });
    await server.job('data-exports');
    const [row] = await server.sql<{ expires_at: Date }>('SELECT expires_at FROM data_exports WHERE user_id = $1', [
      id,
    ]);
    const seconds = Math.round((row!.expires_at.getTime() - start) / 1000) - LIMITS.own_data.export_kept;
    expect(seconds).toBeGreaterThanOrEqual(7_200);
    expect(seconds).toBeLessThan(7_260);
  });

  // DATA-4
  it('reports a failed export, and creates the archive at the next request', async () => {
    const { visitor } = await newMember();
    await visitor.submit('/account/data', {}, '/account/data/export');
    const loggedErrors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const write = jest.spyOn(server.app.get<Storage>(Storage), 'write').mockRejectedValueOnce(new Error('no room'));
    expect(await server.job('data-exports')).toMatchObject({ exports_made: 0 });
    expect(loggedErrors).toHaveBeenCalledWith(expect.objectContaining({ message: 'no room' }));
    for (const spy of [write, loggedErrors]) spy.mockRestore();
    expect((await visitor.get('/account/data')).html).toMatch(/role="alert">The archive could not be prepared/);
    await visitor.submit('/account/data', {}, '/account/data/export');
    expect(await server.job('data-exports')).toMatchObject({ exports_made: 1 });
    expect((await archiveOf(visitor)).status).toBe(200);
  });

  // DATA-8, DATA-9
  it('deletes the account 14 days after a request with the password, unless the request is withdrawn', async () => {
    const { visitor, email, id } = await newMember();
    const elsewhere = new Visitor(server);
    expect((await elsewhere.submit('/sign-in', { email, password: PASSWORD })).status).toBe(303);
    const requestErasure = (password: string) => visitor.submit('/account/data', { password }, '/account/data/erase');
    expect(await requestErasure('wrong')).toMatchObject({
      status: 422,
      html: expect.stringContaining('Wrong password.'),
    });
    expect((await requestErasure('')).status).toBe(422);
    expect((await visitor.post('/account/data/erase', { password: PASSWORD })).status).toBe(403);
    expect(await server.sql('SELECT 1 FROM account_erasures WHERE user_id = $1', [id])).toEqual([]);

    expect(await requestErasure(PASSWORD)).toMatchObject({ status: 303, to: '/account/data?asked' });
    expect((await visitor.get('/account/data?asked')).html).toMatch(
      /Your account will be deleted on [^.]*\. You can change/,
    );
    // The other pages of the account have a link to the page on which the person withdraws the request.
    const banner = /Your account will be deleted on [^<]*<a href="\/account\/data"/;
    expect((await visitor.get('/account')).html).toMatch(banner);
    expect((await visitor.get('/account/data')).html).not.toMatch(banner);
    expect((await elsewhere.get('/account/data')).status).toBe(303);
    expect(await visitor.submit('/account/data', {}, '/account/data/keep')).toMatchObject({
      status: 303,
      to: '/account/data?kept',
    });
    for (const page of ['/account', '/account/data?asked'])
      expect((await visitor.get(page)).html).not.toMatch(/Your account will be deleted on/);

    await requestErasure(PASSWORD);
    await visitor.submit('/account/data', {}, '/account/data/export');
    await server.job('data-exports');
    server.clock.forward(LIMITS.own_data.erasure_after * 1000 - DAY_MS);
    expect(await server.job('account-erasures')).toEqual({ accounts_erased: 0 });
    server.clock.forward(DAY_MS);
    expect(await server.job('account-erasures')).toEqual({ accounts_erased: 1 });
    expect(await server.sql('SELECT 1 FROM users WHERE id = $1', [id])).toEqual([]);
    expect((await visitor.get('/account/data')).status).toBe(303);
    await server.job('data-exports');
    expect(exportsStored()).toEqual([]);
    expect((await new Visitor(server).register(email)).status).toBe(303);
  });

  // DATA-8
  it('counts the days until the deletion from the first request, even after a second request', async () => {
    const { id } = await newMember();
    const erasures = server.app.get(AccountErasures);
    await erasures.request(id);
    const due = await erasures.dueAt(id);
    server.clock.forward(DAY_MS);
    await erasures.request(id);
    expect(await erasures.dueAt(id)).toEqual(due);
    await erasures.withdraw(id);
  });

  // DATA-9
  it('deletes no account whose owner withdraws the request just before the deletion, and retries failed deletions', async () => {
    const [failing, keeping, leaving] = [await newMember(), await newMember(), await newMember()];
    const erasures = server.app.get(AccountErasures);
    for (const { id } of [failing, keeping, leaving]) await erasures.request(id);
    server.clock.forward(LIMITS.own_data.erasure_after * 1000);
    const eraser = server.app.get(Eraser);
    const erase = eraser.erase.bind(eraser);
    const loggedErrors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const erasing = jest
      .spyOn(eraser, 'erase')
      .mockRejectedValueOnce(new Error('no connection'))
      .mockImplementationOnce(async (id, options) => {
        await erasures.withdraw(id);
        return erase(id, options);
      });
    await expect(server.job('account-erasures')).rejects.toThrow('1 of 3 items failed');
    expect(loggedErrors).toHaveBeenCalledWith(
      { err: expect.objectContaining({ message: 'no connection' }), item: { user_id: String(failing.id) } },
      expect.any(String),
    );
    for (const spy of [erasing, loggedErrors]) spy.mockRestore();
    const remaining = async () =>
      (
        await server.sql<{ id: number }>('SELECT id::int AS id FROM users WHERE id = ANY($1) ORDER BY id', [
          [failing.id, keeping.id, leaving.id],
        ])
      ).map(({ id }) => id);
    expect(await remaining()).toEqual([failing.id, keeping.id]);
    expect(await server.job('account-erasures')).toEqual({ accounts_erased: 1 });
    expect(await remaining()).toEqual([keeping.id]);
  });
});
