import { ApiProperty } from '@nestjs/swagger';
import { ACCOUNT_LIMIT_NAMES, LIMIT_PERIODS, type AccountLimit } from '#contract/account-limits';
import type { Usage } from '#platform/database/usage';
import { toWire } from '#platform/time/wire-time';

/** One limit, and how much of it is used. */
export class LimitResource {
  /** the name of the limit */
  @ApiProperty({ enum: ACCOUNT_LIMIT_NAMES })
  name: AccountLimit;

  /** the allowed maximum of `used` */
  @ApiProperty({ type: 'integer', minimum: 0 })
  limit: number;

  /** How much of the limit is used. Can be above `limit`, because objects that an operator created count too. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  used: number;

  /** The number of further actions that the limit allows. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  remaining: number;

  /**
   * When `remaining` next increases if the caller only waits. For a limit per day, this is always the next midnight in
   * Prague. Null if waiting does not help.
   */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  resets_at: string | null;

  /**
   * what `used` counts: actions in a window of a minute (`minute`), actions on a day in Prague (`day`), or objects that
   * the account has now (`account`)
   */
  @ApiProperty({ enum: LIMIT_PERIODS })
  per: (typeof LIMIT_PERIODS)[number];
}

interface Limit {
  readonly name: AccountLimit;
  readonly limit: number;
  readonly per: LimitResource['per'];
}

export function limitResource({ name, limit, per }: Limit, { used, resetsAt }: Usage): LimitResource {
  return { name, limit, used, remaining: Math.max(0, limit - used), resets_at: toWire(resetsAt), per };
}
