import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AnswersList } from '#platform/http/answers';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { LimitResource } from './limit.resource';
import { LimitsService } from './limits.service';

@ApiTags('Limits')
@Controller('limits')
export class LimitsController {
  constructor(private readonly limits: LimitsService) {}

  /**
   * Lists every limit of the account and the token. Each entry shows how much is used, how much is left, and when more
   * becomes available if the caller only waits.
   */
  @Get()
  @AnswersList(LimitResource)
  async listLimits(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<{ data: LimitResource[] }> {
    return { data: await this.limits.ofCaller(caller, request) };
  }
}
