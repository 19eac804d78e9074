import fc from 'fast-check';
import { FollowerSimulation } from '#testing/follower-simulation';
import { ACTIONS_BY_WEIGHT } from '#testing/random-actions';
import { isThorough, repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';
import { TouchedRows } from '#testing/touched-rows';

const SEQUENCES = repetitions('follower_sequences');
const STEPS = repetitions('follower_steps');
/**
 * An ordinary run always has the same seed; a thorough run (`isThorough`) has a new seed. The environment variable
 * `follower_seed` sets the seed: `follower_seed=7` repeats the run with seed 7.
 */
const SEED = Number(process.env['follower_seed'] || (isThorough() ? Date.now() % 2 ** 31 : 20_261_122));
const PEOPLE = 20;
/**
 * Number of sequences in one simulation. Each sequence after the first begins in the state in which the previous one
 * ended.
 */
const SEQUENCES_PER_SIMULATION = 20;
/**
 * Number of people who read everything again at the end of a sequence. After all sequences of a simulation, every
 * person has read everything again once, except people whose account was banned or erased at their turn.
 */
const REREADS = PEOPLE / SEQUENCES_PER_SIMULATION;

let server: TestServer;
let rows: TouchedRows;
beforeAll(async () => {
  server = await TestServer.start();
  rows = await TouchedRows.watch(server);
});
afterAll(() => server.stop());

const drawnStep = fc.record({
  action: fc.nat(),
  actor: fc.nat(),
  other: fc.nat(),
  choices: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
});

/**
 * The entries of ACTIONS_BY_WEIGHT that the current round has not used yet. Each round uses every entry once, in a
 * random order, so that a short run also contains all actions.
 */
let unusedActions: string[] = [];
function takeAction(drawn: number): string {
  if (unusedActions.length === 0) unusedActions = [...ACTIONS_BY_WEIGHT];
  return unusedActions.splice(drawn % unusedActions.length, 1)[0]!;
}

describe('a client that follows the feed of changes', () => {
  // CHG-1, CHG-3, CHG-5, CHG-6, CHG-7, CHG-14, CHG-15, MOD-9
  it(`has the same data as a client that reads everything, after random actions of twenty people (${SEQUENCES} sequences of ${STEPS} steps)`, async () => {
    let simulation: FollowerSimulation | null = null;
    await fc.assert(
      fc.asyncProperty(fc.array(drawnStep, { minLength: STEPS, maxLength: STEPS }), async (drawnSteps) => {
        const steps = drawnSteps.map((step) => ({ ...step, action: takeAction(step.action) }));
        if (!simulation || simulation.sequences === SEQUENCES_PER_SIMULATION)
          simulation = await FollowerSimulation.start(server, rows, PEOPLE);
        await simulation.run(steps, REREADS);
      }),
      // Actions cannot be undone, so a shortened sequence would begin in another state. A failing sequence is therefore
      // not shortened.
      { numRuns: SEQUENCES, endOnFailure: true, seed: SEED },
    );
  }, 7_200_000);
});
