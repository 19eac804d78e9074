/**
 * The part of Node that `node.ts` uses. With the complete types of Node, the compiler would not notice if another file
 * used an API that browsers do not have.
 */
declare module 'node:http' {
  interface Incoming {
    readonly method?: string;
    readonly url?: string;
  }
  interface Outgoing {
    writeHead(status: number, headers: Readonly<Record<string, string>>): this;
    end(text: string): this;
    once(event: 'close', listener: () => void): this;
  }
  interface Server {
    once(event: 'error', listener: (error: Error) => void): this;
    on(event: 'request', listener: (request: Incoming, response: Outgoing) => void): this;
    listen(port: number, host: string, listener: () => void): this;
    address(): { readonly port: number };
    close(): this;
    closeAllConnections(): void;
  }
  export function createServer(): Server;
}
