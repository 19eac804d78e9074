import { isDeepStrictEqual } from 'node:util';
import { ChangesReader } from '#areas/changes/changes.reader';
import { injectedGet } from './injected-get';
import { ACTIONS, createObjectsOfMostKinds, WITHOUT_CHANGE_ENTRY } from './random-actions';
import { CopyingFollower, type DataCopy } from './follower';
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

/** Pages are small, so that there is often a next page. */
const ENTRIES_A_PAGE = 3;

/**
 * People who perform random actions. For each person, a follower reads the feed and maintains a copy of all objects
 * that the person can see. After every step these checks run:
 *
 * 1. Refused requests, blocks between people and deletions of such blocks have added no row to the table `changes`, the
 *    log behind the feed.
 * 2. Every follower reads the feed to its end. A direct call of `ChangesReader` first checks whether there are entries,
 *    because such a call is five times as fast as a request. The entries are then read over HTTP, page by page, and
 *    applied. The address in each entry must answer 200. If an entry reports an object as gone, the address is not
 *    read; an event, group, post or series that is gone must be in the follower's copy, unless the person was banned in
 *    the meantime.
 * 3. The data of every follower equals a full read, except `can_join` after the organizer has blocked the person. Full
 *    reads use stored responses (remembered-answers.ts). If a row was written that may affect a response, the
 *    response is requested again, whether or not the log has an entry for this row.
 *
 * Each call of `run` performs a sequence of steps. After each sequence, some people (different people each time) read
 * everything again without stored responses. They must get the same data as their followers. All checks skip erased
 * people, and banned people while they are banned. After the ban, their followers continue from their cursors.
 */
export class FollowerSimulation {
  /** Number of completed sequences. */
  sequences = 0;
  private readonly followers = new Map<Person, CopyingFollower>();
  /** The last full read of each person. It is deleted when a row is written that may affect the person's responses. */
  private readonly fullReads = new Map<Person, DataCopy>();
  /** People who were banned or erased after their follower last read the feed. */
  private readonly absentPeople = new Set<Person>();
  private readonly answers: RememberedAnswers;
  /** The actions so far, for error messages. */
  private readonly history: string[] = [];
  private lastChangeNumber = '';

  private constructor(
    private readonly server: TestServer,
    private readonly rows: TouchedRows,
    private readonly world: World,
  ) {
    this.answers = new RememberedAnswers(server, world.people);
  }

  /**
   * Creates people, starts their followers, and then creates objects of most kinds with relations between the people.
   */
  static async start(server: TestServer, rows: TouchedRows, size: number): Promise<FollowerSimulation> {
    const people = await Promise.all(Array.from({ length: size }, (_, i) => server.person(`f${i}`)));
    const simulation = new FollowerSimulation(server, rows, emptyWorld(server, people));
    for (const person of people)
      simulation.followers.set(
        person,
        await CopyingFollower.ofNewcomer(person, (path) => simulation.answers.get(person, path)),
      );
    await createObjectsOfMostKinds(simulation.world);
    await simulation.follow();
    return simulation;
  }

  /** @param rereads number of people who read everything again at the end */
  async run(steps: readonly Step[], rereads: number): Promise<void> {
    for (const step of steps) {
      const turn = this.turnOf(step);
      const answer = (await ACTIONS[step.action]!(this.world, turn)) as { status?: number } | undefined;
      this.history.push(`${turn.actor.slug} ${step.action} (${turn.other.slug}) → ${answer?.status ?? 'done'}`);
      const hasNewRows = await this.follow();
      if (hasNewRows && ((answer?.status ?? 0) >= 400 || WITHOUT_CHANGE_ENTRY.has(step.action)))
        throw this.errorWithHistory(turn.actor, new Error('the action has written rows to the table `changes`'));
    }
    const people = [...this.followers.keys()];
    for (let n = 0; n < rereads; n++) await this.readAgain(people[(this.sequences * rereads + n) % people.length]!);
    this.sequences++;
  }

  private turnOf({ actor, other, choices }: Step): Turn {
    const people = this.world.people.filter((person) => !this.world.erased.has(person));
    const remaining = [...choices];
    return {
      actor: people[actor % people.length]!,
      other: people[other % people.length]!,
      pick: (list) => list[(remaining.pop() ?? 0) % Math.max(1, list.length)],
    };
  }

