/** Invalid input of an operator: the message is complete, and nothing was changed. */
export class OperatorError extends Error {}
