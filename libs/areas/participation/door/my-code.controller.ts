import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Refuses } from '#platform/http/answers';
import { EventIdPipe } from '#platform/http/public-ids';
import { qrPng, qrSvg } from '#platform/text/qr-code';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { MyCodeService } from './my-code.service';

const DESCRIPTION = 'A QR code that contains exactly `viewer.check_in_code`, dark on light, with a quiet zone.';
const SVG = {
  'image/svg+xml': {
    schema: { type: 'string' },
    example: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29">…</svg>',
  },
} as const;
const PNG = { 'image/png': { schema: { type: 'string', format: 'binary' } } } as const;

/** The caller's check-in code as a picture (DOOR-1). */
@ApiTags('Joining')
@Controller('events/:id')
export class MyCodeController {
  constructor(private readonly codes: MyCodeService) {}

  /**
   * Draws your check-in code as an SVG picture. Only confirmed participants have a code, and show it at the door. Each
   * new participation has a new code.
   */
  @Get('my-code.svg')
  @ApiResponse({ status: 200, description: DESCRIPTION, content: SVG })
  @Refuses('not_participant')
  async drawCheckInCode(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const picture = await qrSvg(await this.codes.codeOf(caller, id));
    void reply.type('image/svg+xml; charset=utf-8');
    return picture;
  }

  /**
   * Draws your check-in code as a PNG picture. Only confirmed participants have a code, and show it at the door. Each
   * new participation has a new code.
   */
  @Get('my-code.png')
  @ApiResponse({ status: 200, description: DESCRIPTION, content: PNG })
  @Refuses('not_participant')
  async paintCheckInCode(
    @CurrentCaller() caller: Caller,
    @Param('id', EventIdPipe) id: number,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const picture = await qrPng(await this.codes.codeOf(caller, id));
    await reply.type('image/png').send(picture);
  }
}
