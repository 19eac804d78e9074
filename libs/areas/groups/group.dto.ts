import { PartialType } from '@nestjs/swagger';
import { LIMITS } from '#contract/limits';
import { GROUP_RELATIONS, type GroupRelation } from '#contract/vocabulary';
import {
  BooleanField,
  EnumField,
  LatitudeField,
  LongitudeField,
  NumberField,
  TextField,
  TitleField,
} from '#platform/http/fields';
import { PageQueryDto } from '#platform/http/page';
import { hasCentre } from '#platform/places/has-centre';

const { groups } = LIMITS;

/** Body of POST /groups (GRP-1). */
export class CreateGroupDto {
  @TitleField({ ...groups.name, required: true, description: 'plain text with visible characters' })
  name: string;

  @TextField({ ...groups.description, description: 'plain text' })
  description?: string | null;

  @BooleanField({ description: 'false when absent on creation' })
  is_public?: boolean;

  @TextField({ ...groups.location_name, description: 'name of the place' })
  location_name?: string | null;

  @LatitudeField({ description: 'only together with longitude' })
  latitude?: number | null;

  @LongitudeField({ description: 'only together with latitude' })
  longitude?: number | null;
}

/** Body of PATCH /groups/{id}. Absent fields stay as they are. Two null coordinates remove the position (GRP-6). */
export class UpdateGroupDto extends PartialType(CreateGroupDto, { skipNullProperties: false }) {}

/** Query of GET /groups. */
export class GroupsQueryDto extends PageQueryDto {
  @EnumField(GROUP_RELATIONS, { description: "the caller's relation to the groups; `member` when absent" })
  relation?: GroupRelation;
}

/** Query of GET /groups/discover. */
export class DiscoverGroupsQueryDto extends PageQueryDto {
  @LatitudeField({ nullable: false, description: 'only together with lng' })
  lat?: number;

  @LongitudeField({ nullable: false, description: 'only together with lat' })
  lng?: number;

  @NumberField({
    ...groups.radius_km,
    isUsedIf: hasCentre,
    description: 'kilometres, default 10; used with lat and lng, otherwise ignored',
  })
  radius_km?: number;

  @TextField({
    max: LIMITS.discover.q.max,
    description:
      'every word must be the beginning of a word of the name, the description or the place; diacritics and letter case are ignored',
  })
  q?: string | null;
}

/** Query of the web page that lists groups. */
export class ExploreGroupsQueryDto extends DiscoverGroupsQueryDto {}
