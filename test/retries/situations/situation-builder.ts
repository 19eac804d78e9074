import type { ParticipationState } from '#contract/vocabulary';
import { buildEvent, type BuiltEvent, type EventOptions } from '#testing/builders';
import { buildGroup, type BuiltGroup } from '#testing/groups';
import type { Person } from '#testing/people';
import type { TestServer } from '#testing/test-server';

/**
 * A request that changes something. `status` is the status of the first response; a repetition of the request may get
 * another status.
 */
export interface Write {
  readonly who: Person;
  readonly method: string;
  readonly path: string;
  readonly json?: Record<string, unknown>;
  readonly form?: readonly (readonly [name: string, value: string | Buffer])[];
  readonly status: number;
}

/**
 * Creates a situation in which an operation succeeds, and returns the request for this operation. Each call creates new
 * people.
 */
export type SituationFactory = () => Promise<Write>;
/** For each operation id: the factory of its situation. */
export type SituationFactories = Readonly<Record<string, SituationFactory>>;

/** The body of POST /posts for a published post. */
export const NEW_POST = { title: 'Výlet', categories: ['mista'], body: '<p>Text</p>', status: 'published' };

/** Creates the people, events and other objects that exist at the beginning of a situation. */
export class SituationBuilder {
  constructor(
    readonly server: TestServer,
    readonly image: Buffer,
  ) {}

  someone(): Promise<Person> {
    return this.server.person('jana');
  }

  async event(options: EventOptions = {}): Promise<{ host: Person; event: BuiltEvent; path: string }> {
    const host = await this.someone();
    const event = await buildEvent(this.server, host, options);
    return { host, event, path: `/events/${event.id}` };
  }

  /** An event with a person in the given state of participation. */
  async eventWith(
    state: ParticipationState,
    options: EventOptions = {},
  ): Promise<{ host: Person; guest: Person; path: string }> {
    const guest = await this.someone();
    return { guest, ...(await this.event({ ...options, with: [[guest, state]] })) };
  }

  async group(): Promise<{ host: Person; group: BuiltGroup; path: string }> {
    const host = await this.someone();
    const group = await buildGroup(this.server, host);
    return { host, group, path: `/groups/${group.id}` };
  }

  async post(): Promise<{ who: Person; path: string }> {
    const who = await this.someone();
    return { who, path: `/posts/${(await who.api.post('/posts', NEW_POST)).body.data.slug as string}` };
  }

  async images(host: Person, path: string): Promise<string[]> {
    const blob = new Blob([new Uint8Array(this.image)]);
    const { body } = await host.api.upload(`${path}/images`, [
      ['images[]', blob, 'a.png'],
      ['images[]', blob, 'b.png'],
    ]);
    return (body.data as { id: string }[]).map(({ id }) => id);
  }
}
