import { Module } from '@nestjs/common';
import { PasskeysCommands } from './passkeys.commands';
import { SecondStepCommands } from './second-step.commands';
import { TotpCommands } from './totp.commands';

@Module({
  providers: [PasskeysCommands, SecondStepCommands, TotpCommands],
  exports: [PasskeysCommands, SecondStepCommands, TotpCommands],
})
export class SecondStepModule {}
