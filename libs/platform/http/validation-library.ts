import { createRequire } from 'node:module';

/**
 * class-validator, those parts of it that are used here. Its index loads 320 files, which are a twentieth of what a start costs: rules of its own, with
 * the telephone numbers of all countries, while ours stand in value-rules.ts. These parts are 20.
 */
type Library = typeof import('class-validator');
const part = createRequire(__filename);

export const { ValidateBy } = part('class-validator/cjs/decorator/common/ValidateBy') as Pick<Library, 'ValidateBy'>;
export const { ValidateNested } = part('class-validator/cjs/decorator/common/ValidateNested') as Pick<
  Library,
  'ValidateNested'
>;
export const { isUUID } = part('class-validator/cjs/decorator/string/IsUUID') as Pick<Library, 'isUUID'>;
export const { getMetadataStorage } = part('class-validator/cjs/metadata/MetadataStorage') as Pick<
  Library,
  'getMetadataStorage'
>;
export const { Validator } = part('class-validator/cjs/validation/Validator') as Pick<Library, 'Validator'>;
