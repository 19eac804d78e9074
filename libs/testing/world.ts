import type { ContentKind } from '#contract/vocabulary';
import type { Person } from './people';
import type { TestServer } from './test-server';

/** An object and the person who created it. */
export interface Thing {
  /** The id in paths. */
  readonly id: string;
  readonly owner: Person;
}
/** An event or a group. */
export interface EventOrGroup extends Thing {
  /** People with a current or former relation to the event or group, and people who have tried to get a relation. */
  readonly people: Person[];
}
/** An object of an event, such as a photo or an expense. */
export interface Part extends Thing {
  readonly event: EventOrGroup;
}

/** People and their objects in all areas of the service, for random tests. */
export interface World {
  readonly server: TestServer;
  readonly people: readonly Person[];
  /** People whose accounts are banned. */
  readonly banned: Set<Person>;
  /** People whose accounts were erased. */
  readonly erased: Set<Person>;
  readonly events: EventOrGroup[];
  readonly groups: EventOrGroup[];
  readonly posts: Thing[];
  readonly series: Thing[];
  readonly comments: Thing[];
  readonly photos: Part[];
  readonly expenses: Part[];
  readonly payments: Part[];
  readonly tickets: Part[];
  /** All blocks between people, also blocks that were deleted later. */
  readonly blocks: { readonly blocker: Person; readonly blocked: Person }[];
  /** Content that a moderator has removed and perhaps restored. */
  readonly removed: { readonly kind: ContentKind; readonly id: string }[];
}

/** A world without objects. */
export function emptyWorld(server: TestServer, people: readonly Person[]): World {
  return {
    server,
    people,
    banned: new Set(),
    erased: new Set(),
    events: [],
    groups: [],
    posts: [],
    series: [],
    comments: [],
    photos: [],
    expenses: [],
    payments: [],
    tickets: [],
    blocks: [],
    removed: [],
  };
}

/**
 * The arguments of an action: the person who acts, a person whom the action may concern (perhaps the same person), and
 * a function that returns a random entry of a list, or undefined for an empty list.
 */
export interface Turn {
  readonly actor: Person;
  readonly other: Person;
  readonly pick: <T>(list: readonly T[]) => T | undefined;
}

/**
 * An action of a random test. The service may refuse an action; a refused action must change nothing and notify nobody.
 */
export type Action = (world: World, turn: Turn) => Promise<unknown>;
