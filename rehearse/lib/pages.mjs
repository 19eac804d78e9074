// Code blocks of docs/operating. Rehearsals run programs with the configuration in these blocks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './programs.mjs';

/**
 * Returns the code block that contains `text`, from a page of docs/operating. Throws unless exactly one block of the
 * page contains `text`. The pairs `[from, to]` in `replacements` adapt the block to this machine: `from` must occur in
 * the block, and is replaced by `to` everywhere.
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
