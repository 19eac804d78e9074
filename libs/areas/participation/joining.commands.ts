import { Injectable } from '@nestjs/common';
import type { ViewerParticipation } from '#contract/vocabulary';
import { Input } from '#platform/http/input';
import type { Caller } from '../identity/caller.reader';
import { JoinDto } from './joining/join.dto';
import { JoinService } from './joining/join.service';
import type { State } from './record/participation.transitions';

/** A person's own actions on an event, for the forms of the web pages. The refusals are the same as in the API. */
@Injectable()
export class JoiningCommands {
  constructor(private readonly joining: JoinService) {}

  /**
   * Joins, accepts an invitation or an offer, or sends a request. Returns the resulting participation. `fields`
   * contains null for an empty field of the form.
   */
  async join(
    caller: Caller,
    eventId: number,
    fields: { readonly password: string | null; readonly ticket_code: string | null },
  ): Promise<ViewerParticipation | null> {
    const { viewer } = await this.joining.join(caller, eventId, await Input.of(JoinDto, fields, 'text'));
    return viewer.participation;
  }

  /**
   * Leaves the event or its waitlist, declines an invitation or an offer, or cancels a request to join. Returns the
   * former state.
   */
  leave(caller: Caller, eventId: number): Promise<State> {
    return this.joining.leave(caller, eventId);
  }

  /** Joins the waitlist of a full event. */
  async joinWaitlist(caller: Caller, eventId: number): Promise<void> {
    await this.joining.waitlist(caller, eventId);
  }
}
