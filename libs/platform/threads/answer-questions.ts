import { parentPort } from 'node:worker_threads';
import type { AnswerMessage, QuestionMessage } from './thread';

/**
 * Responds to the questions of a `Thread`. The file of the thread calls this function once. If `answer` throws an
 * exception, the thread ends.
 */
export function serveThreadRequests<Question, Answer>(answer: (question: Question) => Answer): void {
  parentPort?.on('message', ({ number, question }: QuestionMessage<Question>) => {
    parentPort?.postMessage({ number, answer: answer(question) } satisfies AnswerMessage<Answer>);
  });
}
