// Compares docs/openapi.json with the document of the last release (docs/releases). Prints one line for each change
// that would break a client of that release. `node scripts/openapi-changes.mjs [OLD NEW]`
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const RELEASES = join(ROOT, 'docs/releases');
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
/** Bounds of clients' input. If a bound becomes stricter, input that was valid is refused. */
const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems'];
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems'];

/** Returns one line for every breaking change. Additional error codes are allowed (WIRE-36). */
export function breaks(old, now) {
  const found = [];
  for (const [path, operations] of Object.entries(old.paths)) {
    for (const method of METHODS.filter((one) => operations[one])) {
      const at = `${method.toUpperCase()} ${path}`;
      const [before, after] = [operations[method], now.paths[path]?.[method]];
      if (!after) found.push(`${at}: is gone`);
      else new Comparison(old, now, found).operation(at, before, after);
    }
  }
  return [...new Set(found)];
}

class Comparison {
  constructor(old, now, found) {
    Object.assign(this, { old, now, found, compared: new Set() });
  }

  report(at, what) {
    this.found.push(`${at}: ${what}`);
  }

  operation(at, before, after) {
    [before, after] = [withParameters(this.old, before), withParameters(this.now, after)];
    for (const parameter of after.parameters) {
      const same = find(before, parameter);
      if (!same && parameter.required) this.report(`${at} ${parameter.in} ${parameter.name}`, 'is new and required');
      if (same && parameter.required && !same.required)
        this.report(`${at} ${parameter.in} ${parameter.name}`, 'is required now');
    }
    this.newParameters = after.parameters.filter((one) => !find(before, one)).map(({ name }) => name);
    for (const parameter of before.parameters) {
      const same = find(after, parameter);
      if (same) this.compareInput(`${at} ${parameter.in} ${parameter.name}`, parameter.schema, same.schema);
      else this.report(`${at} ${parameter.in} ${parameter.name}`, 'is no longer accepted');
    }
    if (!before.requestBody?.required && after.requestBody?.required) this.report(`${at} body`, 'is required now');
    for (const [type, media] of Object.entries(before.requestBody?.content ?? {})) {
      const same = after.requestBody?.content[type];
      if (same)
        this.compareInput(
          `${at} body`,
          type === 'application/json' ? withoutFiles(media.schema) : media.schema,
          same.schema,
        );
      else this.report(`${at} body`, `is no longer accepted as ${type}`);
    }
    for (const [status, response] of Object.entries(before.responses).filter(([one]) => /^[23]\d\d$/.test(one))) {
      const same = after.responses[status];
      if (!same) this.report(`${at} ${status}`, 'is no longer returned');
      for (const [type, media] of Object.entries(same ? (response.content ?? {}) : {})) {
        if (same.content?.[type]) this.compareOutput(`${at} ${status}`, media.schema, same.content[type].schema);
        else this.report(`${at} ${status}`, `no longer has ${type}`);
      }
    }
  }

