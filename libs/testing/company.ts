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

/** Somebody's deed: the numbers stand for people and choices, whoever and whatever there is by then. */
export interface Step {
  readonly deed: string;
  readonly actor: number;
  readonly other: number;
  readonly choices: readonly number[];
}

/** Pages as small as this, so that there is often a next one. */
const ENTRIES_A_PAGE = 3;

/**
 * People who do things, each with a follower of their feed, and what is held against what after every step:
 *
 * 1. What was refused, and a personal block, has written nothing to the log.
 * 2. Everybody's feed is read to its end. Whether there is anything for them says the feed's own reader, which costs a fifth; what there is, is
 *    read over HTTP, page by page, and applied. Each entry's address must answer 200, an end must be of something held.
 * 3. Everybody's holdings are compared with full reads, whole, but for `can_join` where the organizer has blocked them once. Full reads are remembered answers (remembered-answers.ts): of the people and things
 *    of which a row was written, whatever the log says, they are asked for now; of the rest they are those of an earlier step.
 *
 * At the end of a sequence some people, in turn, read everything anew, and must still hold the same.
 * Left out is whoever is banned (they read nothing meanwhile, and go on where they were) and who has gone for good.
 */
export class Company {
  /** Sequences lived through. */
  sequences = 0;
  private readonly followers = new Map<Person, HoldingFollower>();
  /** What full reads show, of whom nothing was written since. */
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

  /** So many people who know of nothing, then something of everything between them. */
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

  /** @param rereads how many people read everything anew at the end */
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

  /** → whether they were told anything */
  private async tell(person: Person, follower: HoldingFollower, isLogged: boolean): Promise<boolean> {
    const wasAway = this.away.delete(person);
    // Without a row in the log there is nothing for anybody who was there before.
    if (!isLogged && !wasAway) return false;
    const { entries, cursor, hasMore } = await this.server.app
      .get(ChangesReader)
      .after({ id: person.userId }, follower.cursor, { types: null, limit: 1 });
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
    // Answers that are remembered are the same objects: what is equal is seen at once.
    if (held.size === full.size && [...full].every(([name, body]) => isDeepStrictEqual(held.get(name), body))) return;
    const blockers = new Set(
      this.world.blocks.flatMap(({ blocker, blocked }) => (blocked === person ? [blocker.slug] : [])),
    );
    expect(plain(held, blockers)).toEqual(plain(full, blockers));
  }
}

/** CHG-1: whether one may join an event is told to nobody whom its organizer has blocked or blocks no more. */
function plain(held: Held, blockers: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(
    [...held].sort().map(([name, body]) => {
      const isBlocked = body?.viewer?.can_join !== undefined && blockers.has(body.organizer?.slug as string);
      return [name, isBlocked ? { ...body, viewer: { ...body.viewer, can_join: null } } : body];
    }),
  );
}
