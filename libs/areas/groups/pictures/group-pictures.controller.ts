import { Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LIMITS } from '#contract/limits';
import { Answers, AnswersNothing, one, Refuses, type One } from '#platform/http/answers';
import { idPipe } from '#platform/http/public-ids';
import { UploadBody } from '#platform/uploads/upload-body';
import type { UploadRules } from '#platform/uploads/upload-rules';
import type { PendingUpload } from '#platform/uploads/uploads';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { GroupPicturesService } from '../group-pictures.service';
import { GroupResource } from '../group.resource';

const GroupIdPipe = idPipe('group');
const AVATAR: UploadRules = { files: { avatar: { min: 1, maxBytes: LIMITS.groups.avatar_bytes } } };
const COVER: UploadRules = { files: { cover: { min: 1, maxBytes: LIMITS.groups.cover_bytes } } };

/** GRP-18: avatar and cover. Both return the group. */
@ApiTags('Groups')
@Controller('groups/:id')
export class GroupPicturesController {
  constructor(private readonly pictures: GroupPicturesService) {}

  /** Sets the avatar of a group. For the owner only. A picture of at most 2 MB; it replaces the former one. */
  @Post('avatar')
  @HttpCode(200)
  @Answers(GroupResource)
  @Refuses('forbidden')
  async uploadGroupAvatar(
    @CurrentCaller() caller: Caller,
    @Param('id', GroupIdPipe) id: number,
    @UploadBody(AVATAR) upload: PendingUpload,
  ): Promise<One<GroupResource>> {
    return one(await this.pictures.put(caller, id, 'avatar', upload));
  }

  /** Removes the avatar of a group. For the owner only. Without an avatar nothing happens. */
  @Delete('avatar')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deleteGroupAvatar(@CurrentCaller() caller: Caller, @Param('id', GroupIdPipe) id: number): Promise<void> {
    await this.pictures.remove(caller, id, 'avatar');
  }

  /** Sets the cover of a group. For the owner only. A picture of at most 5 MB; it replaces the former one. */
  @Post('cover')
  @HttpCode(200)
  @Answers(GroupResource)
  @Refuses('forbidden')
  async uploadGroupCover(
    @CurrentCaller() caller: Caller,
    @Param('id', GroupIdPipe) id: number,
    @UploadBody(COVER) upload: PendingUpload,
  ): Promise<One<GroupResource>> {
    return one(await this.pictures.put(caller, id, 'cover', upload));
  }

  /** Removes the cover of a group. For the owner only. Without a cover nothing happens. */
  @Delete('cover')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deleteGroupCover(@CurrentCaller() caller: Caller, @Param('id', GroupIdPipe) id: number): Promise<void> {
    await this.pictures.remove(caller, id, 'cover');
  }
}
