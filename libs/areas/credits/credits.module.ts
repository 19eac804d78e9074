import { Module } from '@nestjs/common';
import { CreditsCommands } from './credits.commands';
import { CreditsReader } from './credits.reader';

@Module({ providers: [CreditsCommands, CreditsReader], exports: [CreditsCommands, CreditsReader] })
export class CreditsModule {}
