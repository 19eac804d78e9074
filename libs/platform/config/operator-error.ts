/** An error that the operator can correct, such as an invalid input. The message is shown without a stack. */
export class OperatorError extends Error {}
