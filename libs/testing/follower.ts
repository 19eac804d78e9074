import { Feed, type Entry } from './feed';
import type { Person } from './people';
import type { GetResult } from './injected-get';

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- a follower stores any response */
type Body = any;

/** A follower's copy of the data: responses by name, such as `event X`, `event X comments`, `group Y members`. */
export type DataCopy = Map<string, Body>;

/** The last segment of a path below an event, such as `/events/{id}/comments`. */
type PartOfEvent = 'comments' | 'photos' | 'itinerary' | 'expenses' | 'participants' | 'tickets';
/** The participation states in which a person sees a private event. */
const PRIVATE_EVENT_STATES: ReadonlySet<string | null> = new Set(['confirmed', 'pending', 'waitlisted', 'requested']);

/** Sends a GET request. `path` is the part of the address after /api/v1. */
export type Get = (path: string) => Promise<GetResult>;
/** Objects of these kinds are stored in the copy under their kind and id, such as `event X`. */
const KINDS_WITH_OWN_NAME: ReadonlySet<string> = new Set(['event', 'group', 'post', 'series']);
/** Matches the paths of lists that are read in pages of 100 items, which is the maximum. */
const LONG_LISTS = /^\/(?:notices|groups\/\w+\/members)$/;

/**
 * A client that follows the feed to keep a copy of all data that concerns its account. It reads the subject of each
 * entry, and deletes subjects that no longer exist. `everything` reads all data again, to get the expected state.
 */
export class CopyingFollower {
  copy: DataCopy = new Map();
  /** Names of the responses that the current call of `follow` has already read. */
  private readonly readNames = new Set<string>();

  private constructor(
    private readonly person: Person,
    private readonly feed: Feed,
    private readonly get: Get,
  ) {}

  /** A follower for a new person without any relations. `get` sends its requests. */
  static async ofNewcomer(person: Person, get: Get): Promise<CopyingFollower> {
    return new CopyingFollower(person, await Feed.of(person), get);
  }

  /** The position in the feed. It may be set to a later position if no entries are between the two positions. */
  get cursor(): string {
    return this.feed.cursor;
  }

  set cursor(later: string) {
    this.feed.cursor = later;
  }

  /**
   * Reads all new entries of the feed, and then the subject of each entry, each subject once. Returns the entries.
   * Throws for an entry about an object that the follower may not read, and for an entry that reports an object as gone
   * and contains the actor (`by`). If `wasAway` is false, also throws for an entry that reports an event, group, post
   * or series as gone although `copy` does not contain it. If `wasAway` is true, such an entry is allowed, because the
   * object may have been created and deleted in the meantime.
   */
  async follow(limit = 100, wasAway = false): Promise<readonly Entry[]> {
    const entries = await this.feed.newEntries(`&limit=${limit}`);
    this.readNames.clear();
    const requestedPaths = new Set<string>();
    for (const entry of entries) {
      const path = new URL(entry.subject.url).pathname.slice('/api/v1'.length);
      // A `.gone` entry is about an object that the follower can no longer see, so the entry must not contain an actor.
      if (entry.type.endsWith('.gone')) {
        if (entry.by !== null)
          throw new Error(
            `${this.person.slug} receives an entry with an actor about an invisible object: ${JSON.stringify(entry)}`,
          );
        const name = `${entry.subject.type} ${entry.subject.id}`;
        if (KINDS_WITH_OWN_NAME.has(entry.subject.type) && !wasAway && !this.copy.has(name))
          throw new Error(
            `${this.person.slug} receives an entry about an object that was never visible: ${JSON.stringify(entry)}`,
          );
      } else if (!requestedPaths.has(path)) {
        requestedPaths.add(path);
        const { status } = await this.get(LONG_LISTS.test(path) ? `${path}?per_page=100` : path);
        if (status !== 200)
          throw new Error(
            `${this.person.slug} receives an entry whose address answers ${status}: ${JSON.stringify(entry)}`,
          );
      }
      await this.apply(entry);
    }
    return entries;
  }

  /** Reads all data that concerns the account again, from lists and single objects, and returns it. */
  async everything(get: Get = this.get): Promise<DataCopy> {
    const reader = new CopyingFollower(this.person, this.feed, get);
    return reader.readEverything();
  }

