import { Injectable } from '@nestjs/common';
import { AuditLog } from '#platform/audit/audit-log';
import { Database } from '#platform/database/database';
import { eachSeparately } from '#platform/jobs/each-separately';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { UsersCommands } from '../identity/users.commands';

/**
 * Removes ended bans from the rows of accounts. Code that checks a ban compares the end of the ban with the current
 * time and does not need this job. Only Discover's list and the feed of changes need the job, because they are updated
 * only when the row of an account changes. Each account has its own transaction.
 */
@Injectable()
export class BansLiftJob implements Job {
  readonly name = 'bans-lift';
  readonly every = 'minute';

  constructor(
    private readonly database: Database,
    private readonly users: UsersCommands,
    private readonly audit: AuditLog,
  ) {}

  async run({ signal }: JobContext): Promise<JobResult> {
    let bans_lifted = 0;
    await eachSeparately(await this.users.withEndedBan(this.database), signal, (id) =>
      this.database.transaction(async (tx) => {
        const slug = await this.users.liftEndedBan(tx, id);
        if (slug === null) return;
        await this.audit.record(tx, {
          actorId: null,
          action: 'user unban',
          subject: `user ${slug}`,
          reason: 'the ban is over',
        });
        bans_lifted++;
      }),
    );
    return { bans_lifted };
  }
}
