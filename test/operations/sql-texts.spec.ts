import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const SCRIPT = join(__dirname, '..', '..', 'scripts', 'sql-texts.mjs');

/** Tests the check `npm run sql:check` (OPS-79). */
describe('substitutions in SQL', () => {
  const found = (code: string): string[] => {
    const script = `import(${JSON.stringify(SCRIPT)}).then(({ substitutions }) => console.log(JSON.stringify(substitutions('a.ts', process.argv[1]))))`;
    const answer = JSON.parse(execFileSync(process.execPath, ['-e', script, code], { encoding: 'utf8' })) as {
      expression: string;
    }[];
    return answer.map(({ expression }) => expression);
  };

  it('inside functions are reported if they insert anything other than constants and numbers', () => {
    expect(
      found(`
      const LIST = \`SELECT \${columns} FROM events\`;
      function create(part: Part) { return client.query(\`CREATE TABLE x PARTITION OF y \${part.bound}\`); }
      const read = (name: string) => tx.rows(\`SELECT 1 FROM \${TABLE} WHERE name = '\${name}' LIMIT \${10}\`);
      const one = (id: string) => tx.rows(\`\${SELECT} WHERE id = \${id}\`);
      const row = (value: string) => \`VALUES (\${value})\`;
      const greet = (name: string) => \`Hello \${name}\`;
    `),
    ).toEqual(['part.bound', 'name', 'id', 'value']);
  });
});