  private async readEverything(): Promise<DataCopy> {
    const all: DataCopy = new Map();
    for (const relation of ['member', 'invited', 'requested']) {
      for (const { id } of await this.list(`/groups?relation=${relation}`)) await this.readGroup(all, id as string);
    }
    const ids = new Set<string>(
      [...all.values()].flatMap((body) => (Array.isArray(body?.events) ? (body.events as string[]) : [])),
    );
    const scoped = ['invited', 'waitlisted', 'requested'].flatMap((relation) => [
      `${relation}&scope=upcoming`,
      `${relation}&scope=past`,
    ]);
    for (const relation of ['organizing', 'joined', ...scoped]) {
      for (const { id } of await this.list(`/events?relation=${relation}`)) ids.add(id as string);
    }
    for (const id of ids) await this.readEvent(all, id);
    for (const { slug } of await this.list('/posts')) await this.readPost(all, slug as string);
    for (const { id } of await this.list('/series')) await this.readSeries(all, id as string);
    await this.readNotices(all);
    return all;
  }

  private async apply({ type, subject }: Entry): Promise<void> {
    const [kind, action] = type.split('.') as [string, string];
    const parent = /\/(?:events|groups|posts)\/([^/]+)/.exec(new URL(subject.url).pathname)?.[1] ?? '';
    if (type === 'event.gone') return this.dropEvent(subject.id);
    if (type === 'group.gone') return this.dropGroup(subject.id);
    if (type === 'post.gone') return this.drop(`post ${subject.id}`);
    if (type === 'series.gone') return this.drop(`series ${subject.id}`);
    if (kind === 'event') return this.rereadEvent(subject.id);
    if (kind === 'participant') return this.rereadEvent(parent);
    if (kind === 'group' || kind === 'member') return this.rereadGroup(kind === 'group' ? subject.id : parent);
    if (kind === 'post') return this.readOnce(`post ${subject.id}`, () => this.readPost(this.copy, subject.id));
    if (kind === 'comment' && subject.url.includes('/posts/'))
      return this.readOnce(`post ${parent}`, () => this.readPost(this.copy, parent));
    if (kind === 'notice') return this.readOnce('notices', () => this.readNotices(this.copy));
    if (kind === 'series') return this.readOnce(`series ${subject.id}`, () => this.readSeries(this.copy, subject.id));
    const part = (
      {
        comment: 'comments',
        photo: 'photos',
        itinerary: 'itinerary',
        expense: 'expenses',
        ticket: 'tickets',
      } as Record<string, PartOfEvent>
    )[kind];
    if (!part) throw new Error(`unknown type of entry: ${kind}.${action}`);
    if (!this.readNames.has(`event ${parent}`))
      await this.readOnce(`event ${parent} ${part}`, () => this.readPart(this.copy, parent, part));
  }

  private async readOnce(name: string, read: () => Promise<void>): Promise<void> {
    if (this.readNames.has(name)) return;
    this.readNames.add(name);
    await read();
  }

  private rereadGroup(id: string): Promise<void> {
    return this.readOnce(`group ${id}`, async () => {
      const wasMember = this.copy.has(`group ${id} members`);
      await this.readGroup(this.copy, id);
      // A new member can see the events in which the group is interested.
      if (!wasMember) for (const event of this.groupEvents(id)) await this.rereadEvent(event);
    });
  }

  private rereadEvent(id: string): Promise<void> {
    return this.readOnce(`event ${id}`, async () => {
      await this.readEvent(this.copy, id);
      // Each stored list of a group's events may contain this event, so all these lists are read again.
      for (const key of [...this.copy.keys()])
        if (/^group \w+ events$/.test(key))
          await this.readOnce(key, () => this.readGroupEvents(this.copy, key.split(' ')[1] ?? ''));
    });
  }

  private dropEvent(id: string): void {
    this.drop(`event ${id}`);
    for (const [key, body] of this.copy) {
      if (/^group \w+ events$/.test(key))
        this.copy.set(key, { events: (body.events as string[]).filter((one) => one !== id) });
    }
  }

