import { Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LIMITS } from '#contract/limits';
import { Answers, AnswersNothing, one, Refuses, type One } from '#platform/http/answers';
import { GroupIdPipe } from '#platform/http/public-ids';
import { UploadBody } from '#platform/uploads/upload-body';
import type { UploadRules } from '#platform/uploads/upload-rules';
import type { PendingUpload } from '#platform/uploads/uploads';
import { CurrentCaller, type Caller } from '../../identity/caller.reader';
import { GroupPicturesService } from '../group-pictures.service';
import { GroupResource } from '../group.resource';

const AVATAR: UploadRules = { files: { avatar: { min: 1, maxBytes: LIMITS.groups.avatar_bytes } } };
const COVER: UploadRules = { files: { cover: { min: 1, maxBytes: LIMITS.groups.cover_bytes } } };

/** The avatar and the cover of a group (GRP-18). Each upload returns the group. */
@ApiTags('Groups')
@Controller('groups/:id')
export class GroupPicturesController {
  constructor(private readonly pictures: GroupPicturesService) {}

  /** Sets the avatar of a group. For the owner only. The picture has at most 2 MB and replaces the former avatar. */
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

  /** Removes the avatar of a group. For the owner only. If the group has no avatar, nothing happens. */
  @Delete('avatar')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deleteGroupAvatar(@CurrentCaller() caller: Caller, @Param('id', GroupIdPipe) id: number): Promise<void> {
    await this.pictures.remove(caller, id, 'avatar');
  }

  /** Sets the cover of a group. For the owner only. The picture has at most 5 MB and replaces the former cover. */
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

  /** Removes the cover of a group. For the owner only. If the group has no cover, nothing happens. */
  @Delete('cover')
  @HttpCode(204)
  @AnswersNothing()
  @Refuses('forbidden')
  async deleteGroupCover(@CurrentCaller() caller: Caller, @Param('id', GroupIdPipe) id: number): Promise<void> {
    await this.pictures.remove(caller, id, 'cover');
  }
}
