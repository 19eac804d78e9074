import { Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe, partIdPipe } from '#platform/http/public-ids';
import { BodyInput, type Input } from '#platform/http/input';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { RecordPaymentDto } from '../payment.dto';
import { RecordedPaymentResource } from './payment.resource';
import { PaymentsService } from '../payments.service';

/** PAY-1 … PAY-8. Payments are in the event's books, by currency. */
@ApiTags('Expenses')
@Controller('events/:id/expenses/payments')
export class PaymentsController {
  constructor(private readonly payments: PaymentsService) {}

  /**
   * Records a payment between two people of an event. For the person who paid and the person who was paid; `from` and `to` must differ:
   * else 422 on `to`. At most 200 an event: 409 `payment_limit_reached`.
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

  /** Deletes a recorded payment. For the person who recorded it, while they may read the expenses. Balances are computed again without it. */
  @Delete(':paymentId')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deleteEventPayment(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) eventId: number,
    @Param('paymentId', partIdPipe('payment')) paymentId: number,
  ): Promise<void> {
    await this.payments.remove(caller, eventId, paymentId);
  }
}
