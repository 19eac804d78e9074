import { fieldsOf, type Dto } from '../http/input';

/** What may be sent under one name. */
interface FileRule {
  /** Bytes of one file; a file above it is a 422 on the field. */
  readonly maxBytes: number;
  /** 0 when the file may be left out. */
  readonly min?: 0 | 1;
  /** Present: a list of files, sent as `images[]`, `images[0]` or `images`; its errors are on `images.0` and so on. */
  readonly maxFiles?: number;
}

/** What a route takes as `multipart/form-data`. What is not named here or in the DTO is read past and ignored. */
export interface UploadRules<T extends object = object> {
  readonly files: Readonly<Record<string, FileRule>>;
  /** The text fields. */
  readonly fields?: Dto<T>;
  /** The same fields may come as JSON instead, without files. */
  readonly orJson?: boolean;
  /** Bytes of the whole body; more is a 413. Without it: what the files may take, and some room. */
  readonly maxBytes?: number;
}

/** Room for text fields, part headers, and a file that is too large but not absurdly so: that is to be told on its field. */
const ROOM = 16 * 1024 * 1024;

/** The hard cap of a route's body. */
export function bodyCap({ files, maxBytes }: UploadRules): number {
  return maxBytes ?? Object.values(files).reduce((sum, rule) => sum + rule.maxBytes * (rule.maxFiles ?? 1), ROOM);
}

/** The rule of a part by the name it was sent with, and the name without brackets; null for one that nobody asked for. */
export function fileRuleOf({ files }: UploadRules, sentAs: string): { name: string; rule: FileRule } | null {
  const exact = own(files, sentAs);
  if (exact) return { name: sentAs, rule: exact };
  const name = /^(?<name>[^[\]]+)\[\d{0,4}\]$/.exec(sentAs)?.groups?.['name'];
  const rule = name === undefined ? undefined : own(files, name);
  return name !== undefined && rule?.maxFiles !== undefined ? { name, rule } : null;
}

/** Whether a text of this name was asked for. */
export function takesText({ fields }: UploadRules, name: string): boolean {
  return fields !== undefined && fieldsOf(fields).has(name);
}

/** Where an error of the n-th file of a name belongs: `images.2`, but `cover`. */
export function fieldOf(name: string, rule: FileRule, index: number): string {
  return rule.maxFiles === undefined ? name : `${name}.${index}`;
}

function own(files: UploadRules['files'], name: string): FileRule | undefined {
  return Object.hasOwn(files, name) ? files[name] : undefined;
}
