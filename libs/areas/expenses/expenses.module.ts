import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { ExpensesController } from './expenses.controller';
import { ExpensesService } from './expenses.service';
import { Settlements } from './settlements';

@Module({
  imports: [EventsModule],
  controllers: [ExpensesController],
  providers: [ExpensesService, Settlements],
})
export class ExpensesModule {}
