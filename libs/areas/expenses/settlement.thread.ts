import { answerQuestions } from '#platform/threads/answer-questions';
import { settle } from '#settlement/settle';

/**
 * The code of the two threads that `Settlements` starts. Each thread computes one settlement for each request, one
 * request after another.
 */
answerQuestions(settle);
