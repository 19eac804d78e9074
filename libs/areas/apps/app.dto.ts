import { LIMITS } from '#contract/limits';
import { EnumField, TextField, TitleField, UrlField } from '#platform/http/fields';

const { apps } = LIMITS;

export const APP_TYPES = ['confidential', 'public'] as const;
export type AppType = (typeof APP_TYPES)[number];

/** The form of an app, with one redirect address per line. */
export class AppDto {
  @TitleField({ ...apps.name, required: true })
  name: string;

  @UrlField({ ...apps.homepage })
  homepage?: string | null;

  @TextField({ max: apps.redirect_uris.max * (apps.redirect_uri.max + 2), required: true })
  redirect_uris: string;
}

/** The form of a new app; the type cannot be changed later. */
export class NewAppDto extends AppDto {
  @EnumField(APP_TYPES, { required: true })
  type: AppType;
}
