// A mail server that accepts every mail. It runs in a separate process, forked with IPC. It sends `{port}` to the
// parent process, and then, ten times per second, `{mails}`: the number of mails that it has received.
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
