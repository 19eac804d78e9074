import type { EventResource } from '#areas/events/event.resource';
import { translator } from '../texts';
import { attendance, priceOf } from './event-facts';

const say = translator('en');

// PAGE-23
describe('the text about the price', () => {
  it.each<[number | null, number, string]>([
    [null, 0, 'free'],
    [0, 0, 'free'],
    [0.5, 0, 'CZK 0.50'],
    [300, 0, 'CZK 300'],
    [null, 3, '3 credits'],
    [300, 3, '3 credits'],
  ])('is correct for price_czk %p and ticket_price_credits %p: %s', (price_czk, ticket_price_credits, text) => {
    expect(priceOf({ price_czk, ticket_price_credits }, 'en')).toBe(text);
  });
});

// PAGE-16
describe('a price', () => {
  it('has the decimal separator of the language', () => {
    const price = { price_czk: 1234.5, ticket_price_credits: 0 };
    expect([priceOf(price, 'cs'), priceOf(price, 'en')]).toEqual(['1\u00a0234,50\u00a0Kč', 'CZK 1,234.50']);
  });
});

describe('the text about the participants', () => {
  const event = (current_participants: number, max_participants: number | null) =>
    ({ current_participants, max_participants }) as EventResource;

  // PAGE-23, PAGE-37
  it.each<[number, number | null, boolean, string]>([
    [4, null, false, '4 going'],
    [4, 10, false, '4 of 10 going'],
    [4, 10, true, '4 went'],
    [4, null, true, '4 went'],
  ])('is correct for %p participants, max_participants %p and isPast %p: %s', (count, max, isPast, text) => {
    expect(attendance(event(count, max), isPast, say)).toBe(text);
  });

  // PAGE-37
  it.each([false, true])('does not state that people go or went to a cancelled event (isPast %p)', (isPast) => {
    expect(attendance({ ...event(4, 10), status: 'cancelled' }, isPast, say)).toBe('4 signed up');
  });
});
