import { Module, type DynamicModule } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { AREAS, AreasModule } from '#areas/areas.module';
import { Settings } from '#platform/config/settings';
import { PlatformModule, type PlatformReplacements } from '#platform/platform.module';
import { WebModule } from '#web/web.module';
import { HealthController } from './health.controller';
import { API } from '#platform/http/paths';
import { Readiness } from './readiness';

/** The module of the server: the platform, all areas, the pages and the probes. */
@Module({})
export class ServerModule {
  static with(settings: Settings, replacements: PlatformReplacements = {}): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        PlatformModule.with(settings, replacements),
        AreasModule,
        RouterModule.register([{ path: API, children: [...AREAS] }]),
        WebModule,
      ],
      controllers: [HealthController],
      providers: [Readiness],
    };
  }
}
