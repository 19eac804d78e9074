import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings';
import { requestOptions } from './data-source';
import { Database } from './database';
import { DatabaseServer } from './database-server';
import { migrate } from './migrations';

const SERVER = { provide: DatabaseServer, useFactory: (settings: Settings) => DatabaseServer.open(settings), inject: [Settings] };

@Module({ providers: [SERVER], exports: [DatabaseServer] })
class DatabaseServerModule {}

/**
 * The database for everybody: `Database`, `DataSource`, `DatabaseServer`. Areas name their entities by `TypeOrmModule.forFeature`.
 * On shutdown the pool is closed and then the share in the embedded PostgreSQL given back, after the last request.
 */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    private readonly server: DatabaseServer,
  ) {}

  /** `migrate`: apply missing migrations before anything else sees the database. */
  static forRoot(options: { migrate: boolean }): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        DatabaseServerModule,
        TypeOrmModule.forRootAsync({
          imports: [DatabaseServerModule],
          inject: [DatabaseServer, Settings],
          useFactory: async (server: DatabaseServer, settings: Settings) => {
            if (options.migrate) await migrate(server.url);
            return { ...requestOptions(server.url, settings.databasePool, settings.databaseTimeouts), autoLoadEntities: true, retryAttempts: 1 };
          },
        }),
      ],
      providers: [Database],
      exports: [Database, DatabaseServerModule],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
    await this.server.release();
  }
}
