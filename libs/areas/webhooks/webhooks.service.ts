import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { webhookScopes, scopesOfManagedWebhooks } from '#contract/scopes';
import { Sealer } from '#platform/config/sealer';
import { Database, type Transaction } from '#platform/database/database';
import { defined } from '#platform/http/defined';
import { firstOrNotFound } from '#platform/http/first-or-not-found';
import { sliceOf, type Page, type PageQueryDto } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { refuseTooManyLookups } from '#platform/http/too-many-lookups';
import { HostNames } from '#platform/net/host-names';
import { Clock } from '#platform/time/clock';
import { ChangesReader } from '../changes/changes.reader';
import type { Caller } from '../identity/caller.reader';
import { lockAccount } from '../identity/users.reader';
import type { CreateWebhookDto, UpdateWebhookDto } from './webhook.dto';
import { newWebhookSecret } from './webhook-message';
import {
  COUNT_MANAGED,
  DELETE_WEBHOOK,
  CONTINUE_FROM,
  INSERT_WEBHOOK,
  LOCK_WEBHOOK,
  ROTATE_SECRET,
  UPDATE_WEBHOOK,
  WEBHOOK,
  WEBHOOKS,
  type WebhookRow,
} from './webhook.query';
import { WebhooksReader } from './webhooks.reader';

/** A webhook with its new secret. The database stores the secret only encrypted. */
export interface WebhookWithSecret {
  readonly webhook: WebhookRow;
  readonly secret: string;
}

/**
 * The caller's webhooks (HOOK-1 to HOOK-5). Methods with an `id` throw 404 if the webhook does not exist, belongs to
 * another account, or has more scopes than the caller's token (SCOPE-6).
 */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly database: Database,
    private readonly changes: ChangesReader,
    private readonly reader: WebhooksReader,
    private readonly names: HostNames,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** The caller's webhooks that the caller's token may manage, the oldest first. */
  list(caller: Caller, query: PageQueryDto): Promise<Page<WebhookRow>> {
    return readPage(this.database, { list: WEBHOOKS, total: COUNT_MANAGED }, managedBy(caller), sliceOf(query));
  }

  /** One webhook of the caller. */
  async find(caller: Caller, id: number): Promise<WebhookRow> {
    return firstOrNotFound(await this.database.rows<WebhookRow>(WEBHOOK, [...managedBy(caller), id]));
  }

  /**
   * Creates a webhook, which sends the changes of its types and scopes that happen from now on. Throws 422 on `url` if
   * the service must not connect to the address, or if its host name does not resolve. Throws 429 if too many host
   * names are being resolved for the account, ServiceBusy if too many are being resolved for all accounts, and 409 if
   * the account already has the maximum number of webhooks.
   */
  async create(
    caller: Caller,
    { url, types = null, description = null }: CreateWebhookDto,
  ): Promise<WebhookWithSecret> {
    const { id: userId, token } = caller;
    await this.refuseUnreachable(userId, url);
    const secret = newWebhookSecret();
    // The current position in the feed is read before the transaction, because reading it inside the transaction would
    // need a second connection for the same request.
    const from = await this.changes.endCursor();
    return this.database.transaction(async (tx) => {
      await lockAccount(tx, userId);
      if ((await this.reader.usage(tx, userId)).used >= LIMITS.webhooks.per_account)
        throw new Refusal('webhook_limit_reached');
      const values = [
        userId,
        url,
        types && distinct(types),
        description,
        this.sealer.seal(secret),
        from,
        this.clock.now(),
        webhookScopes(token.scopes),
        token.grantId,
      ];
      return { webhook: firstOrNotFound(await tx.rows<WebhookRow>(INSERT_WEBHOOK, values)), secret };
    });
  }

  /**
   * Changes a webhook. A paused webhook that becomes active sends only changes that happen from now on. Throws 404 for
   * an unknown webhook before `read` validates the body. For a new `url`, throws the same errors about the address and
   * its host name as `create`.
   */
  async update(
    caller: Caller,
    id: number,
    read: () => UpdateWebhookDto | Promise<UpdateWebhookDto>,
    check?: (webhook: WebhookRow) => void,
  ): Promise<WebhookRow> {
    const before = await this.find(caller, id);
    const wanted = await read();
    if (wanted.url !== undefined && wanted.url !== before.url) await this.refuseUnreachable(caller.id, wanted.url);
    const from = wanted.status === 'active' ? await this.changes.endCursor() : null;
    return this.database.transaction(async (tx) => {
      const webhook = await this.lock(tx, caller, id);
      check?.(webhook);
      const changed = { ...webhook, ...defined(wanted), ...(wanted.types && { types: distinct(wanted.types) }) };
      if (isSame(webhook, changed)) return webhook;
      if (from !== null && webhook.status === 'paused') await tx.rows(CONTINUE_FROM, [id, from, this.clock.now()]);
      return firstOrNotFound(
        await tx.rows<WebhookRow>(UPDATE_WEBHOOK, [
          id,
          changed.url,
          changed.types,
          changed.description,
          changed.status,
          this.clock.now(),
        ]),
      );
    });
  }

  async remove(caller: Caller, id: number): Promise<void> {
    firstOrNotFound(await this.database.autocommit.rows<{ id: string }>(DELETE_WEBHOOK, [...managedBy(caller), id]));
  }

  /** Replaces the secret of a webhook. For one day, messages are also signed with the replaced secret. */
  async rotate(caller: Caller, id: number): Promise<WebhookWithSecret> {
    const secret = newWebhookSecret();
    return this.database.transaction(async (tx) => {
      await this.lock(tx, caller, id);
      return {
        webhook: firstOrNotFound(
          await tx.rows<WebhookRow>(ROTATE_SECRET, [id, this.sealer.seal(secret), this.clock.now()]),
        ),
        secret,
      };
    });
  }

  async lock(tx: Transaction, caller: Caller, id: number): Promise<WebhookRow> {
    return firstOrNotFound(await tx.rows<WebhookRow>(LOCK_WEBHOOK, [...managedBy(caller), id]));
  }

  private async refuseUnreachable(userId: number, url: string): Promise<void> {
    const reachable = await this.names.reachable(userId, url).catch(refuseTooManyLookups);
    if (!reachable) throw Refusal.invalid('url', 'url_unreachable');
  }
}

/** The parameters $1 and $2 of statements about webhooks that a token may manage (`MANAGED`). */
function managedBy({ id, token }: Caller): unknown[] {
  return [id, scopesOfManagedWebhooks(token.scopes)];
}

function isSame(one: WebhookRow, other: WebhookRow): boolean {
  const summary = ({ url, types, description, status }: WebhookRow): string =>
    JSON.stringify([url, types, description, status]);
  return summary(one) === summary(other);
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
