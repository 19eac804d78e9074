import { type DynamicModule, Module } from '@nestjs/common';
import { Settings } from './settings';

/** Provides one `Settings` object globally: `SettingsModule.with(loadSettings())`. */
@Module({})
export class SettingsModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [{ provide: Settings, useValue: settings }],
      exports: [Settings],
    };
  }
}
