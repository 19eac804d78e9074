import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '#platform/config/settings';
import { Scratch } from '#platform/media/scratch';
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
    const clips = new Clips(folder);
    const short = await clips.make('short.mp4', { width: 1920, height: 1080, rate: 120, seconds: 0.5, sound: false });
    // The video has so many frames that its conversion takes seconds. It repeats the frames of the short clip.
    video = new Blob([
      readFileSync(await clips.write('slow.mp4', ['-stream_loop', '5', '-i', `file:${short}`, '-c', 'copy'])),
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
  it(`leaves temporary files only if it is killed; a starting server deletes the files of killed servers only, and a stopping server ends its conversions (${REPETITIONS} times)`, async () => {
    for (let n = 0; n < REPETITIONS; n++) {
      const killed = await startServer();
      const unanswered = uploadVideos(killed.origin).map((answer) => answer.catch(() => null));
      await untilOneConverts();
      await killed.kill();
      // The conversion continues after its server is killed. The conversion must end here, because the tests would
      // otherwise count it as a conversion of the next server.
      for (const pid of convertingProcesses()) process.kill(Number(pid), 'SIGKILL');
      await waitUntil(() => convertingProcesses().length === 0);
      expect(await Promise.all(unanswered)).toEqual([null, null]);
      expect(scratchFiles(server).length).toBeGreaterThan(0);

      const running = await startServer();
      expect(scratchFiles(server)).toEqual([]);
      const answers = uploadVideos(running.origin);
      await untilOneConverts();
      // The conversion is paused, so that it cannot end before the server has received all videos.
      for (const pid of convertingProcesses()) process.kill(Number(pid), 'SIGSTOP');
      await untilAllAreReceived();
      const working = scratchFiles(server);
      // Each server calls this method when it starts.
      expect(await server.app.get(Scratch).removeFoldersOfDeadProcesses()).toBe(0);
      expect(scratchFiles(server)).toEqual(working);

      expect(await running.stop()).toBe(0);
      // Running and waiting uploads get a response.
      for (const { status, body, headers } of await Promise.all(answers))
        expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'server_error', '10']);
      // The server has killed the conversion, but the kernel needs some time to end the process.
      await waitUntil(() => convertingProcesses().length === 0);
      expect(scratchFiles(server)).toEqual([]);
    }
    expect(storedFiles(server)).toEqual([]);
    expect(await disagreements(server)).toEqual([]);
  }, 240_000);
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
