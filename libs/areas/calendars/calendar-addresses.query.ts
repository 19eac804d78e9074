import { statement } from '#platform/database/database';

export const ADDRESS_OF = statement(
  'calendars_address_of',
  'SELECT secret_sealed FROM calendar_addresses WHERE user_id = $1',
);

/** Adds an address: $1 user, $2 encrypted secret, $3 hash of the secret, $4 now. An existing address is not changed. */
export const ADD_ADDRESS = statement(
  'calendars_add_address',
  'INSERT INTO calendar_addresses (user_id, secret_sealed, secret_hash, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (user_id) DO NOTHING',
);

/** Like ADD_ADDRESS, but replaces an existing address. */
export const RENEW_ADDRESS = statement(
  'calendars_renew_address',
  `INSERT INTO calendar_addresses (user_id, secret_sealed, secret_hash, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (user_id) DO UPDATE SET secret_sealed = $2, secret_hash = $3, created_at = $4`,
);

export const OWNER_OF_ADDRESS = statement(
  'calendars_owner_of_address',
  'SELECT user_id FROM calendar_addresses WHERE secret_hash = $1',
);
