import { Injectable } from '@nestjs/common';
import type { CurrencySummaryResource, ExpensesResource, SettlementResource } from '#areas/expenses/expense.resource';
import { ExpensesService } from '#areas/expenses/expenses.service';
import { PaymentsService } from '#areas/expenses/payments.service';
import type { PersonResource } from '#areas/identity/person.resource';
import { CURRENCIES, type Currency } from '#contract/vocabulary';
import { LANGUAGE_TAGS } from '#platform/messages/language-tags';
import { WireFormat } from '#platform/http/wire-format';
import { qrSvg } from '#platform/text/qr-code';
import { newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { formView, type FormView } from '../form/form-view';
import { goneName } from '../gone-name';
import type { Member } from '../page.decorators';
import { VisibleEvents } from '../public/visible-events';
import { translator } from '../texts';
import { partOf, view, type View } from '../view';
import { EXPENSE_FORM, PAYMENT_FORM } from './expense-forms';

export interface RefusedExpenseForms {
  readonly expense?: FormRefusal;
  readonly payment?: FormRefusal;
}

/** A QR code of a payment. */
interface QrCode {
  readonly kind: 'spd' | 'epc';
  /** Null if the reader is not the person who has to pay. The page then loads the PNG. */
  readonly svg: string | null;
  /** The address of the QR code as a PNG. */
  readonly png: string;
}

/** The page of an event's expenses. */
@Injectable()
export class ExpensesView {
  constructor(
    private readonly expenses: ExpensesService,
    private readonly payments: PaymentsService,
    private readonly visibleEvents: VisibleEvents,
    private readonly wire: WireFormat,
  ) {}

  /** Throws the refusals of `ExpensesService.show` for readers who do not take part in the event. */
  async show(member: Member, eventId: number, { expense, payment }: RefusedExpenseForms = {}): Promise<View> {
    const overview = await this.expenses.show(member.caller, eventId);
    const deletablePayments = await this.payments.deletableBy(member.caller, eventId);
    const id = this.wire.id('event', eventId);
    const { event } = await this.visibleEvents.event(id, member);
    const choiceOf = (person: PersonResource) => ({
      value: person.slug,
      name: goneName(person, member.locale) ?? person.name,
    });
    const people = overview.participants.map(choiceOf);
    const paymentPeople = paymentPeopleOf(overview).map(choiceOf);
    const me = member.caller.slug;
    const allSlugs = people.map(({ value }) => value);
    const organizer = overview.participants.find(({ is_organizer }) => is_organizer)?.slug ?? me;
    const summaries = await Promise.all(
      CURRENCIES.flatMap((currency) => {
        const summary = overview.summary[currency];
        return summary ? [this.summary(id, currency, summary, me)] : [];
      }),
    );
    const expenseForm = {
      values: { currency: CURRENCIES[0], paid_by: organizer, shared_with: allSlugs },
      key: newKey(),
      choices: { paid_by: people, shared_with: people },
      refusal: expense ?? null,
    };
    const paymentForm = {
      values: { currency: CURRENCIES[0], from: me, to: paymentPeople.find(({ value }) => value !== me)?.value },
      key: newKey(),
      choices: { from: paymentPeople, to: paymentPeople },
      refusal: payment ?? null,
    };
    return view(
      'expenses',
      {
        ...partOf(event.title, translator(member.locale)('expenses')),
        event: { id, title: event.title },
        me,
        expenses: overview.expenses,
        summaries,
        deletablePayments,
        canManage: overview.viewer.can_manage,
        money: moneyIn(member.locale),
        key: () => newKey()[1],
        expenseForm: overview.viewer.can_manage ? formView(EXPENSE_FORM, member, expenseForm) : null,
        paymentForm: withPrefix('payment-', formView(PAYMENT_FORM, member, paymentForm)),
        paymentRefused: payment !== undefined,
      },
      expense?.status ?? payment?.status,
    );
  }

  private async summary(
    id: string,
    currency: Currency,
    { settlement, ...summary }: CurrencySummaryResource,
    me: string,
  ): Promise<object> {
    const rows = settlement.map(async (one) => ({
      ...one,
      isMine: one.from.slug === me || one.to.slug === me,
      codes: await codesOf(id, currency, one, me),
    }));
    return { ...summary, currency, settlement: await Promise.all(rows) };
  }
}

/** The people who may pay each other: participants, and people who left but are still in the balances (PAY-4). */
function paymentPeopleOf({ participants, summary }: ExpensesResource): readonly PersonResource[] {
  const named = Object.values(summary).flatMap(({ balances }) => balances.map(({ user }) => user));
  return [...new Map([...participants, ...named].map((person) => [person.slug, person])).values()];
}

/** Both forms of the page have fields with the same names, so the ids of one form get a prefix. */
function withPrefix(prefix: string, { sections, alert, ...form }: FormView): FormView {
  const prefixed = <Field extends { readonly id: string | null }>(field: Field): Field =>
    field.id === null ? field : { ...field, id: prefix + field.id };
  return {
    ...form,
    sections: sections.map(({ fields, ...section }) => ({ ...section, fields: fields.map(prefixed) })),
    alert: alert && { ...alert, fields: alert.fields.map(prefixed) },
  };
}

async function codesOf(
  id: string,
  currency: Currency,
  { from, to, payment }: SettlementResource,
  me: string,
): Promise<QrCode[]> {
  if (payment === null) return [];
  const code = async (kind: QrCode['kind'], content: string): Promise<QrCode> => ({
    kind,
    svg: from.slug === me ? await qrSvg(content) : null,
    png: `/events/${id}/expenses/code.png?${new URLSearchParams({ currency, from: from.slug, to: to.slug, kind }).toString()}`,
  });
  const { spd, epc } = payment;
  return Promise.all([code('spd', spd), ...(epc === null ? [] : [code('epc', epc)])]);
}

function moneyIn(locale: Member['locale']): (amount: number, currency: Currency) => string {
  return (amount, currency) =>
    new Intl.NumberFormat(LANGUAGE_TAGS[locale], { style: 'currency', currency }).format(amount);
}
