// Receivers of webhooks in a separate process, forked with IPC. One server receives all messages and distinguishes
// webhooks by path. Ten times per second the process sends `{messages: [[path, previous cursor, cursor, milliseconds
// since the epoch], …]}`; at the start it sends `{port}`.
import { createServer } from 'node:http';

let gathered = [];
const server = createServer((request, response) => {
  let text = '';
  request
    .setEncoding('utf8')
    .on('data', (part) => (text += part))
    .on('end', () => {
      const { previous, data } = JSON.parse(text);
      gathered.push([request.url, previous, data.cursor, performance.timeOrigin + performance.now()]);
      response.writeHead(204).end();
    });
});
server.listen(0, '127.0.0.1', () => {
  process.send({ port: server.address().port });
  setInterval(() => {
    if (gathered.length > 0) process.send({ messages: gathered });
    gathered = [];
  }, 100);
});
process.once('disconnect', () => process.exit(0));
