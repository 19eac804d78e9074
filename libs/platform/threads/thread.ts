import { Worker } from 'node:worker_threads';
import { runnable } from './runnable';

/** A message to a thread. */
export interface QuestionMessage<Question> {
  readonly number: number;
  readonly question: Question;
}

/** A message from a thread: the answer to the question with the same number. */
export interface AnswerMessage<Answer> {
  readonly number: number;
  readonly answer: Answer;
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * A thread for work that would block the event loop. It processes questions one after another. The first question
 * starts the thread. An idle thread does not prevent the process from exiting. A failure rejects all pending questions,
 * and the next question starts a new thread.
 */
export class Thread<Question, Answer> {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting<Answer>>();
  private lastNumber = 0;

  /** @param file path of the thread's file without its extension; the file calls `answerQuestions` */
  constructor(private readonly file: string) {}

  ask(question: Question): Promise<Answer> {
    const number = ++this.lastNumber;
    return new Promise((resolve, reject) => {
      const worker = (this.worker ??= this.start());
      // Throws if the question cannot be cloned, which rejects only this question.
      worker.postMessage({ number, question } satisfies QuestionMessage<Question>);
      this.waiting.set(number, { resolve, reject });
      worker.ref();
    });
  }

  /** Ends the thread and rejects pending questions. */
  async stop(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const { path, options } = runnable(this.file);
    const worker = new Worker(path, { execArgv: options });
    worker.unref();
    worker.on('message', ({ number, answer }: AnswerMessage<Answer>) => {
      this.waiting.get(number)?.resolve(answer);
      this.waiting.delete(number);
      if (this.waiting.size === 0) worker.unref();
    });
    worker.on('error', (error) => this.end(worker, new Error('The thread has failed.', { cause: error })));
    worker.on('exit', (code) => this.end(worker, new Error(`The thread has ended (${code}).`)));
    return worker;
  }

  private end(worker: Worker, reason: Error): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(reason);
    this.waiting.clear();
  }
}
