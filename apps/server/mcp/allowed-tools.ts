import type { FastifyRequest } from 'fastify';
import type { Caller } from '#areas/identity/caller.reader';
import { allows, SCOPE_OF_OPERATION, type NarrowScope } from '#contract/scopes';
import { TOOLS, type Tool } from './tools';

/** The tools that the token of this request may use. */
export function toolsOf(request: FastifyRequest): readonly Tool[] {
  return TOOLS.filter((tool) => missingScopes(tool, request).length === 0);
}

/** The scopes that the tool needs and the token lacks. */
export function missingScopes({ operations, writes }: Tool, { caller }: FastifyRequest): NarrowScope[] {
  const { scopes } = (caller as Caller).token;
  const needed = operations.map((operation) => SCOPE_OF_OPERATION[operation]);
  return [...new Set(needed)].filter((one) => one !== null).filter((one) => !allows(scopes, one, { reads: !writes }));
}
