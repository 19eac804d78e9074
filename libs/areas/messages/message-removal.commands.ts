import { Removal } from '#platform/database/removal';

/** Hides a message that a moderator removes, and shows it again (docs/rules/moderation.md). */
export const MESSAGE_REMOVAL = new Removal('all_event_messages');
