import { CHANGE_TYPES, type ChangeType } from '#contract/changes';
import { LIMITS } from '#contract/limits';
import { WEBHOOK_STATUSES, type WebhookStatus } from '#contract/vocabulary';
import { EnumField, EnumListField, TextField } from '#platform/http/fields';

const { webhooks } = LIMITS;
const TYPES = { min: 1, max: CHANGE_TYPES.length, nullable: true, description: 'what is sent; all when null' } as const;

/** Body of POST /webhooks. */
export class CreateWebhookDto {
  @TextField({
    ...webhooks.url,
    required: true,
    description: 'a whole https address that is open to the world, without a login',
  })
  url: string;

  @EnumListField(CHANGE_TYPES, TYPES)
  types?: ChangeType[] | null;

  @TextField({ ...webhooks.description, description: 'a note for the owner' })
  description?: string | null;
}

/** Body of PATCH /webhooks/{id}. */
export class UpdateWebhookDto {
  @TextField({ ...webhooks.url, nullable: false, description: 'as when it is created' })
  url?: string;

  @EnumListField(CHANGE_TYPES, TYPES)
  types?: ChangeType[] | null;

  @TextField({ ...webhooks.description, description: 'a note for the owner' })
  description?: string | null;

  @EnumField(WEBHOOK_STATUSES, { description: '`active` goes on from now: what happened meanwhile is in /changes' })
  status?: WebhookStatus;
}
