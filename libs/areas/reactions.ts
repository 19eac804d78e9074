import { reaction, type ReactionEntry } from '#platform/signals/signals';
import { EventsCancelled } from './events/event.signal';
import { SettleCancelledEvents } from './participation/cancelled-events.reaction';

/** Everything that happens upwards, in order: what was raised, and who reacts to it in the same transaction. */
export const REACTIONS: readonly ReactionEntry[] = [reaction(EventsCancelled, SettleCancelledEvents)];
