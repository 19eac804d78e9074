import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Refuses } from '#platform/http/answers';
import { QueryInput, type Input } from '#platform/http/input';
import { CurrentCaller, type Caller } from '../identity/caller.reader';
import { AnswersChanges, changesBody, type ChangesBody } from './changes.body';
import { ChangesQueryDto } from './changes.dto';
import { ChangesService } from './changes.service';

@ApiTags('Changes')
@Controller('changes')
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  /** What has happened to all that concerns you, in the order in which it happened. */
  @Get()
  @AnswersChanges()
  @Refuses('cursor_expired')
  async listChanges(@CurrentCaller() caller: Caller, @QueryInput(ChangesQueryDto) input: Input<ChangesQueryDto>): Promise<ChangesBody> {
    return changesBody(await this.changes.page(caller, input.read()));
  }
}
