import type { JoinMode, ParticipationState, WaitlistMode } from '#contract/vocabulary';

export type State = ParticipationState | null;
export type Credential = 'right' | 'wrong' | 'none';

/**
 * A model of one event and three guests. The model implements the rules of docs/rules/joining.md for such an event,
 * independently of the code of the service. Each action returns the expected status and error code of the response, for
 * example `409 event_full`.
 */
export class Model {
  readonly guests: State[] = [null, null, null];
  readonly checkedIn = [false, false, false];
  readonly wrongGuesses = [0, 0, 0];
  /**
   * Whether each guest is confirmed with a ticket. When a guest leaves, the guest’s ticket stays used, but no longer
   * counts towards the limit `max_participants` of JOIN-40.
   */
  readonly holdsTicket = [false, false, false];
  ticketsCreated = 0;
  unusedTickets = 0;
  isCancelled = false;
  /** The guests on the waitlist. The guest who has waited longest is the first. */
  queue: number[] = [];
  /**
   * The offer of each guest; null if the guest has no offer. A lapsed offer ends with the next action that checks the
   * seats, or with the job (`sweep`).
   */
  offers: (null | 'open' | 'lapsed')[] = [null, null, null];
  readonly blocked = [false, false, false];

  constructor(
    public mode: JoinMode,
    public max: number | null,
    public isPublic: boolean,
    readonly price: number,
    public waitlistMode: WaitlistMode = 'manual',
  ) {}

  get confirmed(): number {
    return this.guests.filter((state) => state === 'confirmed').length;
  }

  get isFull(): boolean {
    return this.max !== null && this.confirmed + 1 + this.held >= this.max;
  }

  /** The number of seats held by offers. */
  get held(): number {
    return this.offers.filter((offer) => offer !== null).length;
  }

  get openOffers(): boolean[] {
    return this.offers.map((offer) => offer === 'open');
  }

  /** Whether free seats go to people on the waitlist without an action of the organizer. */
  private get fillsSeatsFromWaitlist(): boolean {
    const isOpenMode = this.mode === 'open' || this.mode === 'password';
    return this.waitlistMode !== 'manual' && !this.isCancelled && isOpenMode && this.price === 0;
  }

  /**
   * Ends lapsed offers and offers that the event or a block no longer allows. If the event has no maximum, an open
   * offer becomes a confirmation. Then confirms waiting people who can join, or offers them the free seats, in the
   * order of the waitlist (JOIN-54 to JOIN-59).
   */
  settle(): void {
    for (const [guest, offer] of this.offers.entries()) {
      if (offer === null) continue;
      this.offers[guest] = null;
      if (!this.fillsSeatsFromWaitlist) continue;
      if (offer === 'lapsed') this.setState(guest, null, '');
      else if (this.max === null) this.setState(guest, 'confirmed', '');
      else if (!this.blocked[guest]) this.offers[guest] = 'open';
    }
    if (!this.fillsSeatsFromWaitlist) return;
    for (const guest of [...this.queue]) {
      if (this.isFull) return;
      if (this.offers[guest] !== null || this.blocked[guest]) continue;
      if (this.waitlistMode === 'auto' || this.max === null) this.setState(guest, 'confirmed', '');
      else this.offers[guest] = 'open';
    }
  }

  /**
   * Runs an action that checks the seats. Before and after the action, `settle` ends offers and fills free seats. If
   * the action is refused, all these changes are undone.
   */
  private withSettledSeats(act: () => string): string {
    const before = [
      [...this.guests],
      [...this.queue],
      [...this.offers],
      [...this.checkedIn],
      [...this.holdsTicket],
    ] as const;
    this.settle();
    const answer = act();
    if (answer.startsWith('2')) {
      this.settle();
      return answer;
    }
    const [guests, queue, offers, checkedIn, holdsTicket] = before;
    Object.assign(this.guests, guests);
    this.queue = [...queue];
    this.offers = [...offers];
    Object.assign(this.checkedIn, checkedIn);
    Object.assign(this.holdsTicket, holdsTicket);
    return answer;
  }

  /** Makes all open offers lapse. */
  lapse(): string {
    this.offers = this.offers.map((offer) => offer && 'lapsed');
    return '200';
  }

  sweep(): string {
    this.settle();
    return '200';
  }

  /** A block by the organizer ends the guest's offer immediately. */
  block(guest: number): string {
    const hadOffer = this.offers[guest] !== null;
    this.blocked[guest] = true;
    if (hadOffer) this.settle();
    return '204';
  }

  /** Ends a block. The next action that checks the seats, or the job (`sweep`), can then offer the guest a seat. */
  unblock(guest: number): string {
    if (!this.blocked[guest]) return '404 not_found';
    this.blocked[guest] = false;
    return '204';
  }

  changeWaitlistMode(mode: WaitlistMode): string {
    return this.withSettledSeats(() => {
      this.waitlistMode = mode;
      return '200';
    });
  }

