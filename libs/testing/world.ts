import type { ContentKind } from '#contract/vocabulary';
import type { Person } from './people';
import type { TestServer } from './test-server';

/** Something that somebody has made. */
export interface Thing {
  /** As in paths. */
  readonly id: string;
  readonly owner: Person;
}
export interface Gathering extends Thing {
  /** People who have, or had, to do with it. */
  readonly people: Person[];
}
export interface Part extends Thing {
  readonly event: Gathering;
}

/** Twenty people and all that they have in common, over all areas. */
export interface World {
  readonly server: TestServer;
  readonly people: readonly Person[];
  readonly banned: Set<Person>;
  readonly gone: Set<Person>;
  readonly events: Gathering[];
  readonly groups: Gathering[];
  readonly posts: Thing[];
  readonly series: Thing[];
  readonly comments: Thing[];
  readonly photos: Part[];
  readonly expenses: Part[];
  readonly payments: Part[];
  readonly tickets: Part[];
  /** Blocks, also former ones. */
  readonly blocks: { readonly blocker: Person; readonly blocked: Person }[];
  /** Out of sight by a moderator. */
  readonly removed: { readonly kind: ContentKind; readonly id: string }[];
}

/** Where nothing has happened yet. */
export function emptyWorld(server: TestServer, people: readonly Person[]): World {
  return {
    server,
    people,
    banned: new Set(),
    gone: new Set(),
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

/** The person who acts, the person concerned, and random choices. */
export interface Turn {
  readonly actor: Person;
  readonly other: Person;
  readonly pick: <T>(list: readonly T[]) => T | undefined;
}

/** A refused deed changes nothing, and nobody is notified of it. */
export type Deed = (world: World, turn: Turn) => Promise<unknown>;
