import { Module, type DynamicModule } from '@nestjs/common';
import { AreasModule } from '#areas/areas.module';
import { Settings } from '#platform/config/settings';
import { PlatformModule } from '#platform/platform.module';
import { ApplyService } from './apply/apply.service';
import { ApplyEvents } from './apply/apply-events';
import { ApplyUsers } from './apply/apply-users';

@Module({})
export class CliModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: CliModule,
      imports: [PlatformModule.with(settings), AreasModule],
      providers: [ApplyService, ApplyUsers, ApplyEvents],
    };
  }
}
