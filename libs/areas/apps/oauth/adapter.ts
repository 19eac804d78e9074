import { Injectable } from '@nestjs/common';
import type { Adapter } from 'oidc-provider';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { KeyedHashes } from '../secrets';
import { AccessTokenRows } from './access-tokens.adapter';
import { currentCall } from './call';
import { ClientRows } from './clients.adapter';
import { AuthorizationCodeRows, DeviceCodeRows, RefreshTokenRows } from './codes.adapter';
import { GrantRows, InteractionRows } from './grants.adapter';
import { LibraryTimes } from './library-times';
import { NullAdapter, type StorageOfCall } from './rows';

/**
 * Stores the objects of the library oidc-provider in the tables of this service. The library identifies a code, a token
 * or an interaction by its secret value. The row contains only the hash of this value, and the value is removed from
 * the row's payload. The library uses the system's time, but the times in the rows come from `Clock` (library-times.ts
 * converts them).
 */
@Injectable()
export class OAuthStorage {
  private readonly times: LibraryTimes;

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly keyedHashes: KeyedHashes,
    clock: Clock,
  ) {
    this.times = new LibraryTimes(clock);
  }

  /** The function for the library's setting `adapter`. It returns the storage of a model of the library. */
  readonly adapterOf = (model: string): Adapter => {
    switch (model) {
      case 'Client':
        return new ClientRows(this.storage);
      case 'Grant':
        return new GrantRows(this.storage);
      case 'AccessToken':
        return new AccessTokenRows(this.storage);
      case 'AuthorizationCode':
        return new AuthorizationCodeRows(this.storage);
      case 'RefreshToken':
        return new RefreshTokenRows(this.storage);
      case 'DeviceCode':
        return new DeviceCodeRows(this.storage);
      case 'Interaction':
        return new InteractionRows(this.storage, this.settings.baseUrl);
      default:
        // Other models are not stored. Sessions of the library, for example, are not needed, because people sign in on
        // the web pages of this service.
        return new NullAdapter();
    }
  };

  private readonly storage: StorageOfCall = () => {
    const { tx = null, ip = '' } = currentCall.getStore() ?? {};
    return {
      reads: tx ?? this.database,
      writes: tx ?? this.database.autocommit,
      times: this.times,
      keyedHashes: this.keyedHashes,
      ip,
    };
  };
}
