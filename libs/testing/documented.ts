import { isSelfRequest } from '#platform/context/self-request';
import { appendFileSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { REFUSALS } from '#contract/refusals';
import {
  STATUSES_WITHOUT_OPERATION,
  CODES_FOLDER_VARIABLE,
  codeLine,
  type DeclaredResponse,
  type Document,
  type Schema,
} from './documented-codes';
import { parseUrl } from '#platform/text/url';

const API = '/api/v1/';
/** The id of the document among the schemas of its validators. */
const DOCUMENT_ID = 'openapi';
const FILE = join(__dirname, '..', '..', 'docs', 'openapi.json');

/** General headers of HTTP and CORS, which the document does not declare. */
const GENERAL_HEADERS =
  /^(?:access-control-.*|cache-control|connection|content-(?:encoding|language|length|type)|date|keep-alive|transfer-encoding|vary|x-content-type-options)$/;

/**
 * Validates the API responses of a test server (except the responses that `watch` omits) against docs/openapi.json:
 * their status, error code, headers and body must be declared there. The error codes of the responses are stored in a
 * folder that all processes of a run share. At the end of the run, a reporter lists the declared codes that no test
 * received (documented-codes.ts).
 */
export class Documented {
  private static readonly file = JSON.parse(readFileSync(FILE, 'utf8')) as Document;
  /** The validators of each document, shared by all servers of a process. */
  private static readonly validatorsOfDocuments = new WeakMap<Document, Ajv2020>();

  /** One line for every difference between a response and the document. */
  readonly differences = new Set<string>();
  private readonly receivedCodes = new Set<string>();
  private readonly validators: Ajv2020;

  constructor(private readonly document: Document = Documented.file) {
    this.validators = Documented.validatorsOfDocuments.get(document) ?? validatorsOf(document);
    Documented.validatorsOfDocuments.set(document, this.validators);
  }

  watch(fastify: FastifyInstance): void {
    fastify.addHook('onSend', async (request, reply, payload) => {
      const isApiResponse =
        request.routeOptions.url?.startsWith(API) &&
        request.method !== 'HEAD' &&
        request.method !== 'OPTIONS' &&
        !isSelfRequest();
      if (isApiResponse && !STATUSES_WITHOUT_OPERATION.has(reply.statusCode) && !isForcedByTest(request))
        this.compare(request, reply, decompressed(reply, payload));
      return payload;
    });
  }

  /** Stores the received codes in the shared folder, for the report at the end of the run. */
  storeCodes(): void {
    const folder = process.env[CODES_FOLDER_VARIABLE];
    if (folder !== undefined && this.receivedCodes.size > 0)
      appendFileSync(join(folder, String(process.pid)), `${[...this.receivedCodes].join('\n')}\n`);
  }

  private compare(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const { statusCode } = reply;
    const path = (request.routeOptions.url as string).replace(/:(\w+)/g, '{$1}');
    const note = (difference: string): void =>
      void this.differences.add(`${request.method} ${path} ${statusCode}: ${difference}`);
    const described = this.document.paths[path]?.[request.method.toLowerCase()]?.responses[statusCode];
    if (!described) return note(`is not documented${typeof payload === 'string' ? `: ${payload.slice(0, 100)}` : ''}`);
    const response = described.$ref
      ? (this.document.components.responses[nameIn(described.$ref)] as DeclaredResponse)
      : described;
    this.compareHeaders(reply, response, note);
    const { schema } = response.content?.['application/json'] ?? {};
    if (!schema) {
      const type = String(reply.getHeader('content-type') ?? '').split(';', 1)[0] ?? '';
      return payload && !response.content?.[type] ? note('has a body that is not documented') : undefined;
    }
    const body: unknown = typeof payload === 'string' ? JSON.parse(payload) : payload;
    const { code } = (body ?? {}) as { code?: unknown };
    if (statusCode >= 400) this.receivedCodes.add(codeLine(request.method, path, statusCode, String(code)));
    const location =
      described.$ref ?? `#${pointer('paths', path, request.method.toLowerCase(), 'responses', String(statusCode))}`;
    const validate = this.validatorAt(`${location}${pointer('content', 'application/json', 'schema')}`);
    if (validate(body)) return;
    for (const { instancePath, message, params } of validate.errors ?? []) {
      const details = instancePath === '/code' ? ` (${String(code)})` : ` ${JSON.stringify(params)}`;
      note(`${instancePath.replace(/\/\d+/g, '/n')} ${message}${details}`);
    }
  }

  private compareHeaders(reply: FastifyReply, { headers = {} }: DeclaredResponse, note: (what: string) => void): void {
    const sentHeaders = new Set(Object.keys(reply.getHeaders()).map((name) => name.toLowerCase()));
    const declared = new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]));
    for (const name of sentHeaders)
      if (!declared.has(name) && !GENERAL_HEADERS.test(name)) note(`has the header ${name}, which is not documented`);
    for (const [name, header] of declared) {
      const { required } = header.$ref ? (this.document.components.headers[nameIn(header.$ref)] ?? {}) : header;
      if (required && !sentHeaders.has(name)) note(`lacks the header ${name}`);
    }
  }

  /** Compiles the schema at this place of the document once. */
  private validatorAt(location: string): ValidateFunction {
    const validate = this.validators.getSchema(`${DOCUMENT_ID}${location}`);
    if (!validate) throw new Error(`no schema at ${location}`);
    return validate;
  }
}

/**
 * Whether a test made the route throw a refusal. The document need not declare such refusals for the route
 * (test/http/every-route.spec.ts).
 */
function isForcedByTest({ headers }: FastifyRequest): boolean {
  return typeof headers['x-fault'] === 'string' && Object.hasOwn(REFUSALS, headers['x-fault']);
}

/** The payload of a response as text if it is compressed or JSON; any other payload is returned unchanged. */
function decompressed(reply: FastifyReply, payload: unknown): unknown {
  if (!Buffer.isBuffer(payload)) return payload;
  const coding = reply.getHeader('content-encoding');
  if (coding === 'br') return brotliDecompressSync(payload).toString();
  if (coding === 'gzip') return gunzipSync(payload).toString();
  return String(reply.getHeader('content-type')).startsWith('application/json') ? payload.toString() : payload;
}

function nameIn(ref: string): string {
  return ref.split('/').at(-1) as string;
}

/** A JSON pointer to these properties, as a part of a URI. */
function pointer(...properties: string[]): string {
  return properties.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}

/** All schemas of the document are added at once, so that each component is compiled only once. */
function validatorsOf(document: Document): Ajv2020 {
  const whole = withoutUndeclared(document) as Schema;
  return withUris(addFormats(new Ajv2020({ strict: false }))).addSchema(whole, DOCUMENT_ID, false, false);
}

/**
 * Lets the format `uri` accept the same addresses as browsers and the DTOs of the service. The format `uri` of
 * ajv-formats follows RFC 3986, which does not allow `https://café.example`.
 */
function withUris(ajv: Ajv2020): Ajv2020 {
  return ajv.addFormat('uri', (text: string) => parseUrl(text) !== null);
}

/**
 * The schema, changed so that undeclared properties are errors. Clients must accept such properties, but the server
 * must not send them.
 */
function withoutUndeclared(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutUndeclared);
  if (typeof schema !== 'object' || schema === null) return schema;
  const whole = Object.fromEntries<unknown>(
    Object.entries(schema).map(([key, value]) => [key, withoutUndeclared(value)]),
  );
  const isObject =
    typeof whole.properties === 'object' && whole.type === 'object' && whole.additionalProperties === undefined;
  return isObject ? { ...whole, additionalProperties: false } : whole;
}
