import type { JoinMode, ParticipationState } from '#contract/vocabulary';

export type State = ParticipationState | null;
export type Credential = 'right' | 'wrong' | 'none';

/** One event and three guests by docs/rules/joining.md: an independent implementation, without code of the service. */
export class Model {
  readonly guests: State[] = [null, null, null];
  readonly checkedIn = [false, false, false];
  readonly wrongGuesses = [0, 0, 0];
  /**
   * People who participate with a ticket: a code stays used permanently, but its place is free again once its holder
   * has left (JOIN-40).
   */
  readonly holdsTicket = [false, false, false];
  ticketsMade = 0;
  unusedTickets = 0;
  isCancelled = false;

  constructor(
    public mode: JoinMode,
    public max: number | null,
    public isPublic: boolean,
    readonly price: number,
  ) {}

  get confirmed(): number {
    return this.guests.filter((state) => state === 'confirmed').length;
  }

  get isFull(): boolean {
    return this.max !== null && this.confirmed + 1 >= this.max;
  }

  join(guest: number, credential: Credential): string {
    const refused = this.atTheDoor(guest);
    if (refused) return refused;
    if (this.isCancelled) return '409 cannot_join';
    if (this.isFull) return '409 event_full';
    if (this.guests[guest] === 'pending' || this.mode === 'open') return this.become(guest, 'confirmed', '200');
    if (this.mode === 'request') return this.become(guest, 'requested', '200');
    if (this.mode === 'tickets') {
      if (credential !== 'right' || this.unusedTickets === 0) return '422 invalid_ticket_code';
      this.unusedTickets--;
      const answer = this.become(guest, 'confirmed', '200');
      this.holdsTicket[guest] = true;
      return answer;
    }
    if ((this.wrongGuesses[guest] ?? 0) >= 10) return '429 too_many_requests';
    if (credential === 'right') return this.become(guest, 'confirmed', '200');
    if (credential === 'wrong') this.wrongGuesses[guest]!++;
    return '422 wrong_password';
  }

  waitlist(guest: number): string {
    if (this.guests[guest] === 'pending' && this.price === 0) return '409 already_invited';
    const refused = this.atTheDoor(guest);
    if (refused) return refused;
    if (this.isCancelled || !this.isFull || this.mode === 'request') return '409 cannot_join';
    return this.become(guest, 'waitlisted', '200');
  }

  leave(guest: number): string {
    const state = this.guests[guest] ?? null;
    if (state === null && !this.isPublic) return '404 not_found';
    if (state === 'banned') return '403 banned';
    if (state === null || state === 'declined') return '409 not_participant';
    return this.become(guest, null, '204');
  }

  invite(guest: number): string {
    const state = this.guests[guest] ?? null;
    const already: Partial<Record<ParticipationState, string>> = {
      pending: '409 already_invited',
      confirmed: '409 already_participant',
      waitlisted: '409 already_waitlisted',
      requested: '409 already_requested',
    };
    if (state !== null) return already[state] ?? '409 conflict';
    return this.isCancelled ? '409 conflict' : this.become(guest, 'pending', '201');
  }

  promote(guest: number): string {
    const state = this.guests[guest];
    if (this.price > 0) return '422 paid_ticket_unsupported';
    if (state !== 'waitlisted' && state !== 'requested') return '409 not_participant';
    if (this.isCancelled) return '409 conflict';
    return this.isFull ? '409 event_full' : this.become(guest, 'confirmed', '200');
  }

  remove(guest: number, ban: boolean): string {
    const state = this.guests[guest] ?? null;
    if (ban) return this.become(guest, 'banned', '204');
    if (state === null) return '409 not_participant';
    return this.become(guest, state === 'requested' ? 'declined' : null, '204');
  }

  checkIn(guest: number): string {
    if (this.isCancelled) return '409 conflict';
    if (this.guests[guest] !== 'confirmed') return '409 not_participant';
    this.checkedIn[guest] = true;
    return '200';
  }

  undoCheckIn(guest: number): string {
    if (this.guests[guest] !== 'confirmed') return '409 not_participant';
    this.checkedIn[guest] = false;
    return '200';
  }

  makeTicket(): string {
    if (this.mode !== 'tickets') return '409 conflict';
    const good = this.unusedTickets + this.holdsTicket.filter(Boolean).length;
    if (this.ticketsMade >= 500 || good >= (this.max ?? Infinity)) return '409 ticket_limit_reached';
    this.ticketsMade++;
    this.unusedTickets++;
    return '201';
  }

  changeMax(max: number | null): string {
    if (max !== null && max < this.confirmed + 1) return '422 validation_failed';
    this.max = max;
    return '200';
  }

  changeMode(mode: JoinMode): string {
    if (mode === 'request' && (this.price > 0 || (this.mode !== 'request' && this.guests.includes('waitlisted'))))
      return '422 validation_failed';
    this.mode = mode;
    return '200';
  }

  cancel(): string {
    this.isCancelled = true;
    return '200';
  }

  private atTheDoor(guest: number): string | null {
    const state = this.guests[guest] ?? null;
    if (state === 'banned') return '403 banned';
    if (state === 'declined') return '403 request_declined';
    if (state === null && !this.isPublic) return '409 cannot_join';
    if (this.price > 0) return '422 paid_ticket_unsupported';
    if (state === 'confirmed') return '409 already_participant';
    if (state === 'waitlisted') return '409 already_waitlisted';
    return state === 'requested' ? '409 already_requested' : null;
  }

  private become(guest: number, state: State, answer: string): string {
    this.guests[guest] = state;
    this.checkedIn[guest] = false;
    this.holdsTicket[guest] = false;
    return answer;
  }
}
