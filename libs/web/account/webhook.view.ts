import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { mayUseTokens } from '#areas/identity/user.policy';
import { DeliveriesService } from '#areas/webhooks/deliveries.service';
import type { DeliveryRow, WebhookRow } from '#areas/webhooks/webhook.query';
import { deliveryResource, webhookResource } from '#areas/webhooks/webhook.resource';
import { WebhooksService } from '#areas/webhooks/webhooks.service';
import { CHANGE_TYPES } from '#contract/changes';
import { LIMITS } from '#contract/limits';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { keyFor } from '../form/form-keys';
import { choices, plainForm, text } from '../form/plan';
import { rawFields, type ApiValues } from '../form/raw-fields';
import type { FormConflict } from '../form/form-precondition';
import { shownValues } from '../form/shown-values';
import type { FormValues } from '../forms';
import { localTime } from '../local-time';
import type { Member } from '../page.decorators';
import { neighboursOf, pageNumber } from '../listing';
import { takeSecret } from '../session';
import { translator } from '../texts';
import { view, type View } from '../view';

export const WEBHOOKS_PAGE = '/account/api/webhooks';
const PER_PAGE = 20;

/**
 * The fields of the form. A hidden field contains the values that the form showed, so that changes by another request
 * are detected (PAGE-97).
 */
export const WEBHOOK = plainForm(
  'webhook',
  text('url', 'webhook_url'),
  text('description', 'webhook_description'),
  choices(
    'types',
    'webhook_types',
    CHANGE_TYPES.map((value) => ({ value, name: value })),
  ),
);

/** The values that the form shows. The types are in the order of the boxes. */
export function shownOf({ url, description, types }: WebhookRow): ApiValues {
  return { url, description, types: CHANGE_TYPES.filter((type) => types?.includes(type)) };
}

const OUTCOMES = ['saved', 'tested', 'paused', 'active', 'sent'] as const;

/** The result of the previous form, which the page shows. */
interface FormResult {
  /** Whether a webhook has been deleted. */
  readonly deleted?: boolean;
  /** Whether a new webhook was refused because the account has the maximum number of webhooks. */
  readonly isRefusedAtLimit?: boolean;
  readonly values?: FormValues;
  readonly chosenTypes?: readonly string[];
  readonly errors?: Readonly<Record<string, string>>;
  /** The refusal of a form whose values were outdated. */
  readonly conflict?: FormConflict;
}

/** Creates the pages of webhooks. */
@Injectable()
export class WebhookView {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether the member may create webhooks: only if the account may have tokens, because the service sends nothing to
   * the webhooks of other accounts.
   */
  isEligible({ user }: Member): boolean {
    return mayUseTokens(user, this.clock.now());
  }

  async list(
    member: Member,
    { deleted = false, isRefusedAtLimit = false, values = {}, chosenTypes = [], errors = {} }: FormResult,
    status = 200,
  ): Promise<View> {
    const { items } = await this.webhooks.list(member.caller, {});
    return view(
      'webhooks',
      {
        title: translator(member.locale)('webhooks'),
        tab: 'api',
        deleted,
        isRefusedAtLimit,
        key: keyFor(values),
        values,
        chosenTypes,
        errors,
        types: CHANGE_TYPES,
        webhooks: items.map((row) => webhookResource(row, this.wire)),
        eligible: this.isEligible(member),
        refused: status >= 400,
        isAtLimit: items.length >= LIMITS.webhooks.per_account,
        max: LIMITS.webhooks.per_account,
      },
      status,
    );
  }

  /** Throws 404 if the account has no such webhook. */
  async one(
    member: Member,
    request: FastifyRequest,
    id: number,
    { values, chosenTypes, errors = {}, conflict: refusal }: FormResult = {},
    status = 200,
  ): Promise<View> {
    const row = await this.webhooks.find(member.caller, id);
    const query = request.query as Readonly<Record<string, unknown>>;
    const page = pageNumber(query.page);
    const deliveries = await this.deliveries.list(member.caller, id, () => ({ page, per_page: PER_PAGE }));
    const webhook = webhookResource(row, this.wire);
    const stored = shownOf(row);
    const { hidden, labels, conflict } = shownValues(WEBHOOK, member, stored, rawFields(request.body), refusal);
    return view(
      'webhook',
      {
        title: translator(member.locale)('webhook'),
        about: { type: 'webhook', id },
        tab: 'api',
        webhook,
        types: CHANGE_TYPES,
        errors: conflict?.errors ?? errors,
        labels,
        conflict,
        hidden,
        values: conflict?.values ?? values ?? stored,
        chosenTypes: conflict?.lists['types'] ?? chosenTypes ?? row.types ?? [],
        outcome: OUTCOMES.find((one) => one in query) ?? null,
        secret: takeSecret(request, webhook.id),
        deliveries: deliveries.items.map((delivery) => this.delivery(delivery, member)),
        neighbours: neighboursOf(`${WEBHOOKS_PAGE}/${webhook.id}`, deliveries),
      },
      status,
    );
  }

  /** Throws 404 if the account has no such webhook. */
  async askToDelete(member: Member, id: number): Promise<View> {
    const webhook = webhookResource(await this.webhooks.find(member.caller, id), this.wire);
    return view('webhook-delete', {
      title: translator(member.locale)('webhook_delete'),
      tab: 'api',
      webhook,
    });
  }

  private delivery(row: DeliveryRow, member: Member): object {
    const { id, change, status, attempts, last_status, last_ms } = deliveryResource(row, this.wire);
    return {
      id,
      type: change.type,
      status,
      attempts,
      lastStatus: last_status,
      lastMs: last_ms,
      at: localTime(member, row.created_at),
      next: row.next_attempt_at && localTime(member, row.next_attempt_at),
    };
  }
}
