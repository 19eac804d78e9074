import fc from 'fast-check';
import { DEEDS, DEEDS_BY_WEIGHT, settle } from '#testing/deeds';
import { HoldingFollower } from '#testing/follower';
import type { Person } from '#testing/people';
import { isThorough, repetitions } from '#testing/repetitions';
import { TestServer } from '#testing/test-server';
import type { Turn } from '#testing/world';

const SEQUENCES = repetitions('follower_sequences');
/** The usual run is the same every time; the thorough one finds others. */
const SEED = 20_261_122;
const STEPS = 25;
const PEOPLE = 20;
/** Everybody reads the feed after every step; whole reads are dear, so these many of who was told something, and of all in turn. At the end, everybody. */
const [TOLD, IN_TURN] = [2, 1];

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());

const step = fc.record({ deed: fc.constantFrom(...DEEDS_BY_WEIGHT), actor: fc.nat(), other: fc.nat(), choices: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }) });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function turnOf({ actor, other, choices }: Step, people: readonly Person[]): Turn {
  const left = [...choices];
  return { actor: people[actor % people.length]!, other: people[other % people.length]!, pick: (list) => list[(left.pop() ?? 0) % Math.max(1, list.length)] };
}

class Company {
  private readonly followers = new Map<Person, HoldingFollower>();
  private readonly log: string[] = [];
  private turn = 0;

  static async of(people: readonly Person[]): Promise<Company> {
    const company = new Company();
    await Promise.all(people.map(async (person) => company.followers.set(person, await HoldingFollower.ofNewcomer(person))));
    return company;
  }

  note(what: string): void {
    this.log.push(what);
  }

  /** Who is banned reads nothing meanwhile, and goes on where they were. */
  async follow(out: ReadonlySet<Person>): Promise<void> {
    const all = [...this.followers].filter(([person]) => !out.has(person));
    const told = await Promise.all(all.map(async ([person, follower]) => {
      const entries = await this.blaming(person, () => follower.follow(3));
      if (entries.length > 0) this.log.push(`   ${person.slug} is told ${entries.map(({ type, subject }) => `${type} ${subject.id}`).join(', ')}`);
      return entries.length > 0 ? [person] : [];
    }));
    const looking = new Set(told.flat().slice(0, TOLD));
    for (let n = 0; n < IN_TURN; n++) looking.add(all[this.turn++ % all.length]![0]);
    for (const person of looking) await this.compare(person);
  }

  async compareAll(out: ReadonlySet<Person>): Promise<void> {
    for (const person of this.followers.keys()) if (!out.has(person)) await this.compare(person);
  }

  private compare(person: Person): Promise<void> {
    return this.blaming(person, async () => {
      const follower = this.followers.get(person)!;
      expect(Object.fromEntries([...follower.held].sort())).toEqual(Object.fromEntries([...(await follower.everything())].sort()));
    });
  }

  private async blaming<T>(person: Person, work: () => Promise<T>): Promise<T> {
    return work().catch((error: Error) => {
      throw new Error(`${person.slug}, after\n${this.log.join('\n')}\n${error.message}`, { cause: error });
    });
  }
}

describe('who follows the feed', () => {
  // CHG-1, CHG-3, CHG-5, CHG-6, CHG-14, CHG-15, MOD-9
  it(`holds what full reads show, whatever twenty people do (${SEQUENCES} sequences)`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
        const people = await Promise.all(Array.from({ length: PEOPLE }, (_, i) => server.person(`f${i}`)));
        const company = await Company.of(people);
        const world = await settle(server, people);
        await company.follow(new Set());
        for (const one of steps) {
          const turn = turnOf(one, people.filter((person) => !world.gone.has(person)));
          const answer = (await DEEDS[one.deed]!(world, turn)) as { status?: number } | undefined;
          company.note(`${turn.actor.slug} ${one.deed} (${turn.other.slug}) → ${answer?.status ?? 'done'}`);
          await company.follow(new Set([...world.banned, ...world.gone]));
        }
        await company.compareAll(new Set([...world.banned, ...world.gone]));
      }),
      { numRuns: SEQUENCES, endOnFailure: true, ...(isThorough() ? {} : { seed: SEED }) },
    );
  }, 7_200_000);
});
