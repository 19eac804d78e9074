import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Refuses } from '#platform/http/answers';
import { AnswersCsv, setCsvHeaders } from '#platform/http/csv-answer';
import { EventIdPipe } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { ParticipantsService } from '../participants.service';

const DESCRIPTION =
  'A header, then one row for each person with a relation to the event, except declined people. The rows are sorted by status, then by name. Texts that a spreadsheet would interpret as a formula, a number, an amount of money, a date or a time begin with an apostrophe.';

const EXAMPLE = [
  'name,nickname,slug,status,joined_at,checked_in_at,checked_in_by,ticket_code,offer_expires_at',
  'Jana Nováková,,jana-novakova,confirmed,2026-11-19T10:00:00Z,,,,',
  '',
].join('\r\n');

/** The people of an event as a file (STAT-6). */
@ApiTags('Participants')
@Controller('events/:id/participants.csv')
export class ParticipantsFileController {
  constructor(
    private readonly participants: ParticipantsService,
    private readonly wire: WireFormat,
  ) {}

  /** Downloads the people of an event as a CSV file. For the organizer only. The file is in UTF-8. */
  @Get()
  @AnswersCsv(DESCRIPTION, EXAMPLE)
  @Refuses('forbidden')
  async downloadEventParticipants(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) eventId: number,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const file = await this.participants.file(caller, eventId);
    setCsvHeaders(reply, `participants-${this.wire.id('event', eventId)}`);
    return file;
  }
}
