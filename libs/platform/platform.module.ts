import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ChangesLogModule } from './changes/changes-log.module';
import { AuditLog } from './audit/audit-log';
import { CursorSealer } from './changes/cursor';
import { Sealer, SealingKeys } from './config/sealer';
import { Settings } from './config/settings';
import { Database } from './database/database';
import { DatabaseServer } from './database/database-server';
import { DatabaseModule } from './database/database.module';
import { PublicIds } from './http/public-ids';
import { RouteTable } from './http/routes';
import { WireFormat } from './http/wire-format';
import { isInstallationSecret, openInstallation, type Installation } from './installation/installation';
import { Maintenance } from './maintenance/maintenance';
import { MailModule } from './mail/mail.module';
import { MediaModule } from './media/media.module';
import { HostNames } from './net/host-names';
import { RateLimitModule } from './rate-limit/rate-limit.module';
import { RetriesModule } from './retries/retries.module';
import type { Mailbox } from './mail/mailbox';
import { Clock } from './time/clock';
import { UploadsModule } from './uploads/uploads.module';

const INSTALLATION = Symbol('installation');

/** Replacements for the service's clock and mail server. The sandbox uses them. */
export interface PlatformReplacements {
  readonly clock?: Clock;
  readonly mailbox?: Mailbox;
}

/**
 * Provides the services of the platform globally, for the server and the command line. `AreasModule` provides the jobs
 * and the reactions to signals.
 */
@Global()
@Module({})
export class PlatformModule {
  static with(settings: Settings, { clock, mailbox }: PlatformReplacements = {}): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        DatabaseModule.forRoot(),
        MailModule.with(mailbox),
        MediaModule,
        UploadsModule,
        RetriesModule,
        ChangesLogModule,
        RateLimitModule,
      ],
      providers: [
        { provide: Settings, useValue: settings },
        clock ? { provide: Clock, useValue: clock } : Clock,
        AuditLog,
        HostNames,
        Maintenance,
        RouteTable,
        {
          provide: INSTALLATION,
          inject: [Database, Settings],
          useFactory: (database: Database, { appSecret }: Settings) => openInstallation(database, appSecret),
        },
        { provide: PublicIds, inject: [INSTALLATION], useFactory: ({ salts }: Installation) => new PublicIds(salts) },
        {
          provide: CursorSealer,
          inject: [INSTALLATION],
          useFactory: ({ salts }: Installation) => new CursorSealer(salts.get('change') ?? ''),
        },
        {
          provide: Sealer,
          inject: [INSTALLATION, Settings, DatabaseServer],
          useFactory: ({ formerSecret }: Installation, { appSecret }: Settings, { url }: DatabaseServer) =>
            new Sealer(new SealingKeys(appSecret, formerSecret), () => isInstallationSecret(url, appSecret)),
        },
        {
          provide: WireFormat,
          inject: [PublicIds, Settings],
          useFactory: (ids: PublicIds, { baseUrl, mediaBaseUrl }: Settings) =>
            new WireFormat(ids, baseUrl, mediaBaseUrl),
        },
      ],
      exports: [
        Settings,
        Clock,
        AuditLog,
        HostNames,
        Maintenance,
        RouteTable,
        PublicIds,
        CursorSealer,
        Sealer,
        WireFormat,
      ],
    };
  }
}
