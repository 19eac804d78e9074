import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { BookPolicy } from './book.policy';
import { BookReader } from './book.reader';
import { Expense } from './expense.entity';
import { ExpensesFileController } from './expenses-file.controller';
import { ExpensesController } from './expenses.controller';
import { ExpensesService } from './expenses.service';
import { ExpensePayment } from './payments/payment.entity';
import { PaymentsController } from './payments/payments.controller';
import { PaymentsService } from './payments.service';
import { Settlements } from './settlements';

@Module({
  imports: [TypeOrmModule.forFeature([Expense, ExpensePayment]), EventsModule],
  controllers: [ExpensesController, ExpensesFileController, PaymentsController],
  providers: [BookPolicy, BookReader, ExpensesService, PaymentsService, Settlements],
  exports: [BookReader, ExpensesService, PaymentsService],
})
export class ExpensesModule {}
