import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { openMailbox } from './mailbox';

const MAIL = {
  senderName: 'Events',
  to: { name: 'Jana', address: 'jana@example.org' },
  subject: 'Ahoj',
  text: 'Text',
  html: '<p>Text</p>',
};
const BYTE_EVERY_MS = 20;

// JOIN-49
it('the delivery of a mail ends with an error after its time limit, even if the mail server keeps sending bytes', async () => {
  const connections: Socket[] = [];
  const mailServer = createServer((socket) => {
    connections.push(socket);
    socket.on('error', () => undefined);
    socket.write('220 slow\r\n');
    // The response to the first command never ends.
    socket.once('data', () => {
      const timer = setInterval(() => socket.write('2'), BYTE_EVERY_MS);
      socket.once('close', () => clearInterval(timer));
    });
  });
  mailServer.listen(0, '127.0.0.1');
  await once(mailServer, 'listening');
  try {
    const { port } = mailServer.address() as AddressInfo;
    const mailbox = await openMailbox(`smtp://127.0.0.1:${port}`, 'https://events.example.org', 20 * BYTE_EVERY_MS);
    await expect(mailbox.send(MAIL)).rejects.toThrow('aborted');
    expect(connections).toHaveLength(1);
    // The connection is closed too.
    for (const socket of connections) if (!socket.readableEnded) await once(socket, 'end');
  } finally {
    for (const socket of connections) socket.destroy();
    mailServer.close();
  }
}, 20_000);
