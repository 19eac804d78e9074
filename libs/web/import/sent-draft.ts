import { parsedJson } from '#platform/text/json';
import type { ApiValues } from '../form/raw-fields';
import type { TextKey } from '../texts';
import type { DraftNote, FilledDraft } from './event-draft';

/** The names of a draft's fields. Any other property of `fields` in the sent JSON is ignored. */
const FIELDS = [
  'title',
  'description',
  'location_name',
  'location_address',
  'latitude',
  'longitude',
  'price_czk',
  'starts_at',
  'ends_at',
] as const satisfies readonly (keyof FilledDraft['fields'])[];

/** The notes that are not about the start. */
const OTHER_NOTES = new Set<string>(['no_title', 'cut'] satisfies DraftNote[]);

/** The texts of the notes about a start that the person has to complete or check. */
const START_NOTES = {
  all_day: 'import_note_all_day',
  no_start: 'import_note_no_start',
  unknown_zone: 'import_note_unknown_zone',
} as const;

/** A draft for the form: the values of the fields, and the remarks that are shown at fields. */
export interface ShownDraft {
  readonly values: ApiValues;
  readonly remarks: Readonly<Record<string, TextKey>>;
}

export function shownDraft({ fields, notes, cut }: FilledDraft): ShownDraft {
  const startNote = notes.find((note): note is keyof typeof START_NOTES => Object.hasOwn(START_NOTES, note));
  return {
    values: { ...fields },
    remarks: {
      ...(notes.includes('no_title') && { title: 'import_note_no_title' }),
      ...(startNote && { starts_at: START_NOTES[startNote] }),
      ...Object.fromEntries(cut.map((field) => [field, 'import_note_cut' as const])),
    },
  };
}

/**
 * Parses the draft that the person has chosen from a list. Returns null for a text that is not a draft. An invalid
 * value of a field becomes null.
 */
export function sentDraft(json: string): FilledDraft | null {
  const { fields, notes, cut } = (parsedJson(json) ?? {}) as Partial<Record<keyof FilledDraft, unknown>>;
  if (typeof fields !== 'object' || fields === null) return null;
  const texts = fields as Readonly<Record<string, unknown>>;
  const values = Object.fromEntries(FIELDS.map((name) => [name, textOf(texts[name])]));
  for (const name of ['starts_at', 'ends_at']) if (!isInstant(values[name] ?? '')) values[name] = null;
  return {
    fields: values as unknown as FilledDraft['fields'],
    notes: listOf(notes).filter((note): note is DraftNote => OTHER_NOTES.has(note) || Object.hasOwn(START_NOTES, note)),
    cut: FIELDS.filter((name) => listOf(cut).includes(name)),
  };
}

/** Whether the text is an instant in the format that `fieldsOf` (event-draft.ts) writes. */
function isInstant(text: string): boolean {
  return /^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const listOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
