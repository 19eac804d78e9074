/** What a page about an error code tells, in Markdown, in both languages. */
export interface RefusalHelp {
  readonly en: HelpText;
  readonly cs: HelpText;
}

interface HelpText {
  /** What it means, and when it comes. */
  readonly meaning: string;
  /** What the client, or the person before it, does now. */
  readonly advice: string;
}
