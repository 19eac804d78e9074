import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CHANGE_SUBJECTS, CHANGE_TYPES, type ChangeSubject, type ChangeType } from '#contract/changes';
import { PersonResource } from '../identity/person.resource';

/** The thing that a change is about. */
export class ChangeSubjectResource {
  /** what kind of thing changed */
  @ApiProperty({ enum: CHANGE_SUBJECTS })
  type: ChangeSubject;

  /** as in paths: a hashid; of posts, participants and members a slug, of a ticket its code, of an itinerary its event */
  id: string;

  /** the address in this API by which the caller reads it, or the list it stands in; kept when it is gone */
  @ApiProperty({ format: 'uri' })
  url: string;

  /** the event that the thing is or belongs to */
  @ApiProperty({ type: 'string', nullable: true })
  event: string | null;

  /** the slug of the participant or member */
  @ApiProperty({ type: 'string', nullable: true })
  user: string | null;
}

/** A change (CHG-2). */
export class ChangeResource {
  /** the same for every reader, on pages, streams and webhooks */
  id: string;

  /** the place in the feed right after it */
  cursor: string;

  /** when the change was made */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /** what happened; /docs/changes describes every type */
  @ApiProperty({ enum: CHANGE_TYPES })
  type: ChangeType;

  /** the thing that changed */
  subject: ChangeSubjectResource;

  /** null: an operator, the service itself, or not to be shown */
  @ApiProperty({ type: PersonResource, nullable: true })
  by: PersonResource | null;

  /** with `include=subject` only: what a GET of `subject.url` shows you now, of a list its item; null when it is gone */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true })
  object?: object | null;
}
