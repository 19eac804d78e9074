import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { singular } from '#apps/server/document/schema';
import { CHANGE_TEXTS } from '#contract/change-texts';
import { CHANGE_TYPES } from '#contract/changes';
import { REFUSALS, type RefusalCode } from '#contract/refusals';

type Schema = Record<string, unknown>;
interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Record<string, { readonly $ref: string }>;
}
interface Response {
  readonly $ref?: string;
  readonly headers?: Record<string, unknown>;
  readonly content?: Record<string, Media>;
}
interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: { readonly type: string };
  }[];
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, Response>;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
    readonly responses: Record<string, Response>;
    readonly headers: Record<string, unknown>;
    readonly examples: Record<string, { readonly value: { readonly code: string } }>;
  };
}

const ROOT = join(__dirname, '../..');
const DOCUMENT = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as Document;
const { paths, components } = DOCUMENT;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation, id: operation.operationId })),
);
const nameIn = (ref: string): string => ref.split('/').at(-1) as string;
const resolved = (response: Response): Response =>
  response.$ref ? (components.responses[nameIn(response.$ref)] as Response) : response;
/** Returns every object inside the value with its path. Skips the examples. */
function nodes(value: unknown, at = ''): { readonly at: string; readonly node: Schema }[] {
  if (Array.isArray(value)) return value.flatMap((one, i) => nodes(one, `${at}/${i}`));
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value)
    .filter(([key]) => key !== 'example' && key !== 'examples')
    .flatMap(([key, one]) => nodes(one, `${at}/${key}`));
  return [{ at, node: value as Schema }, ...below];
}
const ajv = addFormats(new Ajv2020({ strict: false }));
/** The compiled schemas by their JSON text, because most responses share a few schemas. */
const validators = new Map<string, ValidateFunction>();
const validationErrors = (schema: Schema, value: unknown): unknown => {
  const key = JSON.stringify(schema);
  const validate = validators.get(key) ?? ajv.compile({ ...schema, components: { schemas: components.schemas } });
  validators.set(key, validate);
  return validate(value) ? [] : validate.errors;
};

/**
 * docs/openapi.json must be complete enough to generate client libraries from it. In addition, every test server
 * validates its responses against this document.
 */
