import type { PublicIdKind } from '#platform/http/public-ids';

/**
 * The effect of the erasure of a person's account on a column. `goes`: the row is deleted. `emptied`: the row stays
 * without the value. `pseudonymised`: the column then refers to a pseudonym of the person; the person gets a different
 * pseudonym in each event, post, group and ledger. `passes`: another person becomes the owner of the row. `stays`: the
 * value is not changed, because other people or the service need it.
 */
export type ErasureEffect = 'goes' | 'emptied' | 'pseudonymised' | 'passes' | 'stays';

/**
 * The form of a value in the export. `value`: unchanged. `day`: a date. `count`: a number, stored as bigint. `person`:
 * the slug of a person. `post_slug`: the slug of a post. `file`: the path of a stored file in the archive. `sealed`: a
 * text that is stored encrypted and exported decrypted. `template`: the fields that the events of a series share, as in
 * the API. All other forms: an id as in the API.
 */
export type ExportForm =
  'value' | 'day' | 'count' | 'person' | 'post_slug' | 'file' | 'sealed' | 'template' | PublicIdKind;

/** A column that contains data of a person or refers to a person. */
export interface PersonalColumn {
  /** Null if the column is not in the export. */
  readonly exportForm: ExportForm | null;
  /** SQL of the exported value, if it is not the column itself. `t` is the row, $1 is the id of the person. */
  readonly sql?: string;
  /** The name of the value in the export, if it differs from the name of the column. */
  readonly as?: string;
  /** The reason why the column is not in the export. */
  readonly withheld?: string;
  readonly erasureEffect: ErasureEffect;
  /** A remark on the effect of the erasure, for docs/personal-data.md. */
  readonly note?: string;
}

/** A value of another table that the export adds to each row, because the row is not understandable without it. */
export interface AddedValue {
  readonly exportForm: ExportForm;
  /** SQL of the value. `t` is the row. */
  readonly sql: string;
}

/** A table with personal data. */
export interface PersonalTable {
  /**
   * SQL: the condition for the person's rows; $1 is the person's id. The condition is absent if the table is not in the
   * export.
   */
  readonly mine?: string;
  /** Name of the table's file in the archive, without `.json`. */
  readonly file?: string;
  readonly columns: Readonly<Record<string, PersonalColumn>>;
  /** The keys are the names of the values in the export. */
  readonly added?: Readonly<Record<string, AddedValue>>;
  /** Columns without personal data. */
  readonly notPersonal: readonly string[];
}

/** A column in the export. */
export function exported(
  erasureEffect: ErasureEffect,
  exportForm: ExportForm = 'value',
  note?: string,
): PersonalColumn {
  return note === undefined ? { exportForm, erasureEffect } : { exportForm, erasureEffect, note };
}

/** A column that is not in the export; `why` is the reason. */
export function withheld(erasureEffect: ErasureEffect, why: string, note?: string): PersonalColumn {
  return note === undefined
    ? { exportForm: null, withheld: why, erasureEffect }
    : { exportForm: null, withheld: why, erasureEffect, note };
}

/** The same entry for several columns. */
export function each<Name extends string>(
  names: readonly Name[],
  column: PersonalColumn,
): Record<Name, PersonalColumn> {
  return Object.fromEntries(names.map((name) => [name, column])) as Record<Name, PersonalColumn>;
}

/** Reasons why columns are not in the export (`withheld`). */
export const ITSELF = 'it only refers to the person of the export';
export const HASH = 'a hash';
export const SECRET = 'a secret';
export const INTERNAL = 'used only inside the service';
