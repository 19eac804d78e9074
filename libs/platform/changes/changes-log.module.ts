import { Global, Module } from '@nestjs/common';
import { ChangeSequencer } from './change-sequencer';
import { ChangesSweepJob } from './changes-sweep.job';
import { CommitNotifier } from './commit-notifier';

/**
 * The feed of changes: gives numbers to entries, notifies listeners, deletes old entries (docs/adr/0011-changes.md).
 */
@Global()
@Module({
  providers: [ChangeSequencer, CommitNotifier, ChangesSweepJob],
  exports: [ChangeSequencer, CommitNotifier, ChangesSweepJob],
})
export class ChangesLogModule {}
