import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CHANGE_SUBJECTS, CHANGE_TYPES, type ChangeSubject, type ChangeType } from '#contract/changes';
import { PersonResource } from '../identity/person.resource';

/** The thing that a change is about. */
export class ChangeSubjectResource {
  /** what kind of thing changed */
  @ApiProperty({ enum: CHANGE_SUBJECTS })
  type: ChangeSubject;

  /**
   * the id as in paths. For posts, participants and members: the slug; for a ticket: its code; for an itinerary: the
   * hashid of its event; for all others: the hashid
   */
  id: string;

  /**
   * the address at which the caller reads the thing, or the address of the list that contains the thing; also set after
   * a deletion. A person who is invited to a group, or has asked to join it, is in the list of members only with
   * `status=invited` or `status=requested`
   */
  @ApiProperty({ format: 'uri' })
  url: string;

  /**
   * the hashid of the event to which the thing belongs, or of the thing itself if it is an event; null if there is no
   * event
   */
  @ApiProperty({ type: 'string', nullable: true })
  event: string | null;

  /**
   * the hashid of the group; null unless the thing is a group, a member, or an event in the list of a group's events
   * (for such an event, `url` is the address of this list)
   */
  @ApiProperty({ type: 'string', nullable: true })
  group: string | null;

  /** the slug of the post if the thing is a post or a comment on a post; otherwise null */
  @ApiProperty({ type: 'string', nullable: true })
  post: string | null;

  /** the slug of the person if the thing is a participant or a member; otherwise null */
  @ApiProperty({ type: 'string', nullable: true })
  user: string | null;
}

/** A change (CHG-2). */
export class ChangeResource {
  /** the same for every reader, and the same in lists, streams and webhooks */
  id: string;

  /** the position in the feed right after this entry */
  cursor: string;

  /** when the change was made */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /** what happened; /docs/changes describes every type */
  @ApiProperty({ enum: CHANGE_TYPES })
  type: ChangeType;

  /** the thing that changed */
  subject: ChangeSubjectResource;

  /** null for an operator, for the service itself, or if the account must not be shown */
  @ApiProperty({ type: PersonResource, nullable: true })
  by: PersonResource | null;

  /** with `include=subject` only: what a GET of `subject.url` returns now, or only the item if `subject.url` is a list; null if the subject no longer exists */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, nullable: true })
  object?: object | null;
}
