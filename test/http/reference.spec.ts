import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: { readonly type: string } }[];
}

/** docs/openapi.json as those read it who write a client. That answers are as it says is held by every test server. */
describe('the reference', () => {
  const { paths } = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));

  // WIRE-34
  it('names the version in every path', () => expect(Object.keys(paths).filter((path) => !path.startsWith('/api/v1/'))).toEqual([]));

  it.each(operations)('$method $path says what it does, and takes texts in its path', ({ path, operation: { summary, parameters = [] } }) => {
    expect(summary).toMatch(/^[A-Z]/);
    const inPath = parameters.filter((one) => one.in === 'path');
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    expect(inPath.filter(({ schema }) => schema.type !== 'string')).toEqual([]);
  });
});
