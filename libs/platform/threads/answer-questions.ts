import { parentPort } from 'node:worker_threads';
import type { AnswerMessage, QuestionMessage } from './thread';

/** The thread's side of a `Thread`, called once by the thread's file. An exception of `answer` ends the thread. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer): void {
  parentPort?.on('message', ({ number, question }: QuestionMessage<Question>) => {
    parentPort?.postMessage({ number, answer: answer(question) } satisfies AnswerMessage<Answer>);
  });
}
