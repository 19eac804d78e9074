import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const SCRIPT = join(__dirname, '../../scripts/rules.mjs');
/**
 * The files of a small project, by path. No real rule has one of these prefixes, so this test cites no real rule. The
 * text `UTF-8` looks like the id of a rule, but is not a citation.
 */
const PROJECT = {
  'docs/rules/README.md': '| [doors](doors.md) | DOORS |\n',
  'docs/rules/doors.md': '# Doors (DOORS)\n\n- **DOORS-1** They open.\n- **DOORS-2** They close.\n',
  'docs/rules/walls.md': '# Walls (WALLS)\n\n- **WALLS-1** They stand, unlike DOORS-2.\n',
  'libs/doors.ts': '// DOORS-1, in UTF-8\n',
  'test/doors.spec.ts': '// DOORS-1, WALLS-1\n',
  'test/more.spec.ts': "it('closes (DOORS-2)', () => undefined);\n// DOORS-1\n",
};

describe('npm run rules:check', () => {
  /** The folder of the project with the written COVERAGE.md. Each test works in a copy. */
  const project = mkdtempSync(join(tmpdir(), 'rules-'));
  let root = project;
  beforeAll(() => {
    for (const [path, text] of Object.entries(PROJECT)) write(path, text);
    run('--write');
  });
  afterAll(() => rmSync(project, { recursive: true }));
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'rules-'));
    cpSync(project, root, { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('succeeds when every rule has a test and every citation refers to a rule', () => {
    expect(run('--check')).toEqual({ status: 0, faults: [] });
    expect(readFileSync(join(root, 'docs/rules/COVERAGE.md'), 'utf8')).toContain(
      '## [Doors](doors.md)\n\n- DOORS-1: [doors](../../test/doors.spec.ts), [more](../../test/more.spec.ts)\n- DOORS-2: [more](../../test/more.spec.ts)\n',
    );
  });

  it.each([
    [
      'code cites a rule that does not exist',
      'libs/doors.ts',
      '// DOORS-3\n',
      ['libs/doors.ts:1: there is no rule DOORS-3.'],
    ],
    [
      'a comment cites a rule whose prefix belongs to no page',
      'libs/doors.ts',
      '/** As GATES-1 says. */\n',
      ['libs/doors.ts:1: there is no rule GATES-1.'],
    ],
    [
      'a page mentions a rule that does not exist',
      'docs/rules/walls.md',
      '# Walls (WALLS)\n\n- **WALLS-1** See DOORS-9.\n',
      ['docs/rules/walls.md:3: there is no rule DOORS-9.'],
    ],
    [
      'one of the rules is cited by no test',
      'test/doors.spec.ts',
      '// DOORS-1\n',
      ['docs/rules/walls.md:3: no test cites WALLS-1.'],
    ],
    [
      'two rules have the same id',
      'docs/rules/doors.md',
      '# Doors (DOORS)\n\n- **DOORS-1** They open.\n- **DOORS-2** They close.\n- **DOORS-2** Or not.\n',
      ['docs/rules/doors.md:5: DOORS-2 is used already, in docs/rules/doors.md:4.'],
    ],
    [
      'the prefix of a rule is not the prefix of its page',
      'docs/rules/walls.md',
      '# Walls (WALLS)\n\n- **WALLS-1** Stand.\n- **DOORS-4** Open.\n',
      [
        "docs/rules/walls.md:4: DOORS-4 does not have the page's prefix WALLS.",
        'docs/rules/walls.md:4: no test cites DOORS-4.',
      ],
    ],
    [
      'a rule has no number',
      'docs/rules/walls.md',
      '# Walls (WALLS)\n\n- **WALLS-1** Stand.\n- Fall.\n',
      ['docs/rules/walls.md:4: a rule begins with its id, like "- **WALLS-1** …".'],
    ],
  ])('fails when %s', (_, path, text, faults) => {
    write(path, text);
    expect(run('--check')).toEqual({ status: 1, faults });
  });

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  function run(mode: string): { status: number | null; faults: string[] } {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, mode, '--root', root], { encoding: 'utf8' });
    return { status, faults: stderr.split('\n').filter((line) => line !== '') };
  }
});
