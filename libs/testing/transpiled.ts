import { transformFileSync } from '@swc/core';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..', '..');

/**
 * A temporary folder with sources that were transpiled to JavaScript. Tests start separate Node processes from this
 * folder, for example to kill them.
 */
export interface Transpiled {
  /** The path of the folder. In it, the files have the same relative paths as in the repository. */
  readonly folder: string;
  remove(): void;
}

/**
 * Transpiles the sources: paths of files or folders, relative to the repository's root. In a folder, only the `.ts`
 * files directly in it are transpiled, except tests.
 */
export function transpile(...sources: string[]): Transpiled {
  const folder = mkdtempSync(join(tmpdir(), 'transpiled-'));
  chmodSync(folder, 0o755);
  for (const path of sources.flatMap(filesOf)) {
    const target = join(folder, relative(ROOT, path)).replace(/\.ts$/, '.js');
    mkdirSync(dirname(target), { recursive: true });
    const { code } = transformFileSync(path, {
      jsc: { target: 'es2023', parser: { syntax: 'typescript', decorators: true } },
      module: { type: 'commonjs' },
    });
    writeFileSync(target, code);
  }
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function filesOf(source: string): string[] {
  const path = join(ROOT, source);
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => join(path, name));
}
