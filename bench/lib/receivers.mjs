// Receivers of webhooks in a separate process, forked with IPC: one server for all, distinguished by path. Sends
// `{port}`, then ten times per second `{messages: [[path, previous cursor, cursor, milliseconds since the epoch], …]}`.
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
