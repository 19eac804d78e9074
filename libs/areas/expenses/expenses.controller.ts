import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe, ExpenseIdPipe } from '#platform/http/public-ids';
import { BodyInput, type Input } from '#platform/http/input';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { CreateExpenseDto } from './expense.dto';
import { ExpenseResource, ExpensesResource } from './expense.resource';
import { ExpensesService } from './expenses.service';

/** The expenses of an event. An expense cannot be edited, only deleted and added again (EXP-13). */
@ApiTags('Expenses')
@Controller('events/:id/expenses')
export class ExpensesController {
  constructor(private readonly expenses: ExpensesService) {}

  /**
   * Shows the shared costs of an event. For the organizer and confirmed participants. For each currency, the response
   * has the balances and a list of payments that settle them. If `optimal` is true, no list with fewer payments exists.
   * Currencies are never added together.
   */
  @Get()
  @Answers(ExpensesResource)
  @Refuses('forbidden')
  async getEventExpenses(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) eventId: number,
  ): Promise<One<ExpensesResource>> {
    return one(await this.expenses.show(caller, eventId));
  }

  /**
   * Adds an expense to an event. For the organizer only. `paid_by` and everybody in `shared_with` must be the organizer
   * or a confirmed participant; otherwise 422 `participant_not_eligible`. An event has at most 50 expenses; a further
   * expense is 409 `expense_limit_reached`. An expense cannot be changed: delete it and add another one.
   */
  @Post()
  @Answers(ExpenseResource, { status: 201 })
  @Refuses('forbidden', 'participant_not_eligible', 'expense_limit_reached')
  async addEventExpense(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) eventId: number,
    @BodyInput(CreateExpenseDto) body: Input<CreateExpenseDto>,
  ): Promise<One<ExpenseResource>> {
    return one(await this.expenses.addExpense(caller, eventId, body));
  }

  /** Deletes an expense of an event. For the organizer only. Balances are then computed without this expense. */
  @Delete(':expenseId')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deleteEventExpense(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) eventId: number,
    @Param('expenseId', ExpenseIdPipe) expenseId: number,
  ): Promise<void> {
    await this.expenses.remove(caller, eventId, expenseId);
  }
}
