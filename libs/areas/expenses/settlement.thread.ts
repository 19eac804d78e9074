import { answerQuestions } from '#platform/threads/answer-questions';
import { settle } from '#settlement/settle';

/** Settles balances, one request after another. Started by Settlements. */
answerQuestions(settle);