  join(guest: number, credential: Credential): string {
    this.settle();
    const isOffered = this.offers[guest] === 'open';
    const refused = this.refusalBeforeJoining(guest);
    if (refused && !(isOffered && refused === '409 already_waitlisted')) return refused;
    if (this.isCancelled || this.blocked[guest]) return '409 cannot_join';
    if (!isOffered && this.isFull) return '409 event_full';
    if (isOffered || this.guests[guest] === 'pending' || this.mode === 'open')
      return this.setState(guest, 'confirmed', '200');
    if (this.mode === 'request') return this.setState(guest, 'requested', '200');
    if (this.mode === 'tickets') {
      if (credential !== 'right' || this.unusedTickets === 0) return '422 invalid_ticket_code';
      this.unusedTickets--;
      const answer = this.setState(guest, 'confirmed', '200');
      this.holdsTicket[guest] = true;
      return answer;
    }
    if ((this.wrongGuesses[guest] ?? 0) >= 10) return '429 too_many_requests';
    if (credential === 'right') return this.setState(guest, 'confirmed', '200');
    if (credential === 'wrong') this.wrongGuesses[guest]!++;
    return '422 wrong_password';
  }

  waitlist(guest: number): string {
    return this.withSettledSeats(() => this.tryWaitlist(guest));
  }

  private tryWaitlist(guest: number): string {
    if (this.guests[guest] === 'pending' && this.price === 0) return '409 already_invited';
    const refused = this.refusalBeforeJoining(guest);
    if (refused) return refused;
    if (this.isCancelled || this.blocked[guest] || !this.isFull || this.mode === 'request') return '409 cannot_join';
    return this.setState(guest, 'waitlisted', '200');
  }

  leave(guest: number): string {
    return this.withSettledSeats(() => this.tryLeave(guest));
  }

  private tryLeave(guest: number): string {
    const state = this.guests[guest] ?? null;
    if (state === null && !this.isPublic) return '404 not_found';
    if (state === 'banned') return '403 banned';
    if (state === null || state === 'declined') return '409 not_participant';
    return this.setState(guest, null, '204');
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
    return this.isCancelled ? '409 conflict' : this.setState(guest, 'pending', '201');
  }

  promote(guest: number): string {
    return this.withSettledSeats(() => this.tryPromote(guest));
  }

  private tryPromote(guest: number): string {
    const state = this.guests[guest];
    if (this.price > 0) return '422 paid_ticket_unsupported';
    if (state !== 'waitlisted' && state !== 'requested') return '409 not_participant';
    if (this.isCancelled) return '409 conflict';
    const isFull = this.isFull && this.offers[guest] === null;
    return isFull ? '409 event_full' : this.setState(guest, 'confirmed', '200');
  }

  remove(guest: number, ban: boolean): string {
    return this.withSettledSeats(() => this.tryRemove(guest, ban));
  }

  private tryRemove(guest: number, ban: boolean): string {
    const state = this.guests[guest] ?? null;
    if (ban) return this.setState(guest, 'banned', '204');
    if (state === null) return '409 not_participant';
    return this.setState(guest, state === 'requested' ? 'declined' : null, '204');
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

  createTicket(): string {
    if (this.mode !== 'tickets') return '409 conflict';
    const validTickets = this.unusedTickets + this.holdsTicket.filter(Boolean).length;
    if (this.ticketsCreated >= 500 || validTickets >= (this.max ?? Infinity)) return '409 ticket_limit_reached';
    this.ticketsCreated++;
    this.unusedTickets++;
    return '201';
  }

  changeMax(max: number | null): string {
    return this.withSettledSeats(() => {
      if (max !== null && max < this.confirmed + 1 + this.held) return '422 validation_failed';
      this.max = max;
      return '200';
    });
  }

  changeMode(mode: JoinMode): string {
    return this.withSettledSeats(() => {
      if (mode === 'request' && (this.price > 0 || (this.mode !== 'request' && this.guests.includes('waitlisted'))))
        return '422 validation_failed';
      this.mode = mode;
      return '200';
    });
  }

  cancel(): string {
    return this.withSettledSeats(() => {
      this.isCancelled = true;
      return '200';
    });
  }

  private refusalBeforeJoining(guest: number): string | null {
    const state = this.guests[guest] ?? null;
    if (state === 'banned') return '403 banned';
    if (state === 'declined') return '403 request_declined';
    if (state === null && !this.isPublic) return '409 cannot_join';
    if (this.price > 0) return '422 paid_ticket_unsupported';
    if (state === 'confirmed') return '409 already_participant';
    if (state === 'waitlisted') return '409 already_waitlisted';
    return state === 'requested' ? '409 already_requested' : null;
  }

  /** Sets the state of the guest, ends the guest's ticket, check-in and offer, and returns `answer`. */
  private setState(guest: number, state: State, answer: string): string {
    this.guests[guest] = state;
    this.checkedIn[guest] = false;
    this.holdsTicket[guest] = false;
    this.offers[guest] = null;
    this.queue = this.queue.filter((other) => other !== guest);
    if (state === 'waitlisted') this.queue.push(guest);
    return answer;
  }
}
