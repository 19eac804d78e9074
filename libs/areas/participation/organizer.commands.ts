import { Injectable } from '@nestjs/common';
import type { ParticipationState } from '#contract/vocabulary';
import { Input } from '#platform/http/input';
import { PageQueryDto, type Page } from '#platform/http/page';
import type { Caller } from '../identity/caller.reader';
import { CheckInDto } from './organizing/check-in.dto';
import type { ParticipantResource } from './organizing/participant.resource';
import { InviteDto, ParticipantsQueryDto, RemoveQueryDto } from './organizing/participants.dto';
import { ParticipantsService, type CheckedIn } from './organizing/participants.service';
import type { TicketResource } from './tickets/ticket.resource';
import { MakeTicketsDto } from './tickets/tickets.dto';
import { TicketsService } from './tickets/tickets.service';

export { CheckInDto, InviteDto, MakeTicketsDto };

/** The requested page of a list. */
interface PageRequest {
  readonly page: number;
  readonly per_page: number;
}

/** The organizer's actions in the web forms for people and tickets. The refusals are the same as in the API. */
@Injectable()
export class OrganizerCommands {
  constructor(
    private readonly participants: ParticipantsService,
    private readonly ticketCodes: TicketsService,
  ) {}

  /**
   * The people of the event with this status. Waitlisted people are in the waitlist's order. For other statuses, the
   * person whose relation to the event was created first comes first.
   */
  async people(
    caller: Caller,
    eventId: number,
    status: ParticipationState,
    { page, per_page }: PageRequest,
  ): Promise<Page<ParticipantResource>> {
    const query = { status, page: String(page), per_page: String(per_page) };
    return this.participants.list(caller, eventId, await Input.of(ParticipantsQueryDto, query, 'text'));
  }

  /**
   * The waitlist positions of the people with these slugs. The keys of the map are the slugs of people who have a
   * position.
   */
  waitlistPositions(caller: Caller, eventId: number, slugs: readonly string[]): Promise<Map<string, number>> {
    return this.participants.waitlistPositions(caller, eventId, slugs);
  }

  /** The statuses of the people with these slugs. The keys of the map are the slugs of people who have a status. */
  statesAmong(caller: Caller, eventId: number, slugs: readonly string[]): Promise<Map<string, ParticipationState>> {
    return this.participants.statesAmong(caller, eventId, slugs);
  }

  /** Returns those `slugs` whose people are checked in and paid credits. Such a check-in cannot be undone (JOIN-35). */
  paidAndCheckedIn(caller: Caller, eventId: number, slugs: readonly string[]): Promise<Set<string>> {
    return this.participants.paidAndCheckedIn(caller, eventId, slugs);
  }

  /** Everybody with a status at the event, except declined people, as CSV. */
  peopleCsv(caller: Caller, eventId: number): Promise<string> {
    return this.participants.file(caller, eventId);
  }

  async invite(caller: Caller, eventId: number, input: Input<InviteDto>): Promise<ParticipantResource> {
    return this.participants.invite(caller, eventId, input);
  }

  /** Approves a request, or gives a seat to a person on the waitlist. */
  async promote(caller: Caller, eventId: number, slug: string): Promise<void> {
    await this.participants.promote(caller, eventId, slug);
  }

  /** Removes a participant or a waitlisted person, cancels an invitation, or deletes a declined request. */
  remove(caller: Caller, eventId: number, slug: string): Promise<void> {
    return this.removeOnly(['waitlisted', 'confirmed', 'pending', 'declined'], caller, eventId, slug);
  }

  decline(caller: Caller, eventId: number, slug: string): Promise<void> {
    return this.removeOnly(['requested'], caller, eventId, slug);
  }

  unban(caller: Caller, eventId: number, slug: string): Promise<void> {
    return this.removeOnly(['banned'], caller, eventId, slug);
  }

  async ban(caller: Caller, eventId: number, slug: string): Promise<void> {
    await this.participants.remove(caller, eventId, slug, await Input.of(RemoveQueryDto, { ban: '1' }, 'text'));
  }

  async checkIn(caller: Caller, eventId: number, slug: string): Promise<void> {
    await this.participants.checkIn(caller, eventId, slug);
  }

  /** Checks in the participant with this check-in code or ticket code. */
  checkInByCode(caller: Caller, eventId: number, input: Input<CheckInDto>): Promise<CheckedIn> {
    return this.participants.checkInByCode(caller, eventId, input);
  }

  async undoCheckIn(caller: Caller, eventId: number, slug: string): Promise<void> {
    await this.participants.undoCheckIn(caller, eventId, slug);
  }

  async tickets(caller: Caller, eventId: number, { page, per_page }: PageRequest): Promise<Page<TicketResource>> {
    const query = { page: String(page), per_page: String(per_page) };
    return this.ticketCodes.list(caller, eventId, await Input.of(PageQueryDto, query, 'text'));
  }

  /** Creates ticket codes, and returns their number. */
  async makeTickets(caller: Caller, eventId: number, input: Input<MakeTicketsDto>): Promise<number> {
    return (await this.ticketCodes.make(caller, eventId, input)).length;
  }

  removeTicket(caller: Caller, eventId: number, code: string): Promise<void> {
    return this.ticketCodes.remove(caller, eventId, code);
  }

  /**
   * The API has one request to remove, decline and unban; the person's status determines what the request does. But a
   * page may be outdated, so each button requires the statuses for which the page shows the button: "Decline" must not
   * remove a person whose request was accepted meanwhile.
   */
  private async removeOnly(
    expected: readonly ParticipationState[],
    caller: Caller,
    eventId: number,
    slug: string,
  ): Promise<void> {
    await this.participants.remove(caller, eventId, slug, await Input.of(RemoveQueryDto, {}, 'text'), expected);
  }
}
