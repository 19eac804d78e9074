// The receiver of webhooks runs in a separate process, forked with IPC. One server receives the messages of all
// webhooks; each webhook has its own path. At the start the process sends `{port}` to its parent. Then, ten times per
// second, the process sends the new messages, if there are any, as
// `{messages: [[path, previous cursor, cursor, milliseconds since the epoch], …]}`.
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
