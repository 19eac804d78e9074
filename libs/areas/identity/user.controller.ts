import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Answers, one, type One } from '#platform/http/answers';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { CurrentCaller, type Caller } from './caller.reader';
import { TokenOwnerResource, tokenOwnerResource } from './token-owner.resource';

/** The owner of the token (ACC-10). */
@ApiTags('Token owner')
@Controller('user')
export class UserController {
  constructor(
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /**
   * Shows the owner of the token. The answer also shows what the token may do, when it expires, and until when the
   * account has Premium.
   */
  @Get()
  @Answers(TokenOwnerResource)
  getUser(@CurrentCaller() caller: Caller): One<TokenOwnerResource> {
    return one(tokenOwnerResource(caller, this.clock.now(), this.wire));
  }
}
