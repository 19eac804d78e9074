import { Module } from '@nestjs/common';
import { QuotasCommands } from './quotas.commands';

@Module({ providers: [QuotasCommands], exports: [QuotasCommands] })
export class QuotasModule {}
