import { Refusal } from '#platform/http/refusal';
import { newTicket } from './ticket.entity';

// JOIN-15
it('a ticket can be used by one person and is then refused for other people', () => {
  const now = new Date('2026-05-01T10:00:00Z');
  const ticket = newTicket(1, 'TICK-ET01', now);
  expect(ticket.isUsed).toBe(false);
  ticket.use(2, now);
  expect(ticket).toMatchObject({ isUsed: true, usedBy: 2, usedAt: now });
  expect(() => ticket.use(3, now)).toThrow(new Refusal('invalid_ticket_code'));
  expect(ticket.usedBy).toBe(2);
});
