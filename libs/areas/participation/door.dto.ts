import { LIMITS } from '#contract/limits';
import {
  BooleanField,
  DateTimeField,
  ExactlyOneOf,
  ObjectListField,
  SlugField,
  TextField,
  TitleField,
} from '#platform/http/fields';

const { device, scans } = LIMITS.door;

/** A scan of a code by a device, or the selection of a person by hand. */
@ExactlyOneOf('code', 'user')
export class ScanDto {
  @TextField({
    description: 'viewer.check_in_code of a participant, or a ticket code; send either `code` or `user`',
  })
  code?: string | null;

  @SlugField({ nullable: true, description: 'slug of a participant' })
  user?: string | null;

  @DateTimeField({
    required: true,
    description:
      'when the code was scanned, by the clock of the device, which may be at most 5 minutes ahead of the clock of the server',
  })
  scanned_at: Date;

  @BooleanField({
    default: false,
    description:
      'cancels every scan of this person that was made before `scanned_at` or in the same second as `scanned_at`',
  })
  undo?: boolean;
}

/** Body of POST /events/{id}/door/scans. */
export class SendScansDto {
  @TitleField({ ...device, required: true, description: 'any name; it is checked, but neither stored nor shown' })
  device: string;

  @ObjectListField(() => ScanDto, {
    ...scans,
    required: true,
    description: 'in any order; sending the same scan again changes nothing',
  })
  scans: ScanDto[];
}
