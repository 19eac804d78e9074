import { answerQuestions } from '#platform/threads/answer-questions';

/** A thread for the tests: halves even numbers and fails for odd numbers. */
answerQuestions((number: number) => {
  if (number % 2 !== 0) throw new Error(`${number} is odd`);
  return number / 2;
});
