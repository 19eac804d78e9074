import { REFUSALS } from '#contract/refusals';
import { STORABLE } from '#platform/http/constraints';
import { OperatorError } from '#platform/config/operator-error';
import { fieldsOf, type Dto } from '#platform/http/declared-fields';
import { readInput } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';

/**
 * Returns `value` without spaces at its start and end. Throws if `value` is not a text or is empty, if it contains a
 * character that cannot be stored, or if the returned text is longer than `max` characters.
 */
export function textOf(value: unknown, where: string, max = Infinity): string {
  if (typeof value !== 'string' || value.trim() === '') throw new OperatorError(`${where} is required.`);
  const text = value.trim();
  if (!STORABLE.test(text)) throw new OperatorError(`${where} contains a character that cannot be stored.`);
  if ([...text].length > max) throw new OperatorError(`${where} must have at most ${max} characters.`);
  return text;
}

/** Throws if a name occurs more than once. */
export function refuseDuplicates(names: readonly string[], where: string): void {
  const duplicate = names.find((name, i) => names.indexOf(name) < i);
  if (duplicate !== undefined) throw new OperatorError(`${where} contain ${duplicate} twice.`);
}

/** Reads the value as a DTO. Throws if the value is invalid; the error contains the position `where` of the value. */
export function readAt<T extends object>(dto: Dto<T>, value: unknown, where: string): Promise<T> {
  return readInput(dto, value, 'json').catch((error: unknown) => {
    throw withLocation(error, where);
  });
}

/**
 * Like `readAt`, but records an error in `errors` if the value has unknown fields or is not an object. If the value is
 * not an object, returns undefined.
 */
export async function readObjectAt<T extends object>(
  dto: Dto<T>,
  value: unknown,
  where: string,
  errors: DocumentErrors,
): Promise<T | undefined> {
  const sent = errors.object(value, [...fieldsOf(dto).keys()], where);
  return sent && (await readAt(dto, sent, where));
}

/**
 * Adds the position in the document to the fields of a refusal: `events.0.ends_at` instead of `ends_at`. A refusal
 * without fields becomes an `OperatorError` with the position. Other errors are returned unchanged.
 */
export function withLocation(error: unknown, where: string): unknown {
  if (!(error instanceof Refusal)) return error;
  const { code, details } = error;
  if (!details.errors) return new OperatorError(`${where}: ${REFUSALS[code].en}`);
  return new Refusal(code, {
    errors: Object.fromEntries(Object.entries(details.errors).map(([field, texts]) => [`${where}.${field}`, texts])),
  });
}

/** Contains all errors of one document. */
export class DocumentRefused extends OperatorError {
  constructor(readonly errors: readonly Error[]) {
    super(errors.map(({ message }) => message).join('\n'));
  }
}

/** Collects the errors of a document, so that an operator sees all errors together. */
export class DocumentErrors {
  constructor(
    private readonly found: Error[] = [],
    private readonly unusable = new Set<string>(),
  ) {}

  /** A copy for a single run of a transaction, because the transaction may be run again. */
  copy(): DocumentErrors {
    return new DocumentErrors([...this.found], new Set(this.unusable));
  }

  /**
   * Returns the result of `read`. If `read` throws an `OperatorError` or a `Refusal`, records this error and returns
   * undefined. Rethrows all other errors.
   */
  collect<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  /**
   * Returns the value as a JSON object. Unknown keys are recorded as an error. If the value is not an object, records
   * this error and returns undefined. `where` is the position of the value in the document.
   */
  object<Key extends string>(
    value: unknown,
    keys: readonly Key[],
    where: string,
  ): Partial<Record<Key, unknown>> | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.report(`${where} must be an object.`);
      return undefined;
    }
    const unknown = Object.keys(value).filter((key) => !(keys as readonly string[]).includes(key));
    if (unknown.length > 0) this.report(`${where} has unknown keys: ${unknown.join(', ')}.`);
    return value;
  }

  /**
   * Reads each entry of a list, and returns the valid entries. Records the errors of all entries. A value that is not a
   * list is also recorded as an error. An absent list and null count as an empty list.
   */
  async list<T>(
    value: unknown,
    where: string,
    read: (entry: unknown, where: string) => T | undefined | Promise<T | undefined>,
  ): Promise<T[]> {
    if (value === undefined || value === null) return [];
    const entries: T[] = [];
    if (!Array.isArray(value)) this.report(`${where} must be a list.`);
    else
      for (const [i, one] of value.entries()) {
        const entry = await this.collectAsync(async () => read(one, `${where}.${i}`));
        if (entry !== undefined) entries.push(entry);
      }
    return entries;
  }

  /** Like `collect`, for asynchronous work. */
  async collectAsync<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  /**
   * Marks a user of the document as invalid. Parts of the document that refer to this user are skipped, so that they do
   * not cause more errors.
   */
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

  /** Adds an error. `message` begins with the position in the document. */
  report(message: string): void {
    this.found.push(new OperatorError(message));
  }

  private add(error: unknown): void {
    if (!(error instanceof OperatorError || error instanceof Refusal)) throw error;
    this.found.push(error);
  }
}
