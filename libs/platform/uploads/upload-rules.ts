import { fieldsOf, type Dto } from '../http/declared-fields';

/** The rule of one file field. */
interface FileRule {
  /** Maximum bytes of one file; a larger file is a 422 on the field. */
  readonly maxBytes: number;
  /** 0 if the file is optional. */
  readonly min?: 0 | 1;
  /** Set for a list of files, sent as `images[]`, `images[0]` or `images`; its errors are on `images.0` and so on. */
  readonly maxFiles?: number;
}

/** The fields of a route's `multipart/form-data`. Other fields, declared neither here nor in the DTO, are ignored. */
export interface UploadRules<T extends object = object> {
  readonly files: Readonly<Record<string, FileRule>>;
  /** The text fields. */
  readonly fields?: Dto<T>;
  /** Whether the same fields may be sent as JSON, without files. */
  readonly orJson?: boolean;
  /** Maximum bytes of the whole body; more is a 413. Default: the files' maximum, and some room. */
  readonly maxBytes?: number;
}

/** Room for text fields, part headers, and a file that is slightly too large: its error belongs to its field. */
const ROOM = 16 * 1024 * 1024;

/** The hard cap of a route's body. */
export function bodyCap({ files, maxBytes }: UploadRules): number {
  return maxBytes ?? Object.values(files).reduce((sum, rule) => sum + rule.maxBytes * (rule.maxFiles ?? 1), ROOM);
}

/** The rule of a part by its name, and the name without brackets; null for an undeclared one. */
export function fileRuleOf({ files }: UploadRules, sentAs: string): { name: string; rule: FileRule } | null {
  const exact = own(files, sentAs);
  if (exact) return { name: sentAs, rule: exact };
  const name = /^(?<name>[^[\]]+)\[\d{0,4}\]$/.exec(sentAs)?.groups?.['name'];
  const rule = name === undefined ? undefined : own(files, name);
  return name !== undefined && rule?.maxFiles !== undefined ? { name, rule } : null;
}

/** Whether a text of this name is declared. */
export function takesText({ fields }: UploadRules, name: string): boolean {
  return fields !== undefined && fieldsOf(fields).has(name);
}

/** The field of errors of the n-th file: `images.2`, but `cover`. */
export function fieldOf(name: string, rule: FileRule, index: number): string {
  return rule.maxFiles === undefined ? name : `${name}.${index}`;
}

function own(files: UploadRules['files'], name: string): FileRule | undefined {
  return Object.hasOwn(files, name) ? files[name] : undefined;
}
