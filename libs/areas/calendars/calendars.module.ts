import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module';
import { CalendarAddresses } from './calendar-addresses';
import { CalendarController } from './calendar.controller';
import { ForgetAddressesOfDeleted, RenewAddressOfDisconnected } from './renew-disconnected.reaction';
import { CalendarsReader } from './calendars.reader';

@Module({
  imports: [IdentityModule],
  controllers: [CalendarController],
  providers: [ForgetAddressesOfDeleted, RenewAddressOfDisconnected, CalendarAddresses, CalendarsReader],
  exports: [CalendarAddresses, CalendarsReader],
})
export class CalendarsModule {}
