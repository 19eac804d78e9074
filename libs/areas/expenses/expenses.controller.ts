import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, AnswersNothing, one, Refuses, type One } from '#platform/http/answers';
import { EventIdPipe, partIdPipe } from '#platform/http/public-ids';
import { BodyInput, type Input } from '#platform/http/input';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { CreateExpenseDto } from './expense.dto';
import { ExpenseResource, ExpensesResource } from './expense.resource';
import { ExpensesService } from './expenses.service';

/** EXP-13. They cannot be edited: delete and add anew. */
@ApiTags('Expenses')
@Controller('events/:id/expenses')
export class ExpensesController {
  constructor(private readonly expenses: ExpensesService) {}

  /** All expenses of an event, with balances and the fewest payments that settle them, per currency. */
  @Get()
  @Answers(ExpensesResource)
  @Refuses('forbidden')
  async getEventExpenses(@CurrentCaller() caller: Caller, @Param('id', EventIdPipe) eventId: number): Promise<One<ExpensesResource>> {
    return one(await this.expenses.show(caller, eventId));
  }

  /** Adds an expense to one's own event; at most 50. */
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

  /** Deletes an expense of one's own event. */
  @Delete(':expenseId')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deleteEventExpense(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) eventId: number,
    @Param('expenseId', partIdPipe('expense')) expenseId: number,
  ): Promise<void> {
    await this.expenses.remove(caller, eventId, expenseId);
  }
}
