import type { ReactionEntry } from '#platform/signals/signals';

/** Everything that happens upwards, in order: what was raised, and who reacts to it in the same transaction. */
export const REACTIONS: readonly ReactionEntry[] = [];
