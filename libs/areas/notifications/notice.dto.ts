import { HashidField } from '#platform/http/fields';

/** Body of POST /notices/read. */
export class ReadNoticesDto {
  @HashidField({
    required: true,
    description: 'the newest notice that was read; this notice and all older notices are marked as read',
  })
  up_to: string;
}
