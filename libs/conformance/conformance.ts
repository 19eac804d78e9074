import { admission, unknownThings } from './promises/admission';
import { reading } from './promises/reading';
import { writing } from './promises/writing';
import { Session, type Run } from './session';

const PARTS = {
  'who is let in': admission,
  'what can be read': reading,
  'what is not there': unknownThings,
  'what can be changed': writing,
};

/** Tests a server against a document. Returns a line for every violated promise. */
export async function conformance(run: Run): Promise<{ failures: string[]; requests: number }> {
  const session = new Session(run);
  for (const [name, part] of Object.entries(PARTS)) {
    run.say(name);
    await part(session);
  }
  return { failures: session.failures, requests: session.requests };
}
