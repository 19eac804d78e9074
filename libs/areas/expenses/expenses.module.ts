import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module';
import { Expense, ExpenseShare } from './expense.entity';
import { ExpensesController } from './expenses.controller';
import { ExpensesService } from './expenses.service';
import { Settlements } from './settlements';

@Module({
  imports: [TypeOrmModule.forFeature([Expense, ExpenseShare]), EventsModule],
  controllers: [ExpensesController],
  providers: [ExpensesService, Settlements],
})
export class ExpensesModule {}