describe('the OpenAPI document', () => {
  // WIRE-34
  it('contains the version of the API in every path', () =>
    expect(Object.keys(paths).filter((path) => !path.startsWith('/api/v1/'))).toEqual([]));

  // DOC-1
  it('follows OpenAPI 3.1, has the version of the package, contains an introduction, and describes each tag', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect([DOCUMENT.openapi, DOCUMENT.info.version]).toEqual(['3.1.0', version]);
    for (const heading of [
      'The first call',
      'Tokens',
      'Pages',
      'Times',
      'Ids',
      'Bodies',
      'Errors',
      'Limits and retries',
      'Languages',
      'Versions',
    ])
      expect(DOCUMENT.info.description).toContain(`## ${heading}\n`);
    const described = DOCUMENT.tags.map(({ name }) => name);
    expect(operations.filter(({ operation }) => !operation.tags.every((tag) => described.includes(tag)))).toEqual([]);
    expect(JSON.stringify(DOCUMENT)).not.toContain('"nullable"');
  });

  // DOC-1
  it('has a unique id without repeated words for every operation', () => {
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      const words = id.split(/(?=[A-Z])/).map((word) => singular(word.toLowerCase()));
      expect([id, words.length > 1, new Set(words).size]).toEqual([id, true, words.length]);
    }
  });

  it.each(operations)(
    'has a summary for $id, and declares the path parameters of $id as strings',
    ({ path, operation: { summary, parameters = [] } }) => {
      expect(summary).toMatch(/^[A-Z]/);
      const inPath = parameters.filter((one) => one.in === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(inPath.filter(({ schema }) => schema.type !== 'string')).toEqual([]);
    },
  );

  // DOC-2
  it.each(operations)(
    'declares an example for each error code, and the headers of errors, in every error response of $id',
    ({ operation: { responses } }) => {
      for (const [status, declared] of Object.entries(responses).filter(([one]) => Number(one) >= 400)) {
        const { headers = {}, content = {} } = resolved(declared);
        const { schema, examples = {} } = content['application/json'] as Media;
        const { code, errors } = (
          components.schemas[nameIn(schema.$ref as string)] as {
            properties: { code: { enum: RefusalCode[] }; errors?: unknown };
          }
        ).properties;
        expect(Object.keys(examples)).toEqual(code.enum);
        const values = Object.values(examples).map(
          ({ $ref }) => (components.examples[nameIn($ref)] ?? { value: { code: '' } }).value,
        );
        expect(values.map((value) => value.code)).toEqual(code.enum);
        for (const value of values) {
          expect([value.code, validationErrors(schema, value)]).toEqual([value.code, []]);
          // The code of a 503 is `server_error`, and REFUSALS contains this code with the status 500 (WIRE-44).
          if (status !== '503') expect(REFUSALS[value.code as RefusalCode].status).toBe(Number(status));
        }
        expect(Object.keys(headers)).toEqual(
          expect.arrayContaining(['Link', 'X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining']),
        );
        expect(errors !== undefined).toBe(code.enum.includes('validation_failed'));
      }
    },
  );

  // RETRY-18
  it.each([
    ['createGroup', true],
    ['updateGroup', true],
    // The owner of a group cannot join it.
    ['joinGroup', false],
  ])(
    'declares an ETag for a change only if the owner of the changed object can get this response: %s',
    (id, isDeclared) => {
      const { responses } = operations.find((one) => one.id === id)!.operation;
      const [success] = Object.entries(responses).flatMap(([status, one]) => (Number(status) < 300 ? [one] : []));
      expect(Object.hasOwn(resolved(success!).headers ?? {}, 'ETag')).toBe(isDeclared);
    },
  );

  // DOC-3
  it('declares the headers of deprecated operations', () =>
    expect(Object.keys(components.headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset'])));

  // DOC-4
  it.each(operations)(
    'has valid examples for the request and response of $id',
    ({ operation: { requestBody, responses } }) => {
      const answers = Object.entries(responses)
        .filter(([status]) => Number(status) < 400)
        .map(([, one]) => one);
      for (const { schema, example } of [requestBody ?? {}, ...answers].flatMap(({ content = {} }) =>
        Object.values(content),
      )) {
        expect(example).toBeDefined();
        expect(validationErrors(schema, example)).toEqual([]);
      }
    },
  );

  // DOC-4
  it('names the same person in `id` and `user` of an example about a participant', () => {
    const subjects: { readonly id: string; readonly user: string }[] = [];
    JSON.stringify(DOCUMENT, (key, value: { readonly type?: unknown; id: string; user: string } | null) => {
      if (key === 'subject' && value?.type === 'participant') subjects.push(value);
      return value;
    });
    expect(subjects).not.toEqual([]);
    expect(subjects.map(({ user }) => user)).toEqual(subjects.map(({ id }) => id));
  });

  // DOC-1
  it('declares the format of every text field whose name ends in `at`, `until` or `url`', () => {
    const properties = Object.entries(components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, Schema>).map(([field, schema]) => ({
        at: `${name}.${field}`,
        schema,
      })),
    );
    const withoutFormat = properties.filter(
      ({ at, schema }) =>
        /(?:[._]at|_until|url)$/.test(at) && [schema.type].flat().includes('string') && !schema.format && !schema.not,
    );
    expect(withoutFormat.map(({ at }) => at)).toEqual([]);
  });

  // DOC-1
  it('declares every number as an integer except coordinates, distances and amounts of money', () => {
    const fractional = Object.entries(components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties as Record<string, Schema>)
        .filter(([, schema]) => [schema.type].flat().includes('number'))
        .map(([field]) => `${name}.${field}`),
    );
    const exceptions = /\.(?:latitude|longitude|\w+_km|price_czk|amount)$|^Balance\.|^CurrencySummary\.total$/;
    expect(fractional.filter((at) => !exceptions.test(at))).toEqual([]);
  });

  // WIRE-23: a generated client sends the default of an absent field, so a PATCH would change this field.
  it('declares no default in the body of a PATCH', () => {
    const defaults = operations
      .filter(({ method }) => method === 'patch')
      .flatMap(({ operation: { requestBody } }) => Object.values(requestBody?.content ?? {}))
      .flatMap(({ schema }) => nodes(components.schemas[nameIn(schema.$ref as string)], nameIn(schema.$ref as string)))
      .filter(({ node }) => 'default' in node);
    expect(defaults.map(({ at }) => at)).toEqual([]);
  });

  // DOC-13
  it('describes every property, parameter and operation', () => {
    const undescribed = nodes(DOCUMENT).flatMap(({ at, node }) => {
      const { properties } = node as { properties?: Record<string, Schema> };
      return properties === undefined || at.endsWith('/properties')
        ? []
        : Object.entries(properties)
            .filter(([, one]) => !one.description)
            .map(([name]) => `${at}/${name}`);
    });
    expect(undescribed).toEqual([]);
    const parameters = operations.flatMap(({ id, operation }) =>
      (operation.parameters ?? []).map((one) => ({ at: `${id} ${one.name}`, ...one })),
    );
    expect(
      parameters.filter((one) => one.name && !(one as { description?: string }).description).map(({ at }) => at),
    ).toEqual([]);
    const uninformative = operations.filter(
      ({ operation: { summary = '', description = '' } }) => description.length < 10 || description.startsWith(summary),
    );
    expect(uninformative.map(({ id }) => id)).toEqual([]);
    // “As asked for” does not say what a response contains.
    expect(JSON.stringify(DOCUMENT)).not.toContain('As asked for');
  });

  // DOC-14
  it('defines each list of values only once, as a named schema, and gives no schema the name of a browser class', () => {
    const lists = nodes(DOCUMENT).filter(
      ({ at, node }) => Array.isArray(node.enum) && node.enum.length > 1 && !at.endsWith('Refusal/properties/code'),
    );
    expect(lists.map(({ at }) => at).filter((at) => !/^\/components\/schemas\/\w+$/.test(at))).toEqual([]);
    const sortedValues = lists.map(({ node }) => JSON.stringify([...(node.enum as string[])].sort()));
    expect(new Set(sortedValues).size).toBe(sortedValues.length);
    expect(
      Object.keys(components.schemas).filter(
        (name) => name in globalThis || ['EventSource', 'Response', 'Request'].includes(name),
      ),
    ).toEqual([]);
    for (const type of CHANGE_TYPES)
      expect(components.schemas.ChangeType?.description).toContain(`\`${type}\`: ${CHANGE_TEXTS[type].en}`);
  });

  // DOC-15
  it('accepts every amount with two decimals from 0.01 to 100.00, and states the number of decimals', () => {
    const propertyOf = (schema: string, field: string) =>
      (components.schemas[schema] as { properties: Record<string, Schema> }).properties[field] as Schema;
    for (const amount of [
      propertyOf('CreateExpense', 'amount'),
      propertyOf('RecordPayment', 'amount'),
      propertyOf('CreateEvent', 'price_czk'),
      propertyOf('UpdateEvent', 'price_czk'),
      propertyOf('CreateSeries', 'price_czk'),
      propertyOf('UpdateSeries', 'price_czk'),
    ]) {
      const validate = ajv.compile(amount);
      const refused = Array.from({ length: 10_000 }, (_one, i) => (i + 1) / 100).filter((value) => !validate(value));
      expect([refused, amount.description]).toEqual([[], expect.stringContaining('two decimals')]);
    }
  });

  // DOC-14
  it('declares files only in multipart bodies, not in JSON bodies', () => {
    const bodies = operations.flatMap(({ id, operation }) =>
      Object.entries(operation.requestBody?.content ?? {})
        .filter(([type]) => type === 'application/json')
        .map(([, { schema }]) => ({ id, schema })),
    );
    expect(bodies.filter(({ schema }) => JSON.stringify(schema).includes('binary')).map(({ id }) => id)).toEqual([]);
    expect(bodies.length).toBeGreaterThan(20);
    for (const operation of ['commentOnEvent', 'commentOnPost']) {
      const body = bodies.find(({ id }) => id === operation)?.schema as { properties: Record<string, Schema> };
      expect(body.properties['image']).toMatchObject({ type: ['string', 'null'], deprecated: true });
    }
  });

  // DOC-5
  it('distinguishes the shapes of events in GET /events by the field `kind`', () => {
    const { data } = (
      components.schemas.EventPage as {
        properties: { data: { items: { discriminator: { propertyName: string; mapping: Record<string, string> } } } };
      }
    ).properties;
    expect(data.items.discriminator.propertyName).toBe('kind');
    for (const [kind, ref] of Object.entries(data.items.discriminator.mapping)) {
      const shape = components.schemas[nameIn(ref)] as { required: string[]; properties: { kind: Schema } };
      expect([shape.required.includes('kind'), shape.properties.kind.enum]).toEqual([true, [kind]]);
    }
  });
});
