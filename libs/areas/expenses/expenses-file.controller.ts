import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Refuses } from '#platform/http/answers';
import { AnswersCsv, setCsvHeaders } from '#platform/http/csv-answer';
import { EventIdPipe } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { ExpensesService } from './expenses.service';

const DESCRIPTION =
  'A header row, then a row for every expense and payment in the order of entry. Texts that a spreadsheet would interpret as a formula, a number, an amount of money, a date or a time begin with an apostrophe.';

const EXAMPLE = [
  'type,id,created_at,title,amount,currency,paid_by,paid_by_name,paid_to,paid_to_name,shares',
  'expense,hRtVqLzM,2026-11-19T10:00:00Z,Cake,240.5,CZK,jana-novakova,Jana Nováková,,,jana-novakova 120.25; petr-svoboda 120.25',
  'payment,wNbVkXyz,2026-11-20T10:00:00Z,,120.25,CZK,petr-svoboda,Petr Svoboda,jana-novakova,Jana Nováková,',
  '',
].join('\r\n');

/** The expense list as a file (PAY-11). */
@ApiTags('Expenses')
@Controller('events/:id/expenses.csv')
export class ExpensesFileController {
  constructor(
    private readonly expenses: ExpensesService,
    private readonly wire: WireFormat,
  ) {}

  /**
   * Downloads all expenses and payments of an event as a CSV file. For the organizer and confirmed participants. The
   * file is in UTF-8 and has one row for each expense and payment.
   */
  @Get()
  @AnswersCsv(DESCRIPTION, EXAMPLE)
  @Refuses('forbidden')
  async downloadEventExpenses(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) eventId: number,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const file = await this.expenses.file(caller, eventId);
    setCsvHeaders(reply, `expenses-${this.wire.id('event', eventId)}`);
    return file;
  }
}
