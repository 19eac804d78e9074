import { ACCOUNT_TABLES } from './map/account.map';
import type { PersonalTable } from './map/column';
import { EVENT_TABLES } from './map/events.map';
import { OTHER_TABLES } from './map/others.map';

export { TABLES_WITHOUT_PERSONAL_DATA } from './map/others.map';
export type { ExportForm } from './map/column';

/**
 * All columns that contain data of a person or refer to a person, by table. For each column, the map states its form in
 * an export, and what happens to it when the account is erased. docs/personal-data.md is generated from this map.
 * test/own-data/map.spec.ts compares the map with the schema, so a new column needs an entry in the map.
 */
export const PERSONAL_DATA: Readonly<Record<string, PersonalTable>> = {
  ...ACCOUNT_TABLES,
  ...EVENT_TABLES,
  ...OTHER_TABLES,
};
