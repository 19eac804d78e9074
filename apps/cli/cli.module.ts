import { Module, type DynamicModule } from '@nestjs/common';
import { AreasModule } from '#areas/areas.module';
import { Settings } from '#platform/config/settings';
import { PlatformModule } from '#platform/platform.module';

/** The modules of the command line: all areas and the platform, without the HTTP server and the pages. */
@Module({})
export class CliModule {
  static with(settings: Settings): DynamicModule {
    return { module: CliModule, imports: [PlatformModule.with(settings), AreasModule] };
  }
}
