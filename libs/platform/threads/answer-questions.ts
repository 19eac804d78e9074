import { parentPort } from 'node:worker_threads';
import type { AnswerMessage, QuestionMessage } from './thread';

/**
 * Answers the questions that `Thread.ask` sends. The file that runs in the thread calls this function once. If `answer`
 * throws an exception, the thread ends.
 */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer): void {
  parentPort?.on('message', ({ number, question }: QuestionMessage<Question>) => {
    parentPort?.postMessage({ number, answer: answer(question) } satisfies AnswerMessage<Answer>);
  });
}
