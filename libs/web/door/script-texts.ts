import type { Locale } from '#contract/vocabulary';
import { translator, type TextKey } from '../texts';

/** The texts of the script of the door page. */
const SCRIPT_TEXTS = [
  'door_in',
  'door_already',
  'door_undone',
  'door_unknown',
  'door_no_place',
  'door_cancelled',
  'door_waiting_to_send',
  'door_all_sent',
  'door_no_network',
  'door_busy',
  'door_gone',
  'door_no_reader',
  'door_signed_out',
  'door_refused',
  'door_check_in',
  'door_undo',
  'door_nobody_yet',
  'door_nobody_found',
  'door_person_gone',
  'door_no_camera',
  'door_stop_camera',
  'door_start_camera',
  'door_count',
  'door_not_ready',
  'door_ready',
  'door_link_ended',
] as const satisfies readonly TextKey[];

/** The texts of the script of the door page as JSON; the names have no prefix `door_`. */
export function scriptTexts(locale: Locale): string {
  const say = translator(locale);
  return JSON.stringify(Object.fromEntries(SCRIPT_TEXTS.map((key) => [key.slice('door_'.length), say(key)])));
}
