import { Global, Module } from '@nestjs/common';
import { CommitNotifier } from './commit-notifier';
import { ChangesSweepJob } from './changes-sweep.job';

/** The log of changes: recording, notification, expiry (docs/adr/0011-changes.md). */
@Global()
@Module({ providers: [CommitNotifier, ChangesSweepJob], exports: [CommitNotifier, ChangesSweepJob] })
export class ChangesLogModule {}
