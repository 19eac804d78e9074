import { Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe, PaymentIdPipe } from '#platform/http/public-ids';
import { BodyInput, type Input } from '#platform/http/input';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { RecordPaymentDto } from '../payment.dto';
import { RecordedPaymentResource } from './payment.resource';
import { PaymentsService } from '../payments.service';

/** Payments between people of an event (PAY-1 to PAY-8). */
@ApiTags('Expenses')
@Controller('events/:id/expenses/payments')
export class PaymentsController {
  constructor(private readonly payments: PaymentsService) {}

  /**
   * Records a payment between two people of an event. Only the payer or the receiver may record it. `from` and `to`
   * must be different people; otherwise 422 on `to`. An event has at most 200 payments; a further payment is 409
   * `payment_limit_reached`.
   */
  @Post()
  @Answers(RecordedPaymentResource, { status: 201 })
  @Refuses('forbidden', 'participant_not_eligible', 'payment_limit_reached')
  async recordEventPayment(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) eventId: number,
    @BodyInput(RecordPaymentDto) body: Input<RecordPaymentDto>,
  ): Promise<One<RecordedPaymentResource>> {
    return one(await this.payments.record(caller, eventId, body));
  }

  /**
   * Deletes a recorded payment. Only the person who recorded it may delete it, as long as this person may read the
   * expenses. Balances are then computed without this payment.
   */
  @Delete(':paymentId')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deleteEventPayment(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) eventId: number,
    @Param('paymentId', PaymentIdPipe) paymentId: number,
  ): Promise<void> {
    await this.payments.remove(caller, eventId, paymentId);
  }
}
