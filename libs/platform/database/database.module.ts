import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings';
import { DIRECT_DATA_SOURCE, requestOptions } from './data-source';
import { Database } from './database';
import { DatabaseServer } from './database-server';
import { migrate } from './migrations';
import { openReplication } from './replicas/open-replication';
import { ReadingDatabase, type Replication } from './replicas/reading-database';

/**
 * The connections for the locks of jobs. A lock holds a connection until its job ends. If requests connect to
 * PostgreSQL directly, locks use the pool of the requests. If requests use a connection pooler, locks use
 * `DIRECT_CONNECTIONS` direct connections.
 */
const DIRECT = {
  provide: DIRECT_DATA_SOURCE,
  inject: [DatabaseServer, DataSource],
  useFactory: async ({ url, requests }: DatabaseServer, source: DataSource) =>
    requests.pooled ? new DataSource(requestOptions(url, DIRECT_CONNECTIONS)).initialize() : source,
};

const SERVER = {
  provide: DatabaseServer,
  useFactory: (settings: Settings) => DatabaseServer.open(settings),
  inject: [Settings],
};

const REPLICATION = Symbol('REPLICATION');
const READING = [
  { provide: REPLICATION, inject: [Settings, DatabaseServer], useFactory: openReplication },
  {
    provide: ReadingDatabase,
    inject: [Database, REPLICATION],
    useFactory: (database: Database, replication: Replication | null) => new ReadingDatabase(database, replication),
  },
];

/** One connection for the scheduled jobs, which run one after another, and one for a job that an operator starts. */
const DIRECT_CONNECTIONS = 2;

@Module({ providers: [SERVER], exports: [DatabaseServer] })
class DatabaseServerModule {}

/**
 * Provides `Database`, `ReadingDatabase`, `DataSource`, `DIRECT_DATA_SOURCE` and `DatabaseServer` globally. Areas
 * register their entities with `TypeOrmModule.forFeature`. The shutdown closes the pools after the last request, and
 * then releases the embedded PostgreSQL, which ends when no process uses it any more.
 */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(DIRECT_DATA_SOURCE) private readonly direct: DataSource,
    private readonly reading: ReadingDatabase,
    private readonly server: DatabaseServer,
  ) {}

  /** Missing migrations are applied before any other provider uses the database. */
  static forRoot(): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        DatabaseServerModule,
        TypeOrmModule.forRootAsync({
          imports: [DatabaseServerModule],
          inject: [DatabaseServer, Settings],
          useFactory: async (server: DatabaseServer, settings: Settings) => {
            await migrate(server.url);
            return {
              ...requestOptions(
                server.requests.url,
                settings.databasePool,
                settings.databaseTimeouts,
                server.requests.pooled,
              ),
              autoLoadEntities: true,
              retryAttempts: 1,
            };
          },
        }),
      ],
      providers: [Database, DIRECT, ...READING],
      exports: [Database, ReadingDatabase, DIRECT_DATA_SOURCE, DatabaseServerModule],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.reading.close();
    if (this.direct !== this.dataSource) await this.direct.destroy();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
    await this.server.release();
  }
}
