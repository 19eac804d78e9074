import { Module } from '@nestjs/common';
import { Admission } from './admission';
import { Authentication } from './authentication';
import { TokensCommands } from './tokens.commands';
import { UserController } from './user.controller';
import { UsersCommands } from './users.commands';
import { UsersReader } from './users.reader';

@Module({
  controllers: [UserController],
  providers: [Admission, Authentication, TokensCommands, UsersCommands, UsersReader],
  exports: [Admission, TokensCommands, UsersCommands, UsersReader],
})
export class IdentityModule {}
