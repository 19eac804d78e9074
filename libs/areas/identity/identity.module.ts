import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Admission, ADMISSION_GUARDS } from './admission';
import { Authentication } from './authentication';
import { BlocksController } from './blocks/blocks.controller';
import { BlocksService } from './blocks.service';
import { NamesSweepJob } from './names-sweep.job';
import { RouteOperationIds } from './route-operation-ids';
import { AdmissionReader } from './admission.reader';
import { Token } from './token.entity';
import { TokensCommands } from './tokens.commands';
import { User } from './user.entity';
import { UserController } from './user.controller';
import { UsersCommands } from './users.commands';
import { UsersReader } from './users.reader';
import { WebSessions } from './web-sessions';

@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([User, Token])],
  controllers: [BlocksController, UserController],
  providers: [
    ...ADMISSION_GUARDS,
    Admission,
    Authentication,
    BlocksService,
    NamesSweepJob,
    RouteOperationIds,
    AdmissionReader,
    TokensCommands,
    UsersCommands,
    UsersReader,
    WebSessions,
  ],
  exports: [
    Admission,
    BlocksService,
    NamesSweepJob,
    RouteOperationIds,
    AdmissionReader,
    TokensCommands,
    UsersCommands,
    UsersReader,
    WebSessions,
  ],
})
export class IdentityModule {}
