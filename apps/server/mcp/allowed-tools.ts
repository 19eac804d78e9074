import type { FastifyRequest } from 'fastify';
import type { Caller } from '#areas/identity/caller.reader';
import { TOOLS } from './tools';

/** The path of the protocol's endpoint. */
export const MCP = '/mcp';

/** Tools that the token of an admitted request may use. */
export function toolsOf({ caller }: FastifyRequest): typeof TOOLS {
  return (caller as Caller).token.access === 'read' ? TOOLS.filter(({ writes }) => !writes) : TOOLS;
}
