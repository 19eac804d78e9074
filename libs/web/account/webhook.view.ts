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
import { chosenIn, type ApiValues } from '../form/raw-fields';
import type { FormRefusal } from '../form/form-refusal';
import { shownValues } from '../form/shown-values';
import { errorsForPeople, formValues, type FormValues } from '../forms';
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

/** The result of the previous form, which the list shows. */
interface ListOutcome {
  /** Whether a webhook has been deleted. */
  readonly deleted?: boolean;
  readonly refusal?: FormRefusal;
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

  async list(member: Member, { deleted = false, refusal }: ListOutcome): Promise<View> {
    const say = translator(member.locale);
    const max = LIMITS.webhooks.per_account;
    const { values, chosenTypes, errors, refused } = sentForm(member, refusal);
    const { items } = await this.webhooks.list(member.caller, {});
    return view(
      'webhooks',
      {
        title: say('webhooks'),
        tab: 'api',
        deleted,
        key: keyFor(values ?? {}),
        values: values ?? {},
        chosenTypes: chosenTypes ?? [],
        errors,
        types: CHANGE_TYPES,
        webhooks: items.map((row) => webhookResource(row, this.wire)),
        eligible: this.isEligible(member),
        refused:
          refusal?.code === 'webhook_limit_reached'
            ? say('webhooks_full', { max })
            : refusal?.code === 'premium_required'
              ? say('webhooks_why_not')
              : refused,
        isAtLimit: items.length >= max,
        max,
      },
      refusal?.status,
    );
  }

  /** Throws 404 if the account has no such webhook. */
  async one(member: Member, request: FastifyRequest, id: number, refusal?: FormRefusal): Promise<View> {
    const row = await this.webhooks.find(member.caller, id);
    const query = request.query as Readonly<Record<string, unknown>>;
    const page = pageNumber(query.page);
    const deliveries = await this.deliveries.list(member.caller, id, () => ({ page, per_page: PER_PAGE }));
    const webhook = webhookResource(row, this.wire);
    const stored = shownOf(row);
    const { values, chosenTypes, errors, refused } = sentForm(member, refusal);
    const { hidden, labels, conflict } = shownValues(WEBHOOK, member, stored, refusal?.raw, refusal?.conflict);
    return view(
      'webhook',
      {
        title: translator(member.locale)('webhook'),
        about: { type: 'webhook', id },
        tab: 'api',
        webhook,
        types: CHANGE_TYPES,
        errors: conflict?.errors ?? errors,
        refused: conflict ? null : refused,
        labels,
        conflict,
        hidden,
        values: conflict?.values ?? values ?? stored,
        chosenTypes: conflict?.lists['types'] ?? chosenTypes ?? row.types ?? [],
        outcome: OUTCOMES.find((one) => one in query) ?? null,
        secret: takeSecret(request, `${WEBHOOKS_PAGE}/${webhook.id}`),
        deliveries: deliveries.items.map((delivery) => this.delivery(delivery, member)),
        neighbours: neighboursOf(`${WEBHOOKS_PAGE}/${webhook.id}`, deliveries),
      },
      refusal?.status,
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

/** The content of a refused form. */
interface SentForm {
  readonly values?: FormValues;
  readonly chosenTypes?: readonly string[];
  readonly errors: Readonly<Record<string, string>>;
  /** The reason, if the refusal concerns no field. */
  readonly refused: string | null;
}

/**
 * A 429 is shown at the field `url`, because this status means that the server cannot resolve the host name of the URL
 * at this moment.
 */
function sentForm({ locale }: Member, refusal?: FormRefusal): SentForm {
  if (!refusal) return { errors: {}, refused: null };
  const { code, text, raw } = refusal;
  const errors = code === 'too_many_requests' ? { url: text } : errorsForPeople(refusal.errors, locale);
  return {
    values: formValues(raw),
    chosenTypes: chosenIn(raw, 'types', CHANGE_TYPES),
    errors,
    refused: Object.keys(errors).length > 0 ? null : text,
  };
}
