import { OperatorError } from '#platform/config/operator-error';

/** The texts of the command line, by the code of the reason. The pages have their own texts for these codes. */
const REASONS = {
  no_report: () => 'There is no such report.',
  decided: () => 'A decision about that report has already been made.',
  person: () => 'A person cannot be removed: ban them.',
  no_author: () => 'The author no longer has an account: dismiss the report or remove the content.',
  gone: (objectName: string) => `The ${objectName} no longer exists: dismiss the report, or warn or ban the author.`,
  own: () => 'Moderators cannot decide about their own content.',
  own_decision: () => 'Someone else must answer an objection to your own decision.',
  no_objection: () => 'There is no such objection.',
  answered: () => 'That objection has already been answered.',
} as const;

export type CannotDecideCode = keyof typeof REASONS;

/** A decision about a report, or the answer to an objection, is not possible. Only `gone` needs `objectName`. */
export class CannotDecide extends OperatorError {
  constructor(
    readonly code: CannotDecideCode,
    objectName = '',
  ) {
    super(REASONS[code](objectName));
  }
}
