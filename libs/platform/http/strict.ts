import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { currentRequest } from '../context/current-request';
import { addAppliedPreference, preferencesIn } from './prefer';
import { fieldsOf, type DeclaredField, type Dto } from './declared-fields';
import { Refusal, type FieldErrors } from './refusal';

const [QUERY, BODY] = ['declared:query', 'declared:body'] as const;
type DeclaredInput = typeof QUERY | typeof BODY;
const FILE_FIELDS = 'declared:file-fields';

/** Maximum number of unknown names that one refusal contains. */
const MAX_NAMES = 20;
const APPLIED_PREFERENCE = 'handling=strict';

/** The names in a strict request that the requested operation does not declare. */
const unknownByRequest = new WeakMap<FastifyRequest, readonly string[]>();

/** Stores the DTO that declares a handler's query parameters. */
export function declareQuery(handler: object, dto: Dto): void {
  Reflect.defineMetadata(QUERY, dto, handler);
}

/** Stores the DTO that declares a handler's body fields. Null: the body contains only files. */
export function declareBody(handler: object, dto: Dto | null): void {
  Reflect.defineMetadata(BODY, dto, handler);
}

/** Stores the names of a handler's file fields. A JSON body may also contain these names; their values are ignored. */
export function declareFileFields(handler: object, names: readonly string[]): void {
  Reflect.defineMetadata(FILE_FIELDS, names, handler);
}

/**
 * `Prefer: handling=strict` (WIRE-53): unknown query parameters and unknown fields of the body cause a 422. A handler
 * that declares its query or its body refuses these names when it reads the query or the body, after the checks of
 * visibility and rights. For other handlers, `StrictInterceptor` refuses the names. The guard ignores requests without
 * a caller, such as requests for pages.
 */
@Injectable()
export class StrictGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (request.headers.prefer === undefined || !request.caller || !isStrict(request.headers.prefer)) return true;
    addAppliedPreference(http.getResponse<FastifyReply>(), APPLIED_PREFERENCE);
    const handler = context.getHandler();
    const names = [...unknownNames(handler, QUERY, request.query), ...unknownNames(handler, BODY, request.body)];
    unknownByRequest.set(request, names.slice(0, MAX_NAMES));
    return true;
  }
}

/**
 * Whether a strict request has unknown names, and the handler ignores them because it declares neither a query nor a
 * body.
 */
export function hasIgnoredNames(request: FastifyRequest, handler: object): boolean {
  const readsInput = Reflect.hasMetadata(QUERY, handler) || Reflect.hasMetadata(BODY, handler);
  return !readsInput && (unknownByRequest.get(request)?.length ?? 0) > 0;
}

/** @throws Refusal 422 `validation_failed` for the unknown names of a strict request */
export function refuseUnknownNames(request: FastifyRequest | undefined = currentRequest.getStore()): void {
  const names = request && unknownByRequest.get(request);
  if (!names || names.length === 0) return;
  const errors: FieldErrors = Object.fromEntries(names.map((name) => [name, [{ key: 'not_taken' }]]));
  throw new Refusal('validation_failed', { errors });
}

/**
 * Like `refuseUnknownNames`, for an undeclared part of a form. The name of a part is known only when the part is read.
 */
export function refuseUnknownPart(request: FastifyRequest, name: string): void {
  if (unknownByRequest.has(request)) throw Refusal.invalid(name, 'not_taken');
}

/** Whether the header contains `handling=strict`. If `handling` occurs twice, the first value is used. */
function isStrict(prefer: string | readonly string[]): boolean {
  return (
    preferencesIn([prefer].flat().join(','))
      .find(({ name }) => name === 'handling')
      ?.value.toLowerCase() === 'strict'
  );
}

function unknownNames(handler: object, input: DeclaredInput, sent: unknown): string[] {
  const dto = Reflect.getMetadata(input, handler) as Dto | null | undefined;
  if (!isObject(sent)) return [];
  const files = (input === BODY && (Reflect.getMetadata(FILE_FIELDS, handler) as readonly string[] | undefined)) || [];
  return namesNotIn(dto ? fieldsOf(dto) : new Map<string, DeclaredField>(), sent, '').filter(
    (name) => !files.includes(name),
  );
}

/** Returns the unknown names. The name of a nested field contains dots, as in `errors`: `stops.0.colour`. */
function namesNotIn(fields: ReadonlyMap<string, DeclaredField>, sent: object, prefix: string): string[] {
  const names: string[] = [];
  for (const [name, value] of Object.entries(sent)) {
    if (names.length >= MAX_NAMES) break;
    const field = fields.get(name);
    if (!field) names.push(prefix + name);
    else names.push(...namesWithin(field, value, `${prefix}${name}.`));
  }
  return names;
}

function namesWithin({ isArray, type, maxItems = 0 }: DeclaredField, value: unknown, prefix: string): string[] {
  if (!isArray || typeof type !== 'function' || !Array.isArray(value)) return [];
  const fields = fieldsOf((type as () => Dto)());
  return value
    .slice(0, maxItems)
    .flatMap((one: unknown, n) => (isObject(one) ? namesNotIn(fields, one, `${prefix}${n}.`) : []));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
