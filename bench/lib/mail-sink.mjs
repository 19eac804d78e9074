// A mail server that accepts everything, in a separate process: forked with IPC. Sends `{port}`, then ten times per
// second the number of mails so far.
import { SMTPServer } from 'smtp-server';

let mails = 0;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData: (stream, _session, done) => {
    stream.resume();
    stream.on('end', () => {
      mails++;
      done();
    });
  },
});
server.listen(0, '127.0.0.1', () => {
  process.send({ port: server.server.address().port });
  setInterval(() => process.send({ mails }), 100);
});
process.once('disconnect', () => process.exit(0));
