/** The content of an error code's page, in Markdown, in both languages. */
export interface RefusalHelp {
  readonly en: HelpText;
  readonly cs: HelpText;
}

interface HelpText {
  /** The meaning of the code, and when it is returned. */
  readonly meaning: string;
  /** Advice for the client or its user. */
  readonly advice: string;
}
