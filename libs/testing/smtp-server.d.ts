/** Types of the parts of smtp-server that the tests use. The package itself has no types. */
declare module 'smtp-server' {
  import type { Server } from 'node:net';
  import type { Readable } from 'node:stream';

  interface Session {
    readonly envelope: { readonly rcptTo: readonly { readonly address: string }[] };
  }

  interface Options {
    readonly authOptional?: boolean;
    readonly disabledCommands?: readonly string[];
    readonly disableReverseLookup?: boolean;
    readonly onData?: (stream: Readable, session: Session, done: (error?: Error) => void) => void;
  }

  export class SMTPServer {
    constructor(options: Options);
    readonly server: Server;
    listen(port: number, host: string, listening: () => void): Server;
    close(closed: () => void): void;
  }
}
