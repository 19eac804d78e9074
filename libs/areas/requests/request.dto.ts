import { LIMITS } from '#contract/limits';
import { HashidField, TextField } from '#platform/http/fields';
import { PageQueryDto } from '#platform/http/page';
import { Refusal } from '#platform/http/refusal';

/** Query of GET /requests. */
export class RequestsQueryDto extends PageQueryDto {
  @HashidField({
    description: 'only requests before the request with this id; send the last id of a page to get the next page',
  })
  before?: string;

  @TextField({ max: 3, nullable: false, description: 'a status such as 404, or a class of statuses such as 4xx' })
  status?: string;

  @TextField({ nullable: false, description: 'the code of a refusal' })
  code?: string;

  @TextField({ max: LIMITS.request_log.path, nullable: false, description: 'a route, as in the field `route`' })
  route?: string;

  @HashidField({ description: 'the id of a token; the token may have been revoked' })
  token?: string;
}

/** The lowest and the highest status of a filter. @throws Refusal 422 on `status` */
export function statusesOf(status: string): readonly [number, number] {
  if (/^[1-5]xx$/i.test(status)) return [Number(status[0]) * 100, Number(status[0]) * 100 + 99];
  if (/^[1-5]\d\d$/.test(status)) return [Number(status), Number(status)];
  throw Refusal.invalid('status', 'request_status');
}
