import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { getMetadataStorage } from 'class-validator';
import { fieldsOf, type Dto } from '#platform/http/declared-fields';

const load = createRequire(__filename);
const LIBS = join(__dirname, '../../libs');

/** Returns the DTO classes that have fields and are exported by a file `*.dto.ts` in libs, except in the SDK. */
function dtos(): Dto[] {
  return readdirSync(LIBS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.dto.ts') && !file.startsWith('sdk'))
    .flatMap((file) => Object.values(load(join(LIBS, file)) as Record<string, unknown>))
    .filter((one): one is Dto => typeof one === 'function' && /^class /.test(String(one)))
    .filter((dto) => fieldsOf(dto).size > 0);
}

/**
 * Returns the classes that set a condition for the validation of the field `name` of `dto`, such as “only if present”.
 * Such a class declares the field, or was created by `PartialType`.
 */
function conditionsOf(dto: Dto, name: string): Set<unknown> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return new Set(
    rules
      .filter(({ propertyName, type }) => propertyName === name && type === 'conditionalValidation')
      .map(({ target }) => target),
  );
}

// WIRE-23
it('no field of a DTO class gets conditions for its validation from two classes', () => {
  const all = dtos();
  expect(all.length).toBeGreaterThan(50);
  const combined = all.flatMap((dto) =>
    [...fieldsOf(dto).keys()].filter((name) => conditionsOf(dto, name).size > 1).map((name) => `${dto.name}.${name}`),
  );
  expect(combined).toEqual([]);
});
