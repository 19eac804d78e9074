import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { answerBrokenHttp } from './broken-http';

const BASE_URL = 'http://127.0.0.1';

// WIRE-43
describe('a connection with input that is not HTTP', () => {
  // As in Node's HTTP server, the server's side stays open when the client ends its side.
  const server = createServer({ allowHalfOpen: true });
  let client: Socket;
  let serverSocket: Socket;
  let text: string;

  // The tests cause refusals on purpose, so the log lines of the refusals are suppressed.
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connected = once(server, 'connection') as Promise<[Socket]>;
    client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
    text = '';
    client.on('data', (part) => (text += String(part))).on('error', () => undefined);
    [serverSocket] = await connected;
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  });
  afterEach(async () => {
    jest.useRealTimers();
    client.destroy();
    serverSocket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error']));

  it('is destroyed one second after the response if the client does not end its side', async () => {
    answerBrokenHttp(Object.assign(new Error(), { code: 'HPE_INVALID_METHOD' }), serverSocket, BASE_URL);
    await once(client, 'end');
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    jest.advanceTimersByTime(999);
    expect(serverSocket.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(serverSocket.destroyed).toBe(true);
  });

  it('is destroyed without a response if the client has reset it', async () => {
    answerBrokenHttp(Object.assign(new Error(), { code: 'ECONNRESET' }), serverSocket, BASE_URL);
    expect(serverSocket.destroyed).toBe(true);
    await once(client, 'end');
    expect(text).toBe('');
  });

  it('has no running timer after the client has ended its side', async () => {
    answerBrokenHttp(Object.assign(new Error(), { code: 'HPE_INVALID_METHOD' }), serverSocket, BASE_URL);
    serverSocket.resume();
    await once(client, 'end');
    client.end();
    await once(serverSocket, 'close');
    expect(jest.getTimerCount()).toBe(0);
  });
});
