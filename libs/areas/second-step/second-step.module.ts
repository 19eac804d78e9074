import { Module } from '@nestjs/common';
import { EndPendingSignIns } from './banned-user.reaction';
import { PasskeysCommands } from './passkeys.commands';
import { SecondStepCommands } from './second-step.commands';
import { TotpCommands } from './totp.commands';

@Module({
  providers: [EndPendingSignIns, PasskeysCommands, SecondStepCommands, TotpCommands],
  exports: [PasskeysCommands, SecondStepCommands, TotpCommands],
})
export class SecondStepModule {}
