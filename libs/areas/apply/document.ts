import { Mistake } from '#platform/config/mistake';

/** A JSON object whose keys are all known; `where` names it in the message. */
export function objectOf<Key extends string>(value: unknown, keys: readonly Key[], where: string): Partial<Record<Key, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Mistake(`${where} must be an object.`);
  const unknown = Object.keys(value).filter((key) => !(keys as readonly string[]).includes(key));
  if (unknown.length > 0) throw new Mistake(`${where} has unknown keys: ${unknown.join(', ')}.`);
  return value;
}

/** A list, empty when absent. */
export function listOf(value: unknown, where: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Mistake(`${where} must be a list.`);
  return value;
}

/** A text that must be there. */
export function textOf(value: unknown, where: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw new Mistake(`${where} is required.`);
  return value.trim();
}
