/** An invalid input of an operator. The message is complete, and nothing was changed. */
export class OperatorError extends Error {}
