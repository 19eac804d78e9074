import { fieldsOf, type Dto } from '../http/declared-fields';

/** The rule of one file field. */
interface FileRule {
  /** Maximum bytes of one file. A larger file causes a 422 on its field. */
  readonly maxBytes: number;
  /** Minimum number of files; 0 or absent if the file is optional. */
  readonly min?: 0 | 1;
  /**
   * For a list of files: the maximum number of files. In a list `images`, for example, the parts are named `images[]`,
   * `images[0]` or `images`, and their errors are on `images.0` and so on.
   */
  readonly maxFiles?: number;
}

/** The fields of a route's `multipart/form-data`. Undeclared fields are ignored, or refused in a strict request. */
export interface UploadRules<T extends object = object> {
  readonly files: Readonly<Record<string, FileRule>>;
  /** The text fields. */
  readonly fields?: Dto<T>;
  /** Whether the text fields may also be sent as JSON, without files. */
  readonly orJson?: boolean;
}

/**
 * Additional bytes for text fields, headers of parts, and a file that is slightly too large. Such a file then causes a
 * 422 on its field instead of a 413.
 */
const EXTRA_BYTES = 16 * 1024 * 1024;

/**
 * The maximum length of a route's body: the sum of all files' maximum sizes and `EXTRA_BYTES`. A larger body causes a
 * 413.
 */
export function bodyCap({ files }: UploadRules): number {
  return Object.values(files).reduce((sum, rule) => sum + rule.maxBytes * (rule.maxFiles ?? 1), EXTRA_BYTES);
}

/** The rule of the file part that is sent under this name, and the name without brackets; null if there is no rule. */
export function fileRuleOf({ files }: UploadRules, sentAs: string): { name: string; rule: FileRule } | null {
  const exact = ownRule(files, sentAs);
  if (exact) return { name: sentAs, rule: exact };
  const name = /^(?<name>[^[\]]+)\[\d{0,4}\]$/.exec(sentAs)?.groups?.['name'];
  const rule = name === undefined ? undefined : ownRule(files, name);
  return name !== undefined && rule?.maxFiles !== undefined ? { name, rule } : null;
}

/** Whether a text field with this name is declared. */
export function takesText({ fields }: UploadRules, name: string): boolean {
  return fields !== undefined && fieldsOf(fields).has(name);
}

/** The name of the file at `index` in errors: `images.2` in a list of files, and `cover` for a single file. */
export function fieldOf(name: string, rule: FileRule, index: number): string {
  return rule.maxFiles === undefined ? name : `${name}.${index}`;
}

function ownRule(files: UploadRules['files'], name: string): FileRule | undefined {
  return Object.hasOwn(files, name) ? files[name] : undefined;
}
