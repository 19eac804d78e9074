import { Module } from '@nestjs/common';
import { AccountMailSource } from './account-mail.source';
import { AccountMailsCommands } from './account-mails.commands';
import { AccountMailsSweepJob } from './account-mails-sweep.job';
import { TellFormerAddress } from './changed-address.reaction';
import { VoidAccountLinks } from './changed-credentials.reaction';

@Module({
  providers: [AccountMailSource, AccountMailsCommands, AccountMailsSweepJob, TellFormerAddress, VoidAccountLinks],
  exports: [AccountMailsCommands, AccountMailsSweepJob, TellFormerAddress, VoidAccountLinks],
})
export class AccountMailModule {}
