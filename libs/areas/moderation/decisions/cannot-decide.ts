import { OperatorError } from '#platform/config/operator-error';

/** The reasons as shown to operators. The pages have their own text for each code. */
const REASONS = {
  no_report: () => 'There is no such report.',
  decided: () => 'That report is decided already.',
  person: () => 'A person cannot be removed: ban them.',
  no_author: () => 'Its author has no account any more: dismiss or remove it.',
  gone: (thing: string) => `There is no ${thing} any more: dismiss it, or warn or ban its author.`,
  own: () => 'Nobody decides about what is their own.',
  own_decision: () => 'Somebody else has to answer the objection to one’s own decision.',
  no_objection: () => 'There is no such objection.',
  answered: () => 'That objection is answered already.',
} as const;

export type CannotDecideCode = keyof typeof REASONS;

export class CannotDecide extends OperatorError {
  constructor(
    readonly code: CannotDecideCode,
    thing = '',
  ) {
    super(REASONS[code](thing));
  }
}
