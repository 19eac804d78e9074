import { answerQuestions } from '#platform/threads/answer-questions';
import { settle } from '#settlement/settle';

/** The thread that `Settlements` starts. It computes one settlement for each request, one request after another. */
answerQuestions(settle);
