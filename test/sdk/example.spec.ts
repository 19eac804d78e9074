import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildEvent } from '#testing/builders';
import { respondWith, ScriptedServer } from '#testing/scripted-server';
import { SdkPackage } from '#testing/sdk-package';
import { TestServer } from '#testing/test-server';

// DOC-12
describe('examples/participants-to-chat.mjs', () => {
  let server: TestServer;
  let sdk: SdkPackage;
  let chat: ScriptedServer;
  const bots: ChildProcess[] = [];
  beforeAll(async () => {
    sdk = SdkPackage.install();
    server = await TestServer.start();
    chat = await ScriptedServer.start();
    // `npm run mutants` inserts a fault into the text that `readFileSync` returns. `copyFileSync` would copy the file
    // without the fault.
    const source = readFileSync(join(__dirname, '../../examples/participants-to-chat.mjs'), 'utf8');
    writeFileSync(join(sdk.folder, 'bot.mjs'), source);
  });
  afterAll(async () => {
    for (const bot of bots) bot.kill('SIGKILL');
    chat.stop();
    await server.stop();
    sdk.remove();
  });

  // DOC-17
  it('posts each new participant only once, including participants who joined while the bot was not running', async () => {
    const { jana, petr, eva, ota, iva } = await server.people('jana', 'petr', 'eva', 'ota', 'iva');
    const event = await buildEvent(server, jana, { title: 'Tea at five' });
    const { url } = (await jana.api.get(`/events/${event.id}`)).body.data;
    chat.turns = Array.from({ length: 9 }, () => respondWith({}));
    const startBot = () =>
      bots[
        bots.push(
          spawn(process.execPath, ['bot.mjs'], {
            cwd: sdk.folder,
            stdio: 'inherit',
            env: {
              PATH: process.env['PATH'],
              EVENTS_TOKEN: jana.token,
              EVENTS_URL: server.origin,
              CHAT_WEBHOOK: chat.origin,
            },
          }),
        ) - 1
      ] as ChildProcess;
    const waitForPosts = async (count: number) => {
      for (let i = 0; i < 300 && chat.requests.length < count; i++) await pause(100);
      return chat.requests.map(
        ({ body }) => (JSON.parse(Buffer.from(body, 'latin1').toString()) as { text: string }).text,
      );
    };
    const joinEvent = (person: typeof petr) => person.api.post(`/events/${event.id}/join`);

    const cursorFile = join(sdk.folder, 'cursor.txt');
    const storedCursor = () => (existsSync(cursorFile) ? readFileSync(cursorFile, 'utf8') : '');
    const waitForNewCursor = async (old: string) => {
      for (let i = 0; i < 300 && storedCursor() === old; i++) await pause(100);
      return storedCursor();
    };

    const first = startBot();
    const firstCursor = await waitForNewCursor('');
    await joinEvent(petr);
    expect(await waitForPosts(1)).toEqual([`${petr.name} joins “Tea at five” (2 are coming): ${url}`]);
    // The bot is killed only after it has stored the new cursor. With the old cursor, the next bot would post Petr's
    // participation again.
    await waitForNewCursor(firstCursor);
    first.kill('SIGKILL');
    await once(first, 'exit');

    await joinEvent(eva);
    const second = startBot();
    expect(await waitForPosts(2)).toEqual([
      expect.any(String),
      `${eva.name} joins “Tea at five” (3 are coming): ${url}`,
    ]);

    // The organizer approves a join request. The bot must post the name of the person who joins.
    await jana.api.patch(`/events/${event.id}`, { join_mode: 'request' });
    await joinEvent(ota);
    await jana.api.post(`/events/${event.id}/participants/${ota.slug}/promote`);
    expect((await waitForPosts(3))[2]).toBe(`${ota.name} joins “Tea at five” (4 are coming): ${url}`);
    // Jana's own participation in Petr's event is not posted.
    const eventOfPetr = await buildEvent(server, petr, { title: 'Cards' });
    await jana.api.post(`/events/${eventOfPetr.id}/join`);
    await jana.api.patch(`/events/${event.id}`, { join_mode: 'open' });
    await joinEvent(iva);
    expect((await waitForPosts(4)).slice(3)).toEqual([`${iva.name} joins “Tea at five” (5 are coming): ${url}`]);
    second.kill();
    await once(second, 'exit');
  });
});
