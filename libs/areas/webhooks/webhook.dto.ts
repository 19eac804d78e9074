import { CHANGE_TYPES, type ChangeType } from '#contract/changes';
import { LIMITS } from '#contract/limits';
import { WEBHOOK_STATUSES, type WebhookStatus } from '#contract/vocabulary';
import { EnumField, EnumListField, TextField } from '#platform/http/fields';

const { webhooks } = LIMITS;
const TYPES = {
  min: 1,
  max: CHANGE_TYPES.length,
  nullable: true,
  description: 'the types of change that are sent; null: all',
} as const;

/** Body of POST /webhooks. */
export class CreateWebhookDto {
  @TextField({
    ...webhooks.url,
    required: true,
    description: 'a complete https address that is publicly reachable, without a user name or password',
  })
  url: string;

  @EnumListField(CHANGE_TYPES, TYPES)
  types?: ChangeType[] | null;

  @TextField({ ...webhooks.description, description: 'a note for the owner' })
  description?: string | null;
}

/** Body of PATCH /webhooks/{id}. */
export class UpdateWebhookDto {
  @TextField({ ...webhooks.url, nullable: false, description: 'as in POST /webhooks' })
  url?: string;

  @EnumListField(CHANGE_TYPES, TYPES)
  types?: ChangeType[] | null;

  @TextField({ ...webhooks.description, description: 'a note for the owner' })
  description?: string | null;

  @EnumField(WEBHOOK_STATUSES, {
    description:
      '`active` resumes a paused webhook: it sends the changes that happen from now on; /changes contains the changes during the pause',
  })
  status?: WebhookStatus;
}
