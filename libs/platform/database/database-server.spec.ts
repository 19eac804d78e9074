import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { DatabaseServer } from './database-server';

/** The messages AuthenticationOk and ReadyForQuery of PostgreSQL's protocol. */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

// OPS-60, OPS-70
describe('a pooler that accepts connections but answers no queries', () => {
  const sockets: Socket[] = [];
  let pooler: Server;
  beforeAll(async () => {
    pooler = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined).once('data', () => socket.write(WELCOME));
    });
    await new Promise<void>((done) => pooler.listen(0, '127.0.0.1', done));
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    pooler.close();
  });

  it.each([
    ['one server', (host: string) => `postgres://events@${host}/events`],
    ['several servers', (host: string) => `postgres://events@${host},${host}/events?target_session_attrs=read-write`],
  ])(
    'counts as a database that does not answer (an address with %s)',
    async (_, addressOf) => {
      const { port } = pooler.address() as AddressInfo;
      const opened = DatabaseServer.open({
        databaseUrl: addressOf(`127.0.0.1:${port}`),
        databaseListenUrl: null,
        databaseTimeoutSeconds: 1,
        dataDir: '',
      });
      await expect(opened).rejects.toThrow('The database of DATABASE_URL has not answered for 1 seconds: ');
    },
    20_000,
  );
});
