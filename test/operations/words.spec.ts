import { join } from 'node:path';

const SCRIPT = join(__dirname, '..', '..', 'scripts', 'words.mjs');
const TEXTS: readonly (readonly [file: string, text: string, faults: readonly string[]])[] = [
  // Markdown
  ['a.md', 'The server returns the event to each reader.', []],
  ['a.md', 'Whoever asks gets the event.', ['Whoever']],
  ['a.md', 'The list is read anew.', ['anew']],
  ['a.md', 'The organizer is told of the join.', ['told']],
  ['a.md', 'The page tells the price.', ['tells']],
  ['a.md', 'It is a calendar of one’s own.', ['of one’s own']],
  ['a.md', 'Read by nobody but the owner.', ['nobody but']],
  ['a.md', 'A page for who is signed in.', ['for who']],
  ['a.md', 'A page for a reader who is signed in.', []],
  ['a.md', 'The default is 20 unless told otherwise.', ['told', 'unless told']],
  ['a.md', 'The number stands in the table.', ['stands in']],
  ['a.md', 'A standby stands by.', []],
  ['a.md', 'The code `anew` and [a link](told.md) are no words.', []],
  ['a.md', '```\nanew\n```\n\nanew', ['anew']],
  // Comments
  ['a.ts', '// The list is read anew.', ['anew']],
  ['a.ts', 'const a = 1; // whoever', ['whoever']],
  ['a.ts', "const text = 'You are told about it.';", []],
  ['a.ts', '/** Returns the event. */', []],
  ['a.ts', '/** returns the event. */', ['returns']],
  ['a.ts', '/** `per_page` of a list. */', []],
  ['a.ts', '/** null without a plan */', []],
  ['a.ts', '/**\n * what a page shows.\n */', ['what']],
  ['a.ts', '/** What a page shows. */', ['What']],
  ['a.ts', '/** Who reads the page. */', ['Who']],
  ['a.ts', '/** Whether the event stands in a list. */', ['Whether the event stands']],
  ['a.ts', '/** Whether the event is full. */', []],
  ['a.ts', '/**\n * Returns the event\n * and what hangs on it.\n */', []],
  ['a.resource.ts', '/** name of the plan */', []],
  ['a.sql', '-- Rows are written anew.', ['anew']],
];

/** Tests the check that `npm run words` runs (scripts/words.mjs). */
describe('the word check', () => {
  let faultsOf: (file: string, text: string) => { found: string }[];
  beforeAll(async () => {
    ({ faultsOf } = (await import(SCRIPT)) as { faultsOf: typeof faultsOf });
  });

  it.each(TEXTS)('finds the expected faults, or none, in this text of %s: %j', (file, text, faults) => {
    expect(faultsOf(file, text).map(({ found }) => found)).toEqual(faults);
  });
});
