import { Get, Param, Post, Query, Req, StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CreateExpenseDto } from '#areas/expenses/expense.dto';
import type { PaymentResource } from '#areas/expenses/expense.resource';
import { ExpensesService } from '#areas/expenses/expenses.service';
import { RecordPaymentDto } from '#areas/expenses/payment.dto';
import { PaymentsService } from '#areas/expenses/payments.service';
import { csvDownload } from '#platform/http/csv-answer';
import { EventIdPipe, ExpenseIdPipe, PaymentIdPipe } from '#platform/http/public-ids';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { qrPng } from '#platform/text/qr-code';
import { FormRunner } from '../form/form-runner';
import { SentForm } from '../form/sent-form';
import { formValues } from '../forms';
import { ActingPageController, CheckForm, CurrentMember, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator, type TextKey } from '../texts';
import type { View } from '../view';
import { EXPENSE_FORM, expensePlanFor, PAYMENT_FORM } from './expense-forms';
import { ExpensesView } from './expenses-view';

/** /events/{id}/expenses: the shared costs of an event, payments with their QR codes, and the CSV file. */
@ActingPageController()
export class ExpensePages {
  constructor(
    private readonly formRunner: FormRunner,
    private readonly view: ExpensesView,
    private readonly expenses: ExpensesService,
    private readonly payments: PaymentsService,
    private readonly wire: WireFormat,
  ) {}

  @Get('events/:id/expenses')
  page(@CurrentMember() member: Member, @Param('id', EventIdPipe) eventId: number): Promise<View> {
    return this.view.show(member, eventId);
  }

  @Get('events/:id/expenses.csv')
  async file(@CurrentMember() { caller }: Member, @Param('id', EventIdPipe) eventId: number): Promise<StreamableFile> {
    const file = await this.expenses.file(caller, eventId);
    return csvDownload(`expenses-${this.wire.id('event', eventId)}`, file);
  }

  /** The QR code of a payment that the settlement proposes, as a picture for a banking app. */
  @Get('events/:id/expenses/code.png')
  async code(
    @CurrentMember() { caller }: Member,
    @Param('id', EventIdPipe) eventId: number,
    @Query() query: object,
  ): Promise<StreamableFile> {
    const { currency, from, to, kind } = formValues(query);
    const { summary } = await this.expenses.show(caller, eventId);
    const [, currencySummary] = Object.entries(summary).find(([name]) => name === currency) ?? [];
    const payment = currencySummary?.settlement.find((one) => one.from.slug === from && one.to.slug === to)?.payment;
    const content = payment && qrContentOf(payment, kind);
    if (!content) throw new Refusal('not_found');
    return new StreamableFile(await qrPng(content), { type: 'image/png' });
  }

  @Post('events/:id/expenses')
  @CheckForm({ plan: EXPENSE_FORM })
  add(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) eventId: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const form = await SentForm.ofSent(expensePlanFor(raw), CreateExpenseDto, raw, member);
        await this.expenses.addExpense(member.caller, eventId, form);
        return this.redirectBack(eventId, 'expense_added');
      },
      show: (expense) => this.view.show(member, eventId, { expense }),
    });
  }

  @Post('events/:id/expenses/:expenseId/delete')
  @CheckForm()
  async remove(
    @CurrentMember() { caller }: Member,
    @Param('id', EventIdPipe) eventId: number,
    @Param('expenseId', ExpenseIdPipe) expenseId: number,
  ): Promise<Redirect> {
    await this.expenses.remove(caller, eventId, expenseId);
    return this.redirectBack(eventId, 'expense_deleted');
  }

  @Post('events/:id/expenses/payments')
  @CheckForm({ plan: PAYMENT_FORM })
  recordPayment(
    @CurrentMember() member: Member,
    @Param('id', EventIdPipe) eventId: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    return this.formRunner.run(member, request, {
      action: async (raw) => {
        const form = await SentForm.ofSent(PAYMENT_FORM, RecordPaymentDto, raw, member);
        await this.payments.record(member.caller, eventId, form);
        return this.redirectBack(eventId, 'payment_added');
      },
      // `forbidden`: the payment is between other people, or the member may not read the expenses of the event. In the
      // second case, `show` throws 403 again.
      formCodes: ['forbidden'],
      show: (refusal) => {
        const text = refusal.code === 'forbidden' ? translator(member.locale)('payment_not_own') : refusal.text;
        return this.view.show(member, eventId, { payment: { ...refusal, text } });
      },
    });
  }

  @Post('events/:id/expenses/payments/:paymentId/delete')
  @CheckForm()
  async removePayment(
    @CurrentMember() { caller }: Member,
    @Param('id', EventIdPipe) eventId: number,
    @Param('paymentId', PaymentIdPipe) paymentId: number,
  ): Promise<Redirect> {
    await this.payments.remove(caller, eventId, paymentId);
    return this.redirectBack(eventId, 'payment_deleted');
  }

  private redirectBack(eventId: number, done: TextKey): Redirect {
    return redirectTo(`/events/${this.wire.id('event', eventId)}/expenses`, done);
  }
}

function qrContentOf({ spd, epc }: PaymentResource, kind: string | undefined): string | null {
  return kind === 'epc' ? epc : spd;
}
