import { COMMUNITY_HELP } from './help-community';
import { EVENTS_HELP } from './help-events';
import { GENERAL_HELP } from './help-general';
import type { RefusalCode } from './refusals';

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

/** The page of every code (REF-1): a code that has none does not compile. */
export const REFUSAL_HELP: Readonly<Record<RefusalCode, RefusalHelp>> = { ...GENERAL_HELP, ...EVENTS_HELP, ...COMMUNITY_HELP };
