import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { Database, type Transaction } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import type { User } from '../identity/user.entity';
import {
  DELETE_PASSKEY,
  DELETE_PASSKEYS,
  DROP_CHALLENGES,
  INSERT_PASSKEY,
  LOCK_PASSKEY,
  STORE_PASSKEY_USE,
  PASSKEY,
  PASSKEYS,
  USE_CHALLENGE,
  type PasskeyRow,
} from './second-step.query';

/** The data that the owner of a passkey sees. */
export interface Passkey {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A challenge that was sent to a browser, and the expiry of the challenge. */
export interface Challenge {
  readonly challenge: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** The requested passkey: a passkey of one account, or any discoverable passkey. */
type RequestedPasskey = { readonly userId: number } | 'anybody';

/** Browsers send the id of a passkey in base64url. Other texts are not looked up. */
const CREDENTIAL_ID = /^[\w-]{16,1400}$/;

/** The ways to reach the device of a passkey. If a browser reports other values, these values are not stored. */
const TRANSPORTS: ReadonlySet<unknown> = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);

/** Adds, lists, verifies and removes passkeys (STEP-4 to STEP-6). */
@Injectable()
export class PasskeysCommands {
  private readonly origin: string;
  private readonly host: string;

  constructor(
    private readonly database: Database,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
    settings: Settings,
  ) {
    const { origin, hostname } = new URL(settings.baseUrl);
    this.origin = origin;
    this.host = hostname;
  }

  /** Whether browsers support passkeys at BASE_URL: only for host names, over https or on localhost. */
  get areSupported(): boolean {
    return (
      isIP(this.host.replace(/^\[|\]$/g, '')) === 0 && (this.origin.startsWith('https:') || this.host === 'localhost')
    );
  }

  async list(userId: number): Promise<Passkey[]> {
    const rows = await this.database.rows<PasskeyRow>(PASSKEYS, [userId]);
    return rows.map(({ id, name, created_at, last_used_at }) => ({
      id: Number(id),
      name,
      createdAt: created_at,
      lastUsedAt: last_used_at,
    }));
  }

