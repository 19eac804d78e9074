import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Answers, AnswersList, one, Refuses, type One } from '#platform/http/answers';
import { digestTag } from '#platform/http/etags';
import { EventIdPipe } from '#platform/http/public-ids';
import { BodyInput, type Input } from '#platform/http/input';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { SendScansDto } from '../door.dto';
import { DoorResource, ScanOutcomeResource } from './door.resource';
import { DoorService } from '../door.service';

/** The endpoints of docs/rules/door.md, for devices at the door, which may have no network. */
@ApiTags('Check-in')
@Controller('events/:id/door')
export class DoorController {
  constructor(private readonly door: DoorService) {}

  /**
   * Returns all data that a device at the door needs to work without a network. For the organizer and for devices with
   * a door link of the event. For each person, the data contains hashes of the codes instead of the codes. A hash is
   * computed from the normal form of a code: upper case, only letters and digits, with O replaced by 0, and I and L
   * replaced by 1. `made_at` does not affect the `ETag`.
   */
  @Get()
  @Answers(DoorResource)
  @Refuses('forbidden')
  async getEventDoor(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<One<DoorResource>> {
    const door = await this.door.show(caller, id);
    void reply.header('etag', digestTag(JSON.stringify({ ...door, made_at: undefined })));
    return one(door);
  }

  /**
   * Receives scans of devices. A device can send a scan immediately or later. For the organizer and for devices with a
   * door link of the event. Times are rounded down to seconds. The result depends only on the set of a person's scans
   * and undos, and not on their order or repetitions. The latest undo cancels every scan before it or in the same
   * second; the earliest remaining scan is the time of arrival.
   */
  @Post('scans')
  @HttpCode(200)
  @AnswersList(ScanOutcomeResource)
  @Refuses('forbidden')
  async sendDoorScans(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @BodyInput(SendScansDto) body: Input<SendScansDto>,
  ): Promise<One<ScanOutcomeResource[]>> {
    return { data: await this.door.receive(caller, id, body) };
  }
}
