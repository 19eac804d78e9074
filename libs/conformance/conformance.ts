import { admission, unknownResources } from './promises/admission';
import { reading } from './promises/reading';
import { writing } from './promises/writing';
import { Session, type RunOptions } from './session';

const PARTS = {
  authentication: admission,
  reads: reading,
  'missing resources': unknownResources,
  writes: writing,
};

/**
 * Tests a server against its OpenAPI document. Returns the number of requests, and a line for every promise of the
 * document that the server breaks.
 */
export async function conformance(run: RunOptions): Promise<{ failures: string[]; requests: number }> {
  const session = new Session(run);
  for (const [name, part] of Object.entries(PARTS)) {
    run.say(name);
    await part(session);
  }
  return { failures: session.failures, requests: session.requests };
}
