// The blocks of docs/operating: rehearsals run the programs with the configuration that the pages show.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './programs.mjs';

/**
 * The fenced block of the page that contains `text`, with this machine's values: each `[from, to]` must occur in the
 * block and is replaced everywhere.
 */
export function blockOf(page, text, replacements = []) {
  const source = readFileSync(join(ROOT, 'docs/operating', page), 'utf8');
  const blocks = [...source.matchAll(/^ *```\w*\n([\s\S]*?)^ *```$/gm)].map(([, block]) => block);
  const found = blocks.filter((block) => block.includes(text));
  if (found.length !== 1) throw new Error(`docs/operating/${page}: ${found.length} blocks contain "${text}"`);
  let [block] = found;
  for (const [from, to] of replacements) {
    if (!block.includes(from)) throw new Error(`docs/operating/${page}: the block of "${text}" lacks "${from}"`);
    block = block.replaceAll(from, to);
  }
  return block;
}
