import { ApiProperty } from '@nestjs/swagger';
import { CURRENCIES, type Currency } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { PersonResource } from '../../identity/person.resource';
import type { BookPeople } from '../books/book-people';
import type { BookedPayment } from '../books/books';
import { toUnits } from '../books/money';

/** A payment between two people (PAY-1). */
export class RecordedPaymentResource {
  /** hashid */
  id: string;
  /** the person who paid */
  from: PersonResource;
  /** the person who was paid */
  to: PersonResource;
  /** in currency units */
  amount: number;
  /** currency of the amount */
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** when the payment was recorded */
  created_at: string;
}

export function recordedPaymentResource(
  payment: BookedPayment,
  people: BookPeople,
  wire: WireFormat,
): RecordedPaymentResource {
  return {
    id: wire.id('payment', payment.id),
    from: people.resourceOf(payment.senderId),
    to: people.resourceOf(payment.receiverId),
    amount: toUnits(payment.cents),
    currency: payment.currency,
    created_at: toWire(payment.createdAt),
  };
}
