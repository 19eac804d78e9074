import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';

const FOLDER = join(__dirname, 'views');
const MAX_LENGTH = 120;

describe('the views', () => {
  // Eta reads an apostrophe in a comment as the beginning of a string.
  it.each(readdirSync(FOLDER))('can be compiled (%s)', (name) => {
    expect(() => new Eta().compile(readFileSync(join(FOLDER, name), 'utf8'))).not.toThrow();
  });

  it(`have lines of at most ${MAX_LENGTH} characters without tabs, indented by an even number of spaces`, () => {
    const wrong = readdirSync(FOLDER).flatMap((name) =>
      readFileSync(join(FOLDER, name), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          line.length > MAX_LENGTH || /^(?: {2})* \S|\t/.test(line) ? [`${name}:${index + 1}`] : [],
        ),
    );
    expect(wrong).toEqual([]);
  });
});
