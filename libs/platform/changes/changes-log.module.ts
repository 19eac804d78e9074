import { Global, Module } from '@nestjs/common';
import { ChangeBell } from './change-bell';
import { ChangesSweepJob } from './changes-sweep.job';

/** The log of changes: what is recorded, how one hears of it, what is forgotten (docs/adr/0011-changes.md). */
@Global()
@Module({ providers: [ChangeBell, ChangesSweepJob], exports: [ChangeBell, ChangesSweepJob] })
export class ChangesLogModule {}
