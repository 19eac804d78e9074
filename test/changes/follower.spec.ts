import fc from 'fast-check';
import { Company } from '#testing/company';
import { DEEDS_BY_WEIGHT } from '#testing/deeds';
import { isThorough, repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';
import { TouchedRows } from '#testing/touched-rows';

const SEQUENCES = repetitions('follower_sequences');
const STEPS = repetitions('follower_steps');
/** The usual run always has the same seed. A thorough run has a new seed each time; `follower_seed=7` repeats a run. */
const SEED = Number(process.env['follower_seed'] || (isThorough() ? Date.now() % 2 ** 31 : 20_261_122));
const PEOPLE = 20;
/** Number of sequences per company. Each sequence begins in the state in which the previous one ended. */
const SEQUENCES_TOGETHER = 20;
/** Number of people who read everything again at the end of a sequence, in turn, so that everyone does it once. */
const FULL_READERS = PEOPLE / SEQUENCES_TOGETHER;

let server: TestServer;
let rows: TouchedRows;
beforeAll(async () => {
  server = await TestServer.start();
  rows = await TouchedRows.watch(server);
});
afterAll(() => server.stop());

const step = fc.record({
  deed: fc.constantFrom(...DEEDS_BY_WEIGHT),
  actor: fc.nat(),
  other: fc.nat(),
  choices: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
});

describe('a follower of the feed', () => {
  // CHG-1, CHG-3, CHG-5, CHG-6, CHG-7, CHG-14, CHG-15, MOD-9
  it(`has the same state as full reads, after any actions of twenty people (${SEQUENCES} sequences of ${STEPS} steps)`, async () => {
    let company: Company | null = null;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
        if (!company || company.sequences === SEQUENCES_TOGETHER) company = await Company.gather(server, rows, PEOPLE);
        await company.live(steps, FULL_READERS);
      }),
      // Actions cannot be undone, so a shrunk sequence would begin in another state.
      { numRuns: SEQUENCES, endOnFailure: true, seed: SEED },
    );
  }, 7_200_000);
});
