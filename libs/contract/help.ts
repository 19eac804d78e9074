import { COMMUNITY_HELP } from './help-community';
import { EVENTS_HELP } from './help-events';
import { GENERAL_HELP } from './help-general';
import type { RefusalHelp } from './help-text';
import type { RefusalCode } from './refusals';

/** The help page of every error code (REF-1). If the page of an error code is missing, this file does not compile. */
export const REFUSAL_HELP: Readonly<Record<RefusalCode, RefusalHelp>> = {
  ...GENERAL_HELP,
  ...EVENTS_HELP,
  ...COMMUNITY_HELP,
};
