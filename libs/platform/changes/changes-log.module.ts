import { Global, Module } from '@nestjs/common';
import { ChangeSequencer } from './change-sequencer';
import { ChangesSweepJob } from './changes-sweep.job';
import { CommitNotifier } from './commit-notifier';

/** Numbers the entries of the log of changes, notifies its readers, and deletes old entries (docs/adr/0011-changes.md). */
@Global()
@Module({
  providers: [ChangeSequencer, CommitNotifier, ChangesSweepJob],
  exports: [ChangeSequencer, CommitNotifier, ChangesSweepJob],
})
export class ChangesLogModule {}