  /**
   * Runs checks 2 and 3: all followers read the feed, and their data is compared with full reads. Returns whether
   * `changes` has new rows.
   */
  private async follow(): Promise<boolean> {
    for (const person of this.answers.forget(await this.rows.take())) this.fullReads.delete(person);
    const [changes] = await this.server.sql<{ last: string }>('SELECT number_changes() AS last');
    const hasNewRows = changes!.last !== this.lastChangeNumber;
    this.lastChangeNumber = changes!.last;
    for (const person of this.followers.keys()) if (this.isBannedOrErased(person)) this.absentPeople.add(person);
    const following = [...this.followers].filter(([person]) => !this.isBannedOrErased(person));
    const hadEntries = await Promise.all(
      following.map(([person, follower]) =>
        this.withHistory(person, () => this.applyNewEntries(person, follower, hasNewRows)),
      ),
    );
    await Promise.all(
      following.map(([person, follower], n) =>
        this.withHistory(person, async () => {
          if (this.fullReads.has(person) && !hadEntries[n]) return;
          const full = this.fullReads.get(person) ?? (await follower.everything());
          this.fullReads.set(person, full);
          this.compare(person, follower.copy, full);
        }),
      ),
    );
    return hasNewRows;
  }

  /** Lets a follower apply the new entries of its person; returns whether there were new entries. */
  private async applyNewEntries(person: Person, follower: CopyingFollower, hasNewRows: boolean): Promise<boolean> {
    const wasAway = this.absentPeople.delete(person);
    // Without new rows in `changes`, only a person whose ban has ended can have new entries.
    if (!hasNewRows && !wasAway) return false;
    const { entries, cursor, hasMore } = await this.server.app
      .get(ChangesReader)
      .after({ id: person.userId, scopes: ['read'] }, follower.cursor, { types: null, limit: 1 });
    if (entries.length === 0 && !hasMore) {
      follower.cursor = cursor;
      return false;
    }
    const newEntries = await follower.follow(ENTRIES_A_PAGE, wasAway);
    this.history.push(
      `   ${person.slug} reads ${newEntries.map(({ type, subject }) => `${type} ${subject.id}`).join(', ')}`,
    );
    return true;
  }

  private async readAgain(person: Person): Promise<void> {
    if (this.isBannedOrErased(person)) return;
    const follower = this.followers.get(person)!;
    await this.withHistory(person, async () =>
      this.compare(person, follower.copy, await follower.everything((path) => injectedGet(this.server, person, path))),
    );
  }

  private isBannedOrErased(person: Person): boolean {
    return this.world.banned.has(person) || this.world.erased.has(person);
  }

  private withHistory<T>(person: Person, work: () => Promise<T>): Promise<T> {
    return work().catch((error: Error) => {
      throw this.errorWithHistory(person, error);
    });
  }

  private errorWithHistory({ slug }: Person, error: Error): Error {
    return new Error(`${slug}, after\n${this.history.join('\n')}\n${error.message}`, { cause: error });
  }

  private compare(person: Person, copy: DataCopy, full: DataCopy): void {
    // The common case is fast: both sides contain the same stored response objects, so no field is compared.
    if (copy.size === full.size && [...full].every(([name, body]) => isDeepStrictEqual(copy.get(name), body))) return;
    const blockers = new Set(
      this.world.blocks.flatMap(({ blocker, blocked }) => (blocked === person ? [blocker.slug] : [])),
    );
    expect(withoutBlockedCanJoin(copy, blockers)).toEqual(withoutBlockedCanJoin(full, blockers));
  }
}

/** CHG-1: the feed does not report changes of `can_join` to people whom the organizer has blocked or unblocked. */
function withoutBlockedCanJoin(copy: DataCopy, blockers: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(
    [...copy].sort().map(([name, body]) => {
      const isBlocked = body?.viewer?.can_join !== undefined && blockers.has(body.organizer?.slug as string);
      return [name, isBlocked ? { ...body, viewer: { ...body.viewer, can_join: null } } : body];
    }),
  );
}