  /**
   * Input of clients: everything that was valid must still be valid. Formats are not compared. A new or changed pattern
   * is always reported, because this script cannot determine which of two patterns allows more.
   */
  compareInput(at, schemaBefore, schemaAfter) {
    const [before, after] = [normalized(this.old, schemaBefore), normalized(this.now, schemaAfter)];
    if (this.wasCompared('input', before, after)) return;
    if (before.variants.length > 0 || after.variants.length > 0) {
      this.compareInputVariants(at, before, after);
      return;
    }
    for (const type of before.types) if (!allows(after.types, type)) this.report(at, `${type} is no longer accepted`);
    for (const value of before.enum ?? [])
      if (after.enum && !after.enum.includes(value)) this.report(at, `${JSON.stringify(value)} is no longer accepted`);
    if (!before.enum && after.enum) this.report(at, `takes only ${after.enum.join(', ')}`);
    for (const bound of LOWER_BOUNDS)
      if ((after[bound] ?? -Infinity) > (before[bound] ?? -Infinity))
        this.report(at, `${bound} is ${after[bound]}, was ${before[bound] ?? 'none'}`);
    for (const bound of UPPER_BOUNDS)
      if ((after[bound] ?? Infinity) < (before[bound] ?? Infinity))
        this.report(at, `${bound} is ${after[bound]}, was ${before[bound] ?? 'none'}`);
    if (after.pattern !== undefined && after.pattern !== before.pattern)
      this.report(at, `the pattern is ${after.pattern}, was ${before.pattern ?? 'none'}`);
    for (const name of after.required)
      if (!before.required.includes(name)) this.report(`${at}.${name}`, 'is required now');
    for (const [name, schema] of Object.entries(before.properties)) {
      if (after.properties[name]) this.compareInput(`${at}.${name}`, schema, after.properties[name]);
      else this.report(`${at}.${name}`, 'is no longer accepted');
    }
    if (before.items && after.items) this.compareInput(`${at}[]`, before.items, after.items);
  }

  /**
   * For each old variant (`anyOf` or `oneOf`) of the input, there must be a new variant that accepts everything that
   * the old variant accepted.
   */
  compareInputVariants(at, before, after) {
    const accepting = variantsOf(this.now, after);
    for (const variant of variantsOf(this.old, before)) {
      const accepts = (one) => {
        const trial = new Comparison(this.old, this.now, []);
        trial.compared = new Set(this.compared);
        trial.compareInput(at, variant, one);
        return trial.found.length === 0;
      };
      if (!accepting.some(accepts))
        this.report(
          at,
          `the variant ${variant.name ?? variant.types[0] ?? 'without a type'} is no longer accepted as before`,
        );
    }
  }

  /**
   * Output for clients: no field may be missing or have another type or format, and the number of variants must stay
   * the same. Additional fields and enum values are allowed.
   */
  compareOutput(at, schemaBefore, schemaAfter) {
    const [before, after] = [normalized(this.old, schemaBefore), normalized(this.now, schemaAfter)];
    if (this.wasCompared('output', before, after)) return;
    for (const type of after.types)
      if (before.types.length > 0 && !allows(before.types, type) && !this.isNullOnlyForNewRequests(type, after))
        this.report(at, `may be ${type} now`);
    if (before.format && after.format !== before.format)
      this.report(at, `has the format ${after.format ?? 'none'}, had ${before.format}`);
    for (const name of before.required)
      if (after.properties[name] && !after.required.includes(name)) this.report(`${at}.${name}`, 'can be missing now');
    for (const [name, schema] of Object.entries(before.properties)) {
      if (after.properties[name]) this.compareOutput(`${at}.${name}`, schema, after.properties[name]);
      else this.report(`${at}.${name}`, 'is gone');
    }
    if (before.items && after.items) this.compareOutput(`${at}[]`, before.items, after.items);
    if (before.additionalProperties && after.additionalProperties)
      this.compareOutput(`${at}{}`, before.additionalProperties, after.additionalProperties);
    if (after.variants.length !== before.variants.length)
      this.report(at, `has ${after.variants.length} shapes, had ${before.variants.length}`);
    else before.variants.forEach((variant, i) => this.compareOutput(at, variant, after.variants[i]));
  }

  /**
   * Whether `type` is a null that clients of the release never get. There are two cases:
   *
   * - The null occurs only if the request has a parameter that the release did not have (`x-null-with`).
   * - The null occurs only if the token lacks a scope (`x-null-without-scope`), and the release had no scopes.
   */
  isNullOnlyForNewRequests(type, after) {
    const lacksScope = after['x-null-without-scope'] !== undefined && !this.old.components?.schemas?.Scope;
    return type === 'null' && (lacksScope || this.newParameters.includes(after['x-null-with']));
  }

