/**
 * A message between two processes, sent as JSON through node:cluster's channel: a question, an answer, or the reason
 * why a question could not be answered.
 */
export type PeerMessage =
  | { readonly ask: string; readonly id: number; readonly argument: unknown }
  | { readonly answer: number; readonly value: unknown }
  | { readonly answer: number; readonly failure: string };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The process at the other end of a channel. Both processes ask and answer questions. */
export class Peer {
  private readonly handlers = new Map<string, (argument: never) => unknown>();
  private readonly pending = new Map<number, Waiting>();
  private lastId = 0;
  private hasExited = false;

  constructor(private readonly send: (message: PeerMessage) => void) {}

  /**
   * Sends a question and returns the answer.
   *
   * @throws Error if the other process fails to answer, or exits
   */
  ask<T>(name: string, argument: unknown = null): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.hasExited) return reject(new Error('the other process has exited'));
      const id = ++this.lastId;
      this.pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.send({ ask: name, id, argument });
    });
  }

  /** Registers the handler for the questions with this name. */
  handle<Argument>(name: string, handler: (argument: Argument) => unknown): void {
    this.handlers.set(name, handler);
  }

  receive(message: PeerMessage): void {
    if ('ask' in message) return void this.reply(message.ask, message.id, message.argument);
    const pending = this.pending.get(message.answer);
    this.pending.delete(message.answer);
    if ('failure' in message) pending?.reject(new Error(message.failure));
    else pending?.resolve(message.value);
  }

  /** Called when the other process has exited. Rejects pending questions. */
  disconnect(): void {
    this.hasExited = true;
    for (const { reject } of this.pending.values())
      reject(new Error('the other process has exited before it answered'));
    this.pending.clear();
  }

  private async reply(name: string, id: number, argument: unknown): Promise<void> {
    try {
      const handler = this.handlers.get(name);
      if (!handler) throw new Error(`the other process has no handler for "${name}"`);
      this.send({ answer: id, value: (await handler(argument as never)) ?? null });
    } catch (error) {
      this.send({ answer: id, failure: error instanceof Error ? error.message : String(error) });
    }
  }
}
