import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module';
import { CalendarAddresses } from './calendar-addresses';
import { CalendarController } from './calendar.controller';
import { ForgetAddressesAfterAppDeletion, RenewAddressAfterDisconnection } from './renew-disconnected.reaction';
import { CalendarsReader } from './calendars.reader';

@Module({
  imports: [IdentityModule],
  controllers: [CalendarController],
  providers: [ForgetAddressesAfterAppDeletion, RenewAddressAfterDisconnection, CalendarAddresses, CalendarsReader],
  exports: [CalendarAddresses, CalendarsReader],
})
export class CalendarsModule {}
