import type { PublicIdKind } from '#platform/http/public-ids';

/**
 * What becomes of a column when its person goes. `goes`: the row is deleted. `emptied`: the row stays, the value does not.
 * `face`: it points to nobody's row of `users` instead, another one in each event. `passes`: it is somebody else's from then on.
 * `stays`: it is needed by others, or has to be kept.
 */
export type Fate = 'goes' | 'emptied' | 'pseudonymised' | 'passes' | 'stays';

/** How a value stands in the export: as it is, a day of no time zone, a number of any size, an id as in the API, a person by slug, a stored file by its name in the archive, a sealed text opened. */
export type Shown = 'value' | 'day' | 'count' | 'person' | 'file' | 'sealed' | PublicIdKind;

/** One column that holds something of a person, or points to one. */
export interface PersonalColumn {
  /** Null: it is not in the export. */
  readonly shown: Shown | null;
  /** SQL that is in the export instead of the column; `t` is the row, $1 the person. */
  readonly sql?: string;
  /** Its name in the export, where that is not the column's. */
  readonly as?: string;
  /** Why it is not in the export. */
  readonly withheld?: string;
  readonly fate: Fate;
  readonly note?: string;
}

/** A table with something of a person in it. */
export interface PersonalTable {
  /** SQL: which rows are the person's, $1 their id; none: nothing of it is in the export. */
  readonly mine?: string;
  /** Name of its file in the archive, without `.json`. */
  readonly file?: string;
  readonly columns: Readonly<Record<string, PersonalColumn>>;
  /** Columns that hold nobody's data. */
  readonly notPersonal: readonly string[];
}

/** In the export. */
export function exported(fate: Fate, shown: Shown = 'value', note?: string): PersonalColumn {
  return note === undefined ? { shown, fate } : { shown, fate, note };
}

/** Not in the export, and why. */
export function withheld(fate: Fate, why: string, note?: string): PersonalColumn {
  return note === undefined ? { shown: null, withheld: why, fate } : { shown: null, withheld: why, fate, note };
}

/** The same of several columns. */
export function each<Name extends string>(
  names: readonly Name[],
  column: PersonalColumn,
): Record<Name, PersonalColumn> {
  return Object.fromEntries(names.map((name) => [name, column])) as Record<Name, PersonalColumn>;
}

export const ITSELF = 'it is the person whose export it is';
export const HASH = 'a hash';
export const SECRET = 'a secret';
export const INNER = 'of use inside the service only';