  /** Deletes the group, and the events that the follower sees only through this group. */
  private dropGroup(id: string): void {
    const events = this.groupEvents(id);
    this.drop(`group ${id}`);
    for (const event of events) {
      const stored = this.copy.get(`event ${event}`);
      // The event as its organizer gets it (`/events/{id}`) has no field `viewer`.
      const seesWithoutGroup =
        stored?.viewer === undefined || PRIVATE_EVENT_STATES.has(stored.viewer.participation as string | null);
      const isInOtherGroup = [...this.copy].some(
        ([key, body]) => /^group \w+ events$/.test(key) && (body.events as string[]).includes(event),
      );
      if (!seesWithoutGroup && !isInOtherGroup) this.drop(`event ${event}`);
    }
  }

  private groupEvents(id: string): string[] {
    return (this.copy.get(`group ${id} events`)?.events as string[] | undefined) ?? [];
  }

  private drop(name: string): void {
    this.dropFrom(this.copy, name);
    for (const key of this.readNames) if (key === name || key.startsWith(`${name} `)) this.readNames.delete(key);
  }

  private async readEvent(into: DataCopy, id: string): Promise<void> {
    const organizerResponse = await this.get(`/events/${id}`);
    const response = organizerResponse.status === 200 ? organizerResponse : await this.get(`/discover/events/${id}`);
    if (response.status !== 200) return this.dropFrom(into, `event ${id}`);
    const event = response.body.data;
    into.set(`event ${id}`, event);
    const isOwn = organizerResponse.status === 200;
    const takesPart = isOwn || event.viewer?.participation === 'confirmed';
    await this.readPart(into, id, 'comments');
    for (const part of ['photos', 'itinerary', 'expenses'] as const)
      await (takesPart ? this.readPart(into, id, part) : this.dropFrom(into, `event ${id} ${part}`));
    if (isOwn) for (const part of ['participants', 'tickets'] as const) await this.readPart(into, id, part);
  }

  private async readPart(into: DataCopy, id: string, part: PartOfEvent): Promise<void> {
    const { status, body } = await this.get(`/events/${id}/${part}`);
    if (status === 200) into.set(`event ${id} ${part}`, body.data);
    else this.dropFrom(into, `event ${id} ${part}`);
  }

  private async readGroup(into: DataCopy, id: string): Promise<void> {
    const { status, body } = await this.get(`/groups/${id}`);
    if (status !== 200) return this.dropFrom(into, `group ${id}`);
    into.set(`group ${id}`, body.data);
    const role = body.data.viewer.role as string | null;
    if (role !== 'owner' && role !== 'member') return;
    into.set(`group ${id} members`, await this.list(`/groups/${id}/members`));
    if (role === 'owner')
      for (const status of ['invited', 'requested'])
        into.set(`group ${id} ${status}`, await this.list(`/groups/${id}/members?status=${status}`));
    await this.readGroupEvents(into, id);
  }

  /**
   * If the follower can no longer read the group, the group's stored data is not deleted here: a later entry reports
   * the group as gone, and the follower then deletes the data.
   */
  private async readGroupEvents(into: DataCopy, id: string): Promise<void> {
    const { status, body } = await this.get(`/groups/${id}/events?per_page=100`);
    if (status === 200)
      into.set(`group ${id} events`, { events: (body.data as { id: string }[]).map((event) => event.id).sort() });
  }

  private async readPost(into: DataCopy, slug: string): Promise<void> {
    const { status, body } = await this.get(`/posts/${slug}`);
    if (status !== 200) return this.dropFrom(into, `post ${slug}`);
    into.set(`post ${slug}`, body.data);
    into.set(`post ${slug} comments`, (await this.get(`/posts/${slug}/comments`)).body?.data ?? null);
  }

  private async readSeries(into: DataCopy, id: string): Promise<void> {
    const { status, body } = await this.get(`/series/${id}`);
    if (status === 200) into.set(`series ${id}`, body.data);
    else this.dropFrom(into, `series ${id}`);
  }

  private async readNotices(into: DataCopy): Promise<void> {
    const notices = await this.list('/notices');
    if (notices.length > 0) into.set('notices', notices);
  }

  private dropFrom(copy: DataCopy, name: string): void {
    for (const key of [...copy.keys()]) if (key === name || key.startsWith(`${name} `)) copy.delete(key);
  }

  private async list(path: string): Promise<Body[]> {
    const { status, body } = await this.get(`${path}${path.includes('?') ? '&' : '?'}per_page=100`);
    return status === 200 ? (body.data as Body[]) : [];
  }
}
