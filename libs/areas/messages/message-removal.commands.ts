import { Removal } from '#platform/database/removal';

/** Lets a moderator remove a message from view and restore it (docs/rules/moderation.md). */
export const MESSAGE_REMOVAL = new Removal('all_event_messages');
