import { Removal } from '#platform/database/removal';

/**
 * Removes messages from view, restores them, and later deletes the rows of removed messages (docs/rules/moderation.md).
 */
export const MESSAGE_REMOVAL = new Removal('all_event_messages');
