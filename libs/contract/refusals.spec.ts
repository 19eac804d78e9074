import { REFUSALS, SERVICE_UNAVAILABLE } from './refusals';

/** WIRE-36: generic and specific codes by status. */
const CODES_BY_STATUS: Record<number, string> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden premium_required insufficient_scope banned request_declined owner_cannot_leave cannot_remove_owner comment_forbidden not_owner upload_forbidden photo_forbidden',
  404: 'not_found not_requested not_related photo_not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict event_full cannot_join already_participant already_waitlisted already_invited not_participant ticket_limit_reached ticket_used already_requested request_limit_reached waitlist_limit_reached invite_limit_reached group_limit_reached already_related has_pending_request expense_limit_reached payment_limit_reached active_limit_reached photo_limit_reached door_link_limit_reached webhook_limit_reached request_in_progress already_reported',
  410: 'cursor_expired',
  412: 'precondition_failed',
  413: 'payload_too_large',
  422: 'validation_failed paid_ticket_unsupported wrong_password invalid_ticket_code user_not_invitable invalid_invitee parent_invalid participant_not_eligible paid_post_unsupported post_empty idempotency_key_reused',
  429: 'too_many_requests daily_event_limit rate_limited daily_puls_limit daily_report_limit daily_message_limit',
  431: 'headers_too_large',
  500: 'server_error',
};

describe('the list of refusals', () => {
  // WIRE-36
  it('has exactly the codes and statuses that the rules list', () => {
    const expected = Object.entries(CODES_BY_STATUS).flatMap(([status, codes]) =>
      codes.split(' ').map((code) => `${status} ${code}`),
    );
    const actual = Object.entries(REFUSALS).map(([code, { status }]) => `${status} ${code}`);
    expect(actual.sort()).toEqual(expected.sort());
  });

  // WIRE-36
  it.each(Object.entries({ ...REFUSALS, SERVICE_UNAVAILABLE }))(
    'has full sentences in both languages for %s',
    (_code, entry) => {
      expect(entry.en).toMatch(/^[A-Z].*[.]$/);
      expect(entry.cs).toMatch(/^\p{Lu}.*[.]$/u);
      expect(entry.cs).not.toBe(entry.en);
    },
  );

  it('has texts that apply to each use of `not_participant` and of `participant_not_eligible`', () => {
    // The check-in of invited people is also refused with `not_participant` (JOIN-33), so the text must not say “not
    // invited”.
    expect(REFUSALS.not_participant.en).not.toContain('invited');
    expect(REFUSALS.not_participant.cs).not.toContain('pozvánka');
    // PAY-4
    expect(REFUSALS.participant_not_eligible.en).toContain('payment');
    expect(REFUSALS.participant_not_eligible.cs).toContain('platb');
  });
});
