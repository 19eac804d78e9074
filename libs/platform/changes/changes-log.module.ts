import { Global, Module } from '@nestjs/common';
import { CommitNotifier } from './commit-notifier';
import { ChangesSweepJob } from './changes-sweep.job';

/** The log of changes: what is recorded, how one hears of it, what is forgotten (docs/adr/0011-changes.md). */
@Global()
@Module({ providers: [CommitNotifier, ChangesSweepJob], exports: [CommitNotifier, ChangesSweepJob] })
export class ChangesLogModule {}
