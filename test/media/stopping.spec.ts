import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '#platform/config/settings';
import { Clips } from '#testing/clips';
import { disagreements, scratchFiles, storedFiles } from '#testing/files-and-rows';
import { HttpClient } from '#testing/http-client';
import type { Person } from '#testing/people';
import { repetitions } from '#testing/repetitions';
import { ServerProcess } from '#testing/server-process';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';

const REPETITIONS = repetitions('conversion_ends');

describe('a server that stops during a video conversion', () => {
  let server: TestServer;
  let people: Person[];
  let video: Blob;

  beforeAll(async () => {
    server = await TestServer.start();
    people = Object.values(await server.people('jana', 'petr'));
    const folder = mkdtempSync(join(tmpdir(), 'clips-'));
    // The video has so many frames that its conversion takes seconds.
    video = new Blob([
      readFileSync(
        await new Clips(folder).make('slow.mp4', {
          width: 1920,
          height: 1080,
          rate: 120,
          seconds: 6,
          args: ['-preset', 'ultrafast'],
        }),
      ),
    ]);
    rmSync(folder, { recursive: true });
  });
  const started: ServerProcess[] = [];
  afterEach(async () => {
    for (const process of started.splice(0)) await process.kill();
  });
  afterAll(() => server.stop());

  const startServer = async () => {
    const { databaseUrl, appSecret, dataDir } = server.app.get(Settings);
    const process = await ServerProcess.start({
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataDir,
      APP_SECRET: appSecret,
    });
    started.push(process);
    return process;
  };
  const uploadVideos = (origin: string) =>
    people.map(({ token }) =>
      new HttpClient(origin, { authorization: `Bearer ${token}` }).upload('/puls', [
        ['latitude', '50'],
        ['longitude', '14'],
        ['video', video],
      ]),
    );
  const convertingProcesses = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        const command = commandOf(pid);
        return command.includes('libx264') && command.includes(server.dataDir);
      });
  const untilOneConverts = () => waitUntil(() => convertingProcesses().length > 0);
  /** Waits until the server has received all videos. A stopping server resets connections with incomplete uploads. */
  const untilAllAreReceived = () => {
    const folder = join(server.dataDir, 'tmp');
    const received = () =>
      readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) => {
        const file = statSync(join(folder, name), { throwIfNoEntry: false });
        return file?.isFile() && file.size === video.size;
      });
    return waitUntil(() => received().length >= people.length);
  };

  // PULS-16, OPS-44
  it(`stops the conversion, answers 503 to running and waiting uploads, and leaves no files (${REPETITIONS} times)`, async () => {
    for (let n = 0; n < REPETITIONS; n++) {
      const serverProcess = await startServer();
      const answers = uploadVideos(serverProcess.origin);
      await untilOneConverts();
      // The conversion is paused, so that it cannot end before the server has received all videos.
      for (const pid of convertingProcesses()) process.kill(Number(pid), 'SIGSTOP');
      await untilAllAreReceived();
      expect(await serverProcess.stop()).toBe(0);
      for (const { status, body, headers } of await Promise.all(answers)) {
        expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'server_error', '10']);
      }
      // The server has killed the conversion, but the kernel needs some time to end the process.
      await waitUntil(() => convertingProcesses().length === 0);
      expect(scratchFiles(server)).toEqual([]);
    }
    expect(storedFiles(server)).toEqual([]);
    expect(await disagreements(server)).toEqual([]);
  }, 240_000);

  // OPS-44
  it('leaves temporary files if it is killed; the next server deletes them, but not the files of a running server', async () => {
    const killed = await startServer();
    const answers = uploadVideos(killed.origin).map((answer) => answer.catch(() => null));
    await untilOneConverts();
    await killed.kill();
    // The conversion continues after its server is killed. The conversion must end here, because the tests would
    // otherwise count it as a conversion of the next servers.
    for (const pid of convertingProcesses()) process.kill(Number(pid), 'SIGKILL');
    await waitUntil(() => convertingProcesses().length === 0);
    expect(await Promise.all(answers)).toEqual([null, null]);
    const filesAfterKill = scratchFiles(server);
    expect(filesAfterKill.length).toBeGreaterThan(0);

    const running = await startServer();
    expect(scratchFiles(server)).toEqual([]);
    const accepted = uploadVideos(running.origin);
    await untilOneConverts();
    const working = scratchFiles(server);
    // The conversion is paused, so that it cannot end before another server has started.
    const converting = convertingProcesses().map(Number);
    for (const pid of converting) process.kill(pid, 'SIGSTOP');
    const another = await startServer();
    expect(scratchFiles(server)).toEqual(expect.arrayContaining(working));
    for (const pid of converting) process.kill(pid, 'SIGCONT');
    await another.stop();
    await running.stop();
    await Promise.all(accepted);
  }, 240_000);
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
