import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, one, type One } from '#platform/http/answers';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { CalendarAddressResource } from './calendar-address.resource';
import { CalendarAddresses } from './calendar-addresses';

/** The secret calendar address (CAL-1). */
@ApiTags('Calendar')
@Controller('user/calendar')
export class CalendarController {
  constructor(private readonly addresses: CalendarAddresses) {}

  /**
   * Returns the secret address of your calendar, for calendar programs. The address returns an iCalendar file with all
   * events that you organize or take part in. Events stay in the file for 30 days after their end or cancellation.
   * Anybody who has the address can read the file.
   */
  @Get()
  @Answers(CalendarAddressResource)
  async getCalendarAddress(@CurrentCaller() caller: Caller): Promise<One<CalendarAddressResource>> {
    return one(await this.addresses.addressOf(caller.id));
  }

  /** Replaces the secret address of your calendar. The old address stops working at once. */
  @Post('renew')
  @HttpCode(200)
  @Answers(CalendarAddressResource)
  async renewCalendarAddress(@CurrentCaller() caller: Caller): Promise<One<CalendarAddressResource>> {
    return one(await this.addresses.renew(caller.id));
  }
}