  /**
   * Returns whether these two referenced schemas were already compared, and records that they are compared now.
   * References can be recursive: a comment contains comments.
   */
  wasCompared(direction, before, after) {
    const pair = `${direction} ${before.name ?? ''} ${after.name ?? ''}`;
    if (!before.name || !after.name) return false;
    if (this.compared.has(pair)) return true;
    this.compared.add(pair);
    return false;
  }
}

/** Removes files from the schema of a JSON body. JSON cannot contain files, but older documents declare some. */
function withoutFiles(schema) {
  const properties = Object.entries(schema.properties ?? {}).filter(([, one]) => one.format !== 'binary');
  return schema.properties ? { ...schema, properties: Object.fromEntries(properties) } : schema;
}

function find(operation, { name, in: where }) {
  return operation.parameters.find((one) => one.name === name && one.in === where);
}

function withParameters(document, operation) {
  return {
    ...operation,
    parameters: (operation.parameters ?? []).map((one) => (one.$ref ? referenced(document, one.$ref) : one)),
  };
}

function allows(types, type) {
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
}

/**
 * Converts schemas of OpenAPI 3.0 and 3.1 to one form: null is one of `types`, references are resolved, and `allOf`,
 * `anyOf` or `oneOf` with a single schema (not counting null) is replaced by this schema. A schema that is already
 * normalized is returned unchanged.
 */
function normalized(document, schema = {}) {
  if (schema.variants) return schema;
  const {
    $ref,
    nullable,
    allOf,
    anyOf,
    oneOf,
    type,
    properties = {},
    required = [],
    items,
    additionalProperties,
    enum: enumValues,
    ...bounds
  } = schema;
  const orNull = (found, canBeNull = nullable) =>
    canBeNull && !found.types.includes('null') ? { ...found, types: [...found.types, 'null'] } : found;
  if ($ref) return orNull({ ...normalized(document, referenced(document, $ref)), name: $ref });
  if (allOf?.length === 1) return orNull(normalized(document, allOf[0]));
  const alternatives = anyOf ?? oneOf ?? [];
  const variants = alternatives.filter((one) => one.type !== 'null');
  const isNullable = nullable || variants.length < alternatives.length;
  if (variants.length === 1) return orNull(normalized(document, variants[0]), isNullable);
  return orNull(
    {
      types: [type ?? []].flat(),
      enum: enumValues?.filter((one) => one !== null),
      properties,
      required,
      items,
      variants,
      ...bounds,
      additionalProperties: typeof additionalProperties === 'object' ? additionalProperties : undefined,
    },
    isNullable,
  );
}

/**
 * Splits a normalized schema that has `variants` or several types. If the schema itself allows null, null is a separate
 * variant.
 */
function variantsOf(document, { name, ...schema }) {
  if (schema.variants.length > 0)
    return [
      ...schema.variants.map((one) => normalized(document, one)),
      ...schema.types.map((type) => normalized(document, { type })),
    ];
  return schema.types.length > 1 ? schema.types.map((type) => ({ ...schema, types: [type] })) : [{ name, ...schema }];
}

function referenced(document, ref) {
  return ref
    .slice(2)
    .split('/')
    .reduce((node, key) => node[key], document);
}

/** Returns the path of the stored document with the highest version. */
function lastRelease() {
  const order = (name) =>
    name
      .split('.')
      .slice(0, 3)
      .reduce((sum, part) => sum * 1000 + Number(part), 0);
  const names = readdirSync(RELEASES)
    .filter((name) => name.endsWith('.json'))
    .sort((one, other) => order(one) - order(other));
  return join(RELEASES, names.at(-1));
}

if (process.argv[1] === import.meta.filename) {
  const [old = lastRelease(), now = join(ROOT, 'docs/openapi.json')] = process.argv.slice(2);
  const lines = breaks(...[old, now].map((file) => JSON.parse(readFileSync(file, 'utf8'))));
  for (const line of lines) console.error(`breaks clients of ${old.split('/').at(-1)}: ${line}`);
  if (lines.length > 0) process.exitCode = 1;
}
