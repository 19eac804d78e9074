import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIMITS } from '#contract/limits';
import { postMessage } from './post-message';

const { within, read: maxReadBytes, kept: maxKeptBytes } = LIMITS.webhooks.answer;

/** Lets real I/O run for ten milliseconds while timers are faked. */
const runRealIo = () =>
  new Promise<void>((done) => {
    const timer = setInterval(() => (clearInterval(timer), done()), 10);
  });

/** Real I/O needs these functions. */
const NOT_FAKED = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;

describe('posting a message', () => {
  let server: Server;
  let port: number;
  let requests: { path: string | undefined; host: string | undefined }[];
  let answer: (response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((request: IncomingMessage, response) => {
      requests.push({ path: request.url, host: request.headers.host });
      request.resume().on('end', () => answer(response));
    });
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    ({ port } = server.address() as AddressInfo);
  });
  beforeEach(() => (requests = []));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Posts a message to a target whose name no resolver knows. */
  const post = ({ address = '127.0.0.1', stop = new AbortController().signal } = {}) =>
    postMessage(
      { url: new URL(`http://receiver.invalid:${port}/hook`), address, family: 4 },
      { headers: {}, body: Buffer.from('{}'), within, stop },
    );

  // HOOK-11
  it('connects to the checked address without resolving the name again', async () => {
    answer = (response) => response.writeHead(204).end();
    expect(await post()).toEqual({ status: 204, text: '' });
    expect(requests).toEqual([{ path: '/hook', host: `receiver.invalid:${port}` }]);
    // No server listens at this address.
    expect(await post({ address: '127.255.255.254' })).toMatchObject({ status: null });
    expect(requests).toHaveLength(1);
  });

  // HOOK-9
  it('follows no redirect', async () => {
    answer = (response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
    expect(await post()).toMatchObject({ status: 302 });
    expect(requests.map(({ path }) => path)).toEqual(['/hook']);
  });

  // HOOK-9
  it('returns only the beginning of a long response', async () => {
    answer = (response) => response.writeHead(500).end(`${'a'.repeat(maxKeptBytes - 1)}bc`);
    expect(await post()).toEqual({ status: 500, text: `${'a'.repeat(maxKeptBytes - 1)}b` });
  });

  // HOOK-15
  it('returns the status of a response whose body never ends, after the time limit for the body', async () => {
    jest.useFakeTimers({ doNotFake: [...NOT_FAKED] });
    try {
      let response: ServerResponse | undefined;
      answer = (one) => void (response = one).writeHead(200).write('a');
      let result: unknown = null;
      void post().then((answered) => (result = answered));
      const advance = async (seconds: number) => {
        for (let ms = 0; ms < seconds * 1000; ms += 50) jest.advanceTimersByTime(50);
        for (let turns = 0; turns < 5; turns++) await runRealIo();
      };
      while (!response) await runRealIo();
      await advance(within - 1);
      response.write('b');
      await advance(0.5);
      expect(result).toBeNull();
      await advance(0.5);
      expect(result).toEqual({ status: 200, text: 'ab' });
    } finally {
      jest.useRealTimers();
    }
  });

  // HOOK-15
  it('returns the status at once, without the rest of the body, when the server stops', async () => {
    const stopping = new AbortController();
    answer = (response) => {
      response.writeHead(200).write('a');
      setTimeout(() => stopping.abort(), 50);
    };
    const began = performance.now();
    expect(await post({ stop: stopping.signal })).toMatchObject({ status: 200 });
    expect(performance.now() - began).toBeLessThan((within * 1000) / 2);
    // The signal was aborted before the request: the status line is still awaited.
    expect(await post({ stop: stopping.signal })).toMatchObject({ status: 200 });
  });

  // HOOK-9
  it('reads only the beginning of a response that never ends', async () => {
    let onClose: () => void = () => undefined;
    const closed = new Promise<void>((done) => (onClose = done));
    answer = (response) => {
      response.on('close', onClose);
      response.writeHead(200).write('a'.repeat(maxReadBytes));
    };
    // The fake timers do not advance, so only the limit of bytes can end the reading.
    jest.useFakeTimers({ doNotFake: [...NOT_FAKED] });
    try {
      expect(await post()).toEqual({ status: 200, text: 'a'.repeat(maxKeptBytes) });
    } finally {
      jest.useRealTimers();
    }
    await closed;
  }, 20_000);
});
