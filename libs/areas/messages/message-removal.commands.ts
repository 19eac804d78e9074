import { Removal } from '#platform/database/removal';

/** Hides messages that a moderator removes, and shows restored messages again (docs/rules/moderation.md). */
export const MESSAGE_REMOVAL = new Removal('all_event_messages');
