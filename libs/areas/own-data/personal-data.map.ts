import { ACCOUNT_TABLES } from './map/account.map';
import type { PersonalTable } from './map/column';
import { EVENT_TABLES } from './map/events.map';
import { OTHER_TABLES } from './map/others.map';

export { TABLES_WITHOUT_PERSONAL_DATA } from './map/others.map';
export type { Shown } from './map/column';

/**
 * Every column that holds something of a person or points to one, with what becomes of it in an export and when the person goes
 * (docs/personal-data.md is made of it). test/own-data/map.spec.ts holds it against the schema: a new column is a line here.
 */
export const PERSONAL_DATA: Readonly<Record<string, PersonalTable>> = {
  ...ACCOUNT_TABLES,
  ...EVENT_TABLES,
  ...OTHER_TABLES,
};

/** Weekly parts of a table are that table. */
export function tableOf(name: string): string {
  return name.replace(/^changes_(\d{8}|rest)$/, 'changes');
}
