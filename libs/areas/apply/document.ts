import { REFUSALS } from '#contract/refusals';
import { Mistake } from '#platform/config/mistake';
import { readInput, type Dto } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';

/** A JSON object whose keys are all known; `where` names it in the message. */
export function objectOf<Key extends string>(
  value: unknown,
  keys: readonly Key[],
  where: string,
): Partial<Record<Key, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Mistake(`${where} must be an object.`);
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

/** Everybody once: the second time somebody is named is a mistake. */
export function eachOnce(names: readonly string[], where: string): void {
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new Mistake(`${where} name ${twice} twice.`);
}

/** The fields of a DTO out of the document; what is wrong with them is told with the place. */
export function readAt<T extends object>(dto: Dto<T>, value: unknown, where: string): Promise<T> {
  return readInput(dto, value, 'json').catch((error: unknown) => {
    throw located(error, where);
  });
}

/** A refusal with the place in the document: `events.0.ends_at` in place of `ends_at`. Other errors stay as they are. */
export function located(error: unknown, where: string): unknown {
  if (!(error instanceof Refusal)) return error;
  const { code, details } = error;
  if (!details.errors) return new Mistake(`${where}: ${REFUSALS[code].en}`);
  return new Refusal(code, {
    errors: Object.fromEntries(Object.entries(details.errors).map(([field, texts]) => [`${where}.${field}`, texts])),
  });
}

/** Several mistakes of one document. */
export class DocumentRefused extends Mistake {
  constructor(readonly mistakes: readonly Error[]) {
    super(mistakes.map(({ message }) => message).join('\n'));
  }
}

/** Collects the mistakes of a document, so that an operator sees all of them at once. */
export class DocumentMistakes {
  constructor(
    private readonly found: Error[] = [],
    private readonly unusable = new Set<string>(),
  ) {}

  /** A copy for one attempt to write: a transaction may be repeated. */
  copy(): DocumentMistakes {
    return new DocumentMistakes([...this.found], new Set(this.unusable));
  }

  /** Undefined where there is a mistake, which is then recorded. Other errors are thrown. */
  collect<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  async collectAsync<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  /** A user of the document with a mistake: events and posts of that user are not reported for it as well. */
  markUnusable(slug: string): void {
    this.unusable.add(slug);
  }

  isUnusable(slug: string): boolean {
    return this.unusable.has(slug);
  }

  get count(): number {
    return this.found.length;
  }

  throwIfAny(): void {
    if (this.found.length === 1) throw this.found[0] as Error;
    if (this.found.length > 1) throw new DocumentRefused(this.found);
  }

  private add(error: unknown): void {
    if (!(error instanceof Mistake || error instanceof Refusal)) throw error;
    this.found.push(error);
  }
}
