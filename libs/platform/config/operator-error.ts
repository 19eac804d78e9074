/** Bad input of an operator: the message is all they need, nothing was changed. */
export class OperatorError extends Error {}
