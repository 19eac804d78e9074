import { Injectable } from '@nestjs/common';
import { EventAccessPolicy, type EventRelation } from '#areas/events/event-access.policy';
import { EventForViewerReader, type EventState } from '#areas/participation/event-for-viewer.reader';
import type { DiscoverEventResource } from '#areas/participation/event-for-viewer.resource';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import type { Reader } from '../readers';

/** Reads events for the pages, but only events that the reader of the page may see. */
@Injectable()
export class VisibleEvents {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly events: EventForViewerReader,
    private readonly wire: WireFormat,
  ) {}

  /** Throws 404 if the event does not exist or this reader may not see it, and 403 if the reader is banned from it. */
  async event(hashid: string, { caller }: Reader): Promise<{ eventId: number; event: DiscoverEventResource }> {
    const eventId = this.wire.ids.decode('event', hashid);
    if (eventId === null) throw new Refusal('not_found');
    return { eventId, event: await this.events.show(this.database, caller, eventId) };
  }

  /**
   * Throws like `event`. Returns the reader's relation to the event, and the state of the event for the reader
   * (`state.event` is the event).
   */
  async stateFor(hashid: string, { caller }: Reader): Promise<{ relation: EventRelation; state: EventState }> {
    const eventId = this.wire.ids.decode('event', hashid);
    if (eventId === null) throw new Refusal('not_found');
    const relation = await this.access.visible(this.database, eventId, caller.id);
    return { relation, state: await this.events.stateFor(this.database, caller, eventId) };
  }

  /** Returns the title of an event; null without an id, or if the reader may not see the event. */
  async title(hashid: string | null, reader: Reader): Promise<string | null> {
    if (hashid === null) return null;
    try {
      return (await this.event(hashid, reader)).event.title;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }
}
