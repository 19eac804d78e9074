// Clients that read streams of GET /changes on bare sockets. They run in a process that a bench forks with IPC. The
// process receives `{origin, tokens, perToken}` and opens `perToken` streams for each token. Then it sends the number
// of open streams and the number of refused streams, as `{open, refused}`. From then on, it sends new entries at most
// ten times per second, as `{entries: [[index of the token, milliseconds since 1970, id and URL of the subject], …]}`.
import { connect } from 'node:net';

const CONCURRENCY = 50;
let gathered = [];

process.once('message', async ({ origin, tokens, perToken }) => {
  const streams = tokens.flatMap((token, tokenIndex) =>
    Array.from({ length: perToken }, () => ({ token, tokenIndex })),
  );
  const { port, host } = new URL(origin);
  const count = { open: 0, refused: 0 };
  let next = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < streams.length)
        (await follow(streams[next++], Number(port), host)) ? count.open++ : count.refused++;
    }),
  );
  process.send(count);
  setInterval(() => {
    if (gathered.length > 0) process.send({ entries: gathered });
    gathered = [];
  }, 100);
});
process.once('disconnect', () => process.exit(0));

/**
 * Resolves to true when the headers and the first cursor of the stream have arrived. Resolves to false if the stream is
 * refused, or if the connection ends earlier.
 */
function follow({ token, tokenIndex }, port, host) {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `GET /api/v1/changes HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\nauthorization: Bearer ${token}\r\n\r\n`,
      ),
    );
    let rest = '';
    let isOpen = false;
    socket.setEncoding('latin1');
    socket.on('data', (text) => {
      const now = performance.timeOrigin + performance.now();
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        if (!isOpen && line.startsWith('id: ')) done((isOpen = true));
        if (!line.startsWith('data: ')) continue;
        const { subject } = JSON.parse(line.slice(6));
        gathered.push([tokenIndex, now, `${subject.id} ${subject.url}`]);
      }
      if (!isOpen && /^HTTP\/1.1 (?!200)/.test(text)) done(false);
    });
    socket.on('error', () => done(false)).on('close', () => done(false));
  });
}
