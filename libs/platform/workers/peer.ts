/** Messages between two processes (node:cluster's channel, JSON). */
export type Letter =
  | { readonly ask: string; readonly id: number; readonly about: unknown }
  | { readonly answer: number; readonly value: unknown }
  | { readonly answer: number; readonly failure: string };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The process at the other end of a channel: both ends ask and answer questions. */
export class Peer {
  private readonly answers = new Map<string, (about: never) => unknown>();
  private readonly waiting = new Map<number, Waiting>();
  private lastNumber = 0;
  private gone = false;

  constructor(private readonly send: (letter: Letter) => void) {}

  /** @throws Error if the other end fails to answer, or exits */
  ask<T>(what: string, about: unknown = null): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.gone) return reject(new Error('nobody is at the other end'));
      const id = ++this.lastNumber;
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.send({ ask: what, id, about });
    });
  }

  /** Registers the handler for questions of that name. */
  answer<About>(what: string, answer: (about: About) => unknown): void {
    this.answers.set(what, answer);
  }

  receive(letter: Letter): void {
    if ('ask' in letter) return void this.reply(letter.ask, letter.id, letter.about);
    const waiting = this.waiting.get(letter.answer);
    this.waiting.delete(letter.answer);
    if ('failure' in letter) waiting?.reject(new Error(letter.failure));
    else waiting?.resolve(letter.value);
  }

  /** The other end has exited: rejects pending questions. */
  lose(): void {
    this.gone = true;
    for (const { reject } of this.waiting.values()) reject(new Error('the other end is gone'));
    this.waiting.clear();
  }

  private async reply(what: string, id: number, about: unknown): Promise<void> {
    try {
      const answer = this.answers.get(what);
      if (!answer) throw new Error(`nobody answers "${what}"`);
      this.send({ answer: id, value: (await answer(about as never)) ?? null });
    } catch (error) {
      this.send({ answer: id, failure: error instanceof Error ? error.message : String(error) });
    }
  }
}
