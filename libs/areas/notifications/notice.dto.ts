import { HashidField } from '#platform/http/fields';

/** Body of POST /notices/read. */
export class ReadNoticesDto {
  @HashidField({ required: true, description: 'the newest notice that was read: it and all older ones count as read' })
  up_to: string;
}
