import { Module } from '@nestjs/common';
import { AccountMailSource } from './account-mail.source';
import { AccountMailsCommands } from './account-mails.commands';
import { AccountMailsSweepJob } from './account-mails-sweep.job';
import { TellFormerAddress } from './changed-address.reaction';

@Module({
  providers: [AccountMailSource, AccountMailsCommands, AccountMailsSweepJob, TellFormerAddress],
  exports: [AccountMailsCommands, AccountMailsSweepJob, TellFormerAddress],
})
export class AccountMailModule {}
