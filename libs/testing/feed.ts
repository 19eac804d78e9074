import type { Person } from './people';

/** An entry of GET /changes. */
export interface Entry {
  readonly id: string;
  readonly cursor: string;
  readonly at: string;
  readonly type: string;
  readonly subject: {
    readonly type: string;
    readonly id: string;
    readonly url: string;
    readonly event: string | null;
    readonly group: string | null;
    readonly post: string | null;
    readonly user: string | null;
  };
  readonly by: { readonly slug: string } | null;
}

/** The entries of GET /changes for one person, read from a stored cursor on. */
export class Feed {
  private constructor(
    readonly person: Person,
    public cursor: string,
  ) {}

  /** Creates a feed that begins after the latest entry. */
  static async of(person: Person): Promise<Feed> {
    const { status, body } = await person.api.get('/changes');
    if (status !== 200) throw new Error(`no feed: ${status} ${JSON.stringify(body)}`);
    return new Feed(person, (body as { meta: { cursor: string } }).meta.cursor);
  }

  static all(...people: Person[]): Promise<Feed[]> {
    return Promise.all(people.map((person) => Feed.of(person)));
  }

  /**
   * Returns all entries since the last call of this method or of `summaries`, fetched page by page. The first call
   * returns the entries since the call of `of`. `query` contains further parameters, for example `&limit=2`.
   */
  async newEntries(query = ''): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (;;) {
      const { status, body } = await this.person.api.get(`/changes?cursor=${this.cursor}${query}`);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      const { data, meta } = body as { data: Entry[]; meta: { cursor: string; has_more: boolean } };
      entries.push(...data);
      this.cursor = meta.cursor;
      if (!meta.has_more) return entries;
    }
  }

  /**
   * Like `newEntries`, but without the entries about notices, and with each entry as a short text: type, subject, and
   * actor or `-`. For example: `event.updated gYwKqVxB jana-1a2b`.
   */
  async summaries(query = ''): Promise<string[]> {
    return (await this.newEntries(query))
      .filter(({ subject }) => subject.type !== 'notice')
      .map(({ type, subject, by }) => `${type} ${subject.id} ${by === null ? '-' : by.slug}`);
  }
}
