import { ApiProperty } from '@nestjs/swagger';
import { MESSAGE_AUDIENCES, type MessageAudience } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';

/** The columns that `messageResource` needs. */
export interface MessageRow {
  readonly id: string;
  readonly text: string;
  readonly sent_to: MessageAudience;
  readonly recipients: number;
  readonly created_at: Date;
}

/** A message of an organizer to the people of an event (MSG-1). */
export class MessageResource {
  /** hashid */
  id: string;

  /** plain text */
  text: string;

  /** the people to whom the message was sent */
  @ApiProperty({ enum: MESSAGE_AUDIENCES })
  to: MessageAudience;

  /** how many people got the message */
  @ApiProperty({ type: 'integer' })
  recipients: number;

  /** when the message was sent */
  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

export function messageResource(
  { id, text, sent_to, recipients, created_at }: MessageRow,
  wire: WireFormat,
): MessageResource {
  return { id: wire.id('message', id), text, to: sent_to, recipients, created_at: toWire(created_at) };
}
