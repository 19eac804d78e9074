import { isDeepStrictEqual } from 'node:util';
import { ChangesReader } from '#areas/changes/changes.reader';
import { injectedGet } from './injected-get';
import { ACTIONS, settle, WITHOUT_CHANGE_ENTRY } from './random-actions';
import { HoldingFollower, type Held } from './follower';
import type { Person } from './people';
import { RememberedAnswers } from './remembered-answers';
import type { TestServer } from './test-server';
import type { TouchedRows } from './touched-rows';
import { emptyWorld, type Turn, type World } from './world';

/** A random step: its numbers select among the people and choices that exist at that time. */
export interface Step {
  readonly action: string;
  readonly actor: number;
  readonly other: number;
  readonly choices: readonly number[];
}

/** Pages are this small, so that there is often a next page. */
const ENTRIES_A_PAGE = 3;

/**
 * People who perform random actions, and a follower of the feed for each of them. After every step these checks run:
 *
 * 1. Refused requests and personal blocks have written nothing to the log.
 * 2. Every follower reads the feed to its end. `ChangesReader` first checks whether there are entries, at a fifth of the
 *    cost; entries are then read over HTTP, page by page, and applied. Each entry's address must answer 200, and the end
 *    of an object must concern an object that the follower has.
 * 3. The data of every follower equals full reads, except `can_join` after the organizer has blocked the person. Full
 *    reads use remembered responses (remembered-answers.ts). Responses that a written row may have changed are requested
 *    again, independent of the log; all others are from an earlier step.
 *
 * At the end of a sequence some people, in turn, read everything again, and must get the same data. Erased people are
 * left out, and so are banned people, who later continue from their cursor.
 */
export class FollowerSimulation {
  /** Number of completed sequences. */
  sequences = 0;
  private readonly followers = new Map<Person, HoldingFollower>();
  /** Full reads that are still valid: no row of these people was written after them. */
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

  /**
   * Creates people, starts their followers, and then creates objects of every kind with relations between the people.
   */
  static async start(server: TestServer, rows: TouchedRows, size: number): Promise<FollowerSimulation> {
    const people = await Promise.all(Array.from({ length: size }, (_, i) => server.person(`f${i}`)));
    const simulation = new FollowerSimulation(server, rows, emptyWorld(server, people));
    for (const person of people)
      simulation.followers.set(
        person,
        await HoldingFollower.ofNewcomer(person, (path) => simulation.answers.get(person, path)),
      );
    await settle(simulation.world);
    await simulation.follow();
    return simulation;
  }

  /** @param rereads number of people who read everything again at the end */
  async run(steps: readonly Step[], rereads: number): Promise<void> {
    for (const step of steps) {
      const turn = this.turnOf(step);
      const answer = (await ACTIONS[step.action]!(this.world, turn)) as { status?: number } | undefined;
      this.log.push(`${turn.actor.slug} ${step.action} (${turn.other.slug}) → ${answer?.status ?? 'done'}`);
      const wasLogged = await this.follow();
      if (wasLogged && ((answer?.status ?? 0) >= 400 || WITHOUT_CHANGE_ENTRY.has(step.action)))
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

  /** Lets all followers read the feed, and compares. Returns whether the log has new rows. */
  private async follow(): Promise<boolean> {
    for (const person of this.answers.forget(await this.rows.take())) this.full.delete(person);
    const [log] = await this.server.sql<{ last: string }>('SELECT number_changes() AS last');
    const isLogged = log!.last !== this.logged;
    this.logged = log!.last;
    for (const person of this.followers.keys()) if (this.isOut(person)) this.away.add(person);
    const following = [...this.followers].filter(([person]) => !this.isOut(person));
    const hadEntries = await Promise.all(
      following.map(([person, follower]) => this.blaming(person, () => this.apply(person, follower, isLogged))),
    );
    await Promise.all(
      following.map(([person, follower], n) =>
        this.blaming(person, async () => {
          if (this.full.has(person) && !hadEntries[n]) return;
          const full = this.full.get(person) ?? (await follower.everything());
          this.full.set(person, full);
          this.compare(person, follower.held, full);
        }),
      ),
    );
    return isLogged;
  }

  /** Applies the new entries of one person; returns whether there were any. */
  private async apply(person: Person, follower: HoldingFollower, isLogged: boolean): Promise<boolean> {
    const wasAway = this.away.delete(person);
    // Without a new row in the log, only a person who returns can have new entries.
    if (!isLogged && !wasAway) return false;
    const { entries, cursor, hasMore } = await this.server.app
      .get(ChangesReader)
      .after({ id: person.userId, scopes: ['read'] }, follower.cursor, { types: null, limit: 1 });
    if (entries.length === 0 && !hasMore) {
      follower.cursor = cursor;
      return false;
    }
    const read = await follower.follow(ENTRIES_A_PAGE, wasAway);
    this.log.push(`   ${person.slug} reads ${read.map(({ type, subject }) => `${type} ${subject.id}`).join(', ')}`);
    return true;
  }

  private async readAgain(person: Person): Promise<void> {
    if (this.isOut(person)) return;
    const follower = this.followers.get(person)!;
    await this.blaming(person, async () =>
      this.compare(person, follower.held, await follower.everything((path) => injectedGet(this.server, person, path))),
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
