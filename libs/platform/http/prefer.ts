import type { FastifyReply, FastifyRequest } from 'fastify';
import { canWrite } from '#contract/vocabulary';
import { Refusal } from './refusal';

const HEADER = 'Prefer';
export const DRY_RUN = 'dry-run';

/** One preference of RFC 7240, without its parameters: the name in lower case and the value, which may be empty. */
interface Preference {
  readonly name: string;
  readonly value: string;
}

/** Matches a part of the header, up to the next comma outside quotes. Also matches a quote that is not closed. */
const HEADER_PART = /(?:"(?:[^"\\]|\\.)*"|[^",])+|"/g;
const BEFORE_PARAMETERS = /^(?:"(?:[^"\\]|\\.)*"|[^";])*/;

/** Returns the preferences in the header, in the order in which they were sent. */
export function preferencesIn(header: string): Preference[] {
  return (header.match(HEADER_PART) ?? []).map((part) => {
    const [name = '', ...rest] = (BEFORE_PARAMETERS.exec(part)?.[0] ?? '').split('=');
    const value = rest.join('=').trim();
    return { name: name.trim().toLowerCase(), value: /^"(?<quoted>.*)"$/.exec(value)?.groups?.['quoted'] ?? value };
  });
}

/**
 * Sets `request.dryRun` to true if the request is a dry run (TRY-1), otherwise to false. The function runs before the
 * token is checked. Requests that only read are never dry runs.
 */
export function readDryRun(request: FastifyRequest): void {
  const { prefer } = request.headers;
  request.dryRun = prefer !== undefined && canWrite(request.method) && dryRunIn(prefer) === 'requested';
}

/** Adds a preference to the response's `Preference-Applied`. */
export function addAppliedPreference(reply: FastifyReply, preference: string): void {
  const others = reply.getHeader('preference-applied');
  void reply.header('preference-applied', typeof others === 'string' ? `${others}, ${preference}` : preference);
}

/**
 * Refuses a request that writes if its `dry-run` is misspelt or has a value. Without this refusal, the request would
 * write, although the client wanted a dry run (TRY-4).
 *
 * @throws Refusal 422 on `Prefer`
 */
export function refuseMisspeltDryRun({ method, headers: { prefer } }: FastifyRequest): void {
  if (prefer !== undefined && canWrite(method) && dryRunIn(prefer) === 'misspelt')
    throw Refusal.invalid(HEADER, 'prefer_dry_run');
}

function dryRunIn(prefer: string | readonly string[]): 'requested' | 'misspelt' | null {
  const dryRunPreferences = preferencesIn([prefer].flat().join(',')).filter(
    ({ name }) => name.replace(/[^a-z0-9]/g, '') === 'dryrun',
  );
  if (dryRunPreferences.length === 0) return null;
  return dryRunPreferences.every(({ name, value }) => name === DRY_RUN && value === '') ? 'requested' : 'misspelt';
}
