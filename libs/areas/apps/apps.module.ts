import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { AppDocuments } from './app-documents';
import { AppsCommands } from './apps.commands';
import { AppsService } from './apps.service';
import { AppsSweepJob } from './apps-sweep.job';
import { AuthorizationServer } from './authorization-server';
import { ConnectionsService } from './connections.service';
import { ConsentsService } from './consents.service';
import { DevicesService } from './devices.service';
import { GrantsCommands } from './grants.commands';
import { OAuthStorage } from './oauth/adapter';
import { KeyedHashes } from './secrets';

@Module({
  imports: [IdentityModule, NotificationsModule],
  providers: [
    AppDocuments,
    AppsCommands,
    AppsService,
    AppsSweepJob,
    AuthorizationServer,
    ConnectionsService,
    ConsentsService,
    DevicesService,
    GrantsCommands,
    KeyedHashes,
    OAuthStorage,
  ],
  exports: [
    AppsCommands,
    AppsService,
    AppsSweepJob,
    AuthorizationServer,
    ConnectionsService,
    ConsentsService,
    DevicesService,
  ],
})
export class AppsModule {}
