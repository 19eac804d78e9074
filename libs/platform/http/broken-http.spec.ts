import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { answerBrokenHttp } from './broken-http';

// WIRE-43
describe('a connection on which no HTTP came', () => {
  // As Node's HTTP server opens its connections: the end of the client's side does not end ours.
  const server = createServer({ allowHalfOpen: true });
  let client: Socket;
  let ours: Socket;
  let text: string;

  beforeAll(() => Logger.overrideLogger(false)); // that it refuses is meant
  beforeEach(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connected = once(server, 'connection') as Promise<[Socket]>;
    client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
    text = '';
    client.on('data', (part) => (text += String(part))).on('error', () => undefined);
    [ours] = await connected;
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  });
  afterEach(async () => {
    jest.useRealTimers();
    client.destroy();
    ours.destroy();
    await new Promise((closed) => server.close(closed));
  });
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error']));

  it('is given up one second after the answer, though the client never ends its side', async () => {
    answerBrokenHttp(Object.assign(new Error(), { code: 'HPE_INVALID_METHOD' }), ours);
    await once(client, 'end');
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    jest.advanceTimersByTime(999);
    expect(ours.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(ours.destroyed).toBe(true);
  });

  it('is given up without an answer when it was reset', async () => {
    answerBrokenHttp(Object.assign(new Error(), { code: 'ECONNRESET' }), ours);
    expect(ours.destroyed).toBe(true);
    await once(client, 'end');
    expect(text).toBe('');
  });

  it('leaves no timer behind when the client ends its side', async () => {
    answerBrokenHttp(Object.assign(new Error(), { code: 'HPE_INVALID_METHOD' }), ours);
    ours.resume();
    await once(client, 'end');
    client.end();
    await once(ours, 'close');
    expect(jest.getTimerCount()).toBe(0);
  });
});
