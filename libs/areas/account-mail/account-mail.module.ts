import { Module } from '@nestjs/common';
import { AccountMailSource } from './account-mail.source';
import { AccountMailsCommands } from './account-mails.commands';
import { AccountMailsSweepJob } from './account-mails-sweep.job';
import { NotifyFormerAddress } from './changed-address.reaction';
import { VoidAccountLinks } from './changed-credentials.reaction';

@Module({
  providers: [AccountMailSource, AccountMailsCommands, AccountMailsSweepJob, NotifyFormerAddress, VoidAccountLinks],
  exports: [AccountMailsCommands, AccountMailsSweepJob, NotifyFormerAddress, VoidAccountLinks],
})
export class AccountMailModule {}
