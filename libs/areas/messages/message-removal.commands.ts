import { Removal } from '#platform/database/removal';

/**
 * Hides a message when a moderator removes it, and shows the message again when a moderator restores it
 * (docs/rules/moderation.md).
 */
export const MESSAGE_REMOVAL = new Removal('all_event_messages');