  /** The options with which a browser creates a passkey. */
  async creationOptions(
    user: Pick<User, 'id' | 'name' | 'email' | 'slug'>,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const existing = await this.database.rows<PasskeyRow>(PASSKEYS, [user.id]);
    const { generateRegistrationOptions } = await webAuthn();
    return generateRegistrationOptions({
      rpName: this.host,
      rpID: this.host,
      userName: user.email ?? user.slug,
      userDisplayName: user.name,
      // All passkeys of an account have the same user id. If a passkey is removed from the account, the device still
      // has it until a new passkey with the same user id replaces it.
      userID: Uint8Array.from(Buffer.from(this.wire.id('user', user.id))),
      attestationType: 'none',
      timeout: LIMITS.second_step.challenge * 1000,
      excludeCredentials: existing.map(descriptorOf),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
  }

  /**
   * Stores a new passkey. Returns false for a response that is invalid, late or repeated, and for a passkey that is
   * already stored. The calling code must have locked the account.
   */
  async add(
    tx: Transaction,
    userId: number,
    name: string,
    { challenge, until }: Challenge,
    answer: unknown,
  ): Promise<boolean> {
    if (!isAnswer(answer) || !(await this.useChallenge(tx, { challenge, until }))) return false;
    const { verifyRegistrationResponse } = await webAuthn();
    const verification = await nullIfThrown(
      verifyRegistrationResponse({
        response: answer as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: this.origin,
        expectedRPID: this.host,
        requireUserVerification: false,
      }),
    );
    if (!verification?.verified) return false;
    const { id, publicKey, counter, transports } = verification.registrationInfo.credential;
    const known = Array.isArray(transports) ? transports.filter((one) => TRANSPORTS.has(one)) : [];
    return (
      (await tx.rows(INSERT_PASSKEY, [userId, id, Buffer.from(publicKey), counter, known, name, this.clock.now()]))
        .length > 0
    );
  }

  /** The options with which a browser presents a passkey. */
  async requestOptions(wanted: RequestedPasskey): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const ownPasskeys = wanted === 'anybody' ? null : await this.database.rows<PasskeyRow>(PASSKEYS, [wanted.userId]);
    const { generateAuthenticationOptions } = await webAuthn();
    return generateAuthenticationOptions({
      rpID: this.host,
      timeout: LIMITS.second_step.challenge * 1000,
      ...(ownPasskeys && { allowCredentials: ownPasskeys.map(descriptorOf) }),
      userVerification: ownPasskeys ? 'preferred' : 'required',
    });
  }

  /**
   * The id of the account that owns the passkey of a response; null for an unknown passkey. Does not verify the
   * response.
   */
  async accountOf(answer: unknown): Promise<number | null> {
    const [row] = isAnswer(answer) ? await this.database.rows<PasskeyRow>(PASSKEY, [answer.id]) : [];
    return row ? Number(row.user_id) : null;
  }

  /**
   * Verifies a response and returns the account of the passkey. Returns null if the response is invalid, late or
   * repeated, or if the passkey is unknown or belongs to an account other than `wanted`. If the passkey also replaces
   * the password (`wanted` is 'anybody'), the device must have verified the person, for example by a fingerprint or a
   * PIN.
   */
  async verify(
    tx: Transaction,
    wanted: RequestedPasskey,
    { challenge, until }: Challenge,
    answer: unknown,
  ): Promise<number | null> {
    if (!isAnswer(answer) || !(await this.useChallenge(tx, { challenge, until }))) return null;
    const [row] = await tx.rows<PasskeyRow>(LOCK_PASSKEY, [answer.id]);
    if (!row || (wanted !== 'anybody' && Number(row.user_id) !== wanted.userId)) return null;
    const { verifyAuthenticationResponse } = await webAuthn();
    const verification = await nullIfThrown(
      verifyAuthenticationResponse({
        response: answer as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: this.origin,
        expectedRPID: this.host,
        credential: {
          ...descriptorOf(row),
          publicKey: Uint8Array.from(row.public_key),
          counter: Number(row.counter),
        } satisfies WebAuthnCredential,
        requireUserVerification: wanted === 'anybody',
      }),
    );
    if (!verification?.verified) return null;
    await tx.rows(STORE_PASSKEY_USE, [row.id, verification.authenticationInfo.newCounter, this.clock.now()]);
    return Number(row.user_id);
  }

  /** Deletes a passkey. Returns false if the account has no such passkey. */
  async remove(tx: Transaction, userId: number, id: number): Promise<boolean> {
    return (await tx.rows(DELETE_PASSKEY, [userId, id])).length > 0;
  }

  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.rows(DELETE_PASSKEYS, [userId]);
  }

  /** Marks a challenge as used. Returns false if the challenge has expired or was already used. */
  private async useChallenge(tx: Transaction, { challenge, until }: Challenge): Promise<boolean> {
    const now = this.clock.now();
    if (now.getTime() >= until) return false;
    await tx.rows(DROP_CHALLENGES, [now]);
    return (await tx.rows(USE_CHALLENGE, [challenge, new Date(until)])).length > 0;
  }
}

/**
 * Loads the library when a passkey is used for the first time, because its 280 files would add a tenth to the start-up
 * time.
 */
const webAuthn = () => import('@simplewebauthn/server');

function descriptorOf({ credential_id, transports }: PasskeyRow): { id: string; transports: AuthenticatorTransport[] } {
  return { id: credential_id, transports: transports as AuthenticatorTransport[] };
}

function isAnswer(answer: unknown): answer is { id: string } {
  const id = (answer as { id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' && CREDENTIAL_ID.test(id);
}

/** Returns null if the library throws. For a wrong signature, the library does not throw: `verified` is false. */
async function nullIfThrown<T>(verified: Promise<T>): Promise<T | null> {
  try {
    return await verified;
  } catch {
    return null;
  }
}
