import { LIMITS } from '#contract/limits';
import { MESSAGE_AUDIENCES, type MessageAudience } from '#contract/vocabulary';
import { EnumField, TitleField } from '#platform/http/fields';

/** Body of POST /events/{id}/messages (MSG-1). */
export class SendMessageDto {
  @TitleField({ ...LIMITS.messages.text, required: true, description: 'plain text' })
  text: string;

  @EnumField(MESSAGE_AUDIENCES, {
    required: true,
    description:
      'the people who get the message; `all` means the people of the other three values; invited people never get the message',
  })
  to: MessageAudience;
}
