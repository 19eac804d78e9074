import { isDeepStrictEqual } from 'node:util';
import { ChangesReader } from '#areas/changes/changes.reader';
import { asked } from './asked';
import { DEEDS, settle, WITHOUT_NOTICE } from './deeds';
import { HoldingFollower, type Held } from './follower';
import type { Person } from './people';
import { RememberedAnswers } from './remembered-answers';
import type { TestServer } from './test-server';
import type { TouchedRows } from './touched-rows';
import { emptyWorld, type Turn, type World } from './world';

/** A random step: its numbers select among the people and choices that exist at that time. */
export interface Step {
  readonly deed: string;
  readonly actor: number;
  readonly other: number;
  readonly choices: readonly number[];
}

/** Pages as small as this, so that there is often a next one. */
const ENTRIES_A_PAGE = 3;

/**
 * People who act, each with a follower of their feed. After every step these checks run:
 *
 * 1. Refused requests and personal blocks have written nothing to the log. 2. Everyone's feed is read to its end. The
 * feed's own reader decides whether there is anything, which costs a fifth; entries are read over HTTP, page by page,
 * and applied. Each entry's address must answer 200, and an end must concern a held thing. 3. Everyone's holdings equal
 * full reads, except `can_join` once the organizer has blocked the person. Full reads are remembered responses
 * (remembered-answers.ts): those of people and things whose rows were written are requested now, whatever the log
 * contains; the others are from an earlier step.
 *
 * At the end of a sequence some people, in turn, read everything again, and must still hold the same. Banned people are
 * left out (they continue from their cursor later), and so are erased ones.
 */
export class Company {
  /** Sequences lived through. */
  sequences = 0;
  private readonly followers = new Map<Person, HoldingFollower>();
  /** Full reads of people without writes since. */
  private readonly full = new Map<Person, Held>();
  private readonly away = new Set<Person>();
  private readonly answers: RememberedAnswers;
  private readonly log: string[] = [];
  private logged = '';

  private constructor(
    private readonly server: TestServer,
    private readonly rows: TouchedRows,
    private readonly world: World,
  ) {
    this.answers = new RememberedAnswers(server, world.people);
  }

  /** Creates people who hold nothing, then some of everything between them. */
  static async gather(server: TestServer, rows: TouchedRows, size: number): Promise<Company> {
    const people = await Promise.all(Array.from({ length: size }, (_, i) => server.person(`f${i}`)));
    const company = new Company(server, rows, emptyWorld(server, people));
    for (const person of people)
      company.followers.set(
        person,
        await HoldingFollower.ofNewcomer(person, (path) => company.answers.get(person, path)),
      );
    await settle(company.world);
    await company.follow();
    return company;
  }

  /** @param rereads number of people who read everything again at the end */
  async live(steps: readonly Step[], rereads: number): Promise<void> {
    for (const step of steps) {
      const turn = this.turnOf(step);
      const answer = (await DEEDS[step.deed]!(this.world, turn)) as { status?: number } | undefined;
      this.log.push(`${turn.actor.slug} ${step.deed} (${turn.other.slug}) → ${answer?.status ?? 'done'}`);
      const wasLogged = await this.follow();
      if (wasLogged && ((answer?.status ?? 0) >= 400 || WITHOUT_NOTICE.has(step.deed)))
        throw this.blamed(turn.actor, new Error('it is in the log of changes'));
    }
    const people = [...this.followers.keys()];
    for (let n = 0; n < rereads; n++) await this.readAgain(people[(this.sequences * rereads + n) % people.length]!);
    this.sequences++;
  }

  private turnOf({ actor, other, choices }: Step): Turn {
    const people = this.world.people.filter((person) => !this.world.gone.has(person));
    const left = [...choices];
    return {
      actor: people[actor % people.length]!,
      other: people[other % people.length]!,
      pick: (list) => list[(left.pop() ?? 0) % Math.max(1, list.length)],
    };
  }

  /** → whether anything is new in the log */
  private async follow(): Promise<boolean> {
    for (const person of this.answers.forget(await this.rows.take())) this.full.delete(person);
    const [log] = await this.server.sql<{ last: string }>('SELECT number_changes() AS last');
    const isLogged = log!.last !== this.logged;
    this.logged = log!.last;
    for (const person of this.followers.keys()) if (this.isOut(person)) this.away.add(person);
    const following = [...this.followers].filter(([person]) => !this.isOut(person));
    const told = await Promise.all(
      following.map(([person, follower]) => this.blaming(person, () => this.tell(person, follower, isLogged))),
    );
    await Promise.all(
      following.map(([person, follower], n) =>
        this.blaming(person, async () => {
          if (this.full.has(person) && !told[n]) return;
          const full = this.full.get(person) ?? (await follower.everything());
          this.full.set(person, full);
          this.compare(person, follower.held, full);
        }),
      ),
    );
    return isLogged;
  }

  /** @returns whether there were any entries */
  private async tell(person: Person, follower: HoldingFollower, isLogged: boolean): Promise<boolean> {
    const wasAway = this.away.delete(person);
    // Without a row in the log there is nothing new for an existing person.
    if (!isLogged && !wasAway) return false;
    const { entries, cursor, hasMore } = await this.server.app
      .get(ChangesReader)
      .after({ id: person.userId, scopes: ['read'] }, follower.cursor, { types: null, limit: 1 });
    if (entries.length === 0 && !hasMore) {
      follower.cursor = cursor;
      return false;
    }
    const read = await follower.follow(ENTRIES_A_PAGE, wasAway);
    this.log.push(`   ${person.slug} is told ${read.map(({ type, subject }) => `${type} ${subject.id}`).join(', ')}`);
    return true;
  }

  private async readAgain(person: Person): Promise<void> {
    if (this.isOut(person)) return;
    const follower = this.followers.get(person)!;
    await this.blaming(person, async () =>
      this.compare(person, follower.held, await follower.everything((path) => asked(this.server, person, path))),
    );
  }

  private isOut(person: Person): boolean {
    return this.world.banned.has(person) || this.world.gone.has(person);
  }

  private blaming<T>(person: Person, work: () => Promise<T>): Promise<T> {
    return work().catch((error: Error) => {
      throw this.blamed(person, error);
    });
  }

  private blamed({ slug }: Person, error: Error): Error {
    return new Error(`${slug}, after\n${this.log.join('\n')}\n${error.message}`, { cause: error });
  }

  private compare(person: Person, held: Held, full: Held): void {
    // Remembered responses are the same objects, so equality is found at once.
    if (held.size === full.size && [...full].every(([name, body]) => isDeepStrictEqual(held.get(name), body))) return;
    const blockers = new Set(
      this.world.blocks.flatMap(({ blocker, blocked }) => (blocked === person ? [blocker.slug] : [])),
    );
    expect(plain(held, blockers)).toEqual(plain(full, blockers));
  }
}

/** CHG-1: the feed does not report changes of `can_join` to people whom the organizer has blocked or unblocked. */
function plain(held: Held, blockers: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(
    [...held].sort().map(([name, body]) => {
      const isBlocked = body?.viewer?.can_join !== undefined && blockers.has(body.organizer?.slug as string);
      return [name, isBlocked ? { ...body, viewer: { ...body.viewer, can_join: null } } : body];
    }),
  );
}
