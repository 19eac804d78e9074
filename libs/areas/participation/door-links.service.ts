import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { sliceOf, type Page, type PageQueryDto } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { hashSecret } from '#platform/text/hash-secret';
import { EventAccessPolicy } from '../events/event-access.policy';
import type { Caller } from '../identity/caller.reader';
import { mintSecret } from '../identity/token-secret.policy';
import type { CreateDoorLinkDto } from './door-link.dto';
import {
  doorLinkResource,
  doorLinkWithSecretResource,
  type DoorLinkResource,
  type DoorLinkWithSecretResource,
} from './door-link.resource';
import {
  COUNT_DOOR_LINKS,
  DELETE_DOOR_LINK,
  DOOR_LINKS,
  INSERT_DOOR_LINK,
  TOUCH_DOOR_LINK,
  type DoorLinkRow,
} from './door/door-link.query';

const { per_event, after_end } = LIMITS.door.links;

/**
 * Door links: helpers without an account use them to check people in. The organizer manages the links (DOOR-18 to
 * DOOR-24).
 */
@Injectable()
export class DoorLinksService {
  constructor(
    private readonly database: Database,
    private readonly access: EventAccessPolicy,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** The links of the event that have not expired, the oldest first. */
  async list(caller: Caller, eventId: number, input: Input<PageQueryDto>): Promise<Page<DoorLinkResource>> {
    await this.access.organized(this.database, eventId, caller.id);
    const slice = sliceOf(input.read());
    const listing = { list: DOOR_LINKS, total: COUNT_DOOR_LINKS };
    const links = await readPage<DoorLinkRow>(this.database, listing, [eventId, this.clock.now()], slice);
    return links.map((row) => doorLinkResource(row, this.wire));
  }

  /**
   * Creates a link, and returns it with its secret. Throws 409 `conflict` if the link would already be expired, and 409
   * `door_link_limit_reached` if the event already has 20 links that have not expired. Concurrent requests cannot
   * exceed this number.
   */
  async create(caller: Caller, eventId: number, input: Input<CreateDoorLinkDto>): Promise<DoorLinkWithSecretResource> {
    return this.database.transaction(async (tx) => {
      const { overAt } = await this.access.lockOrganized(tx, eventId, caller.id);
      const { name } = input.read();
      const now = this.clock.now();
      if (overAt.getTime() + after_end * 1000 <= now.getTime()) throw new Refusal('conflict');
      const [count] = await tx.rows<{ total: number }>(COUNT_DOOR_LINKS, [eventId, now]);
      if ((count?.total ?? 0) >= per_event) throw new Refusal('door_link_limit_reached');
      const token = mintSecret('door');
      const values = [eventId, name, hashSecret(token), caller.token.grantId, now];
      const [row] = await tx.rows<DoorLinkRow>(INSERT_DOOR_LINK, values);
      if (!row) throw new Refusal('not_found');
      return doorLinkWithSecretResource(row, token, this.wire);
    });
  }

  /** Deletes a link: the next request with the link is refused. Throws 404 if the event does not have this link. */
  async remove(caller: Caller, eventId: number, linkId: number): Promise<void> {
    await this.access.organized(this.database, eventId, caller.id);
    const deleted = await this.database.autocommit.rows(DELETE_DOOR_LINK, [eventId, linkId]);
    if (deleted.length === 0) throw new Refusal('not_found');
  }

  /** If the caller uses a door link, records this use, unless a use in the last five minutes is already recorded. */
  async recordUse({ token: { door } }: Caller): Promise<void> {
    if (!door) return;
    const now = this.clock.now();
    const before = new Date(now.getTime() - LIMITS.tokens.last_used_accuracy * 1000);
    await this.database.autocommit.rows(TOUCH_DOOR_LINK, [door.linkId, now, before]);
  }
}
