import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** Faults that a test requests in an authenticator's response, to check that the server refuses such a response. */
export interface ResponseFaults {
  /** The origin of the page, as reported by the browser. */
  readonly origin?: string;
  /** The host name for which the key is used. */
  readonly host?: string;
  readonly challenge?: string;
  /** Whether the device has verified the person, for example by a fingerprint; true if absent. */
  readonly verifies?: boolean;
  /** Another authenticator, whose key signs the response. */
  readonly signedBy?: Authenticator;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const NEW_CREDENTIAL = 0x40;

/**
 * A device with one passkey (WebAuthn, ES256), without a browser. Its responses are valid if the test requests no
 * faults.
 */
export class Authenticator {
  readonly id = randomBytes(32).toString('base64url');
  private readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(
    private readonly origin: string,
    private readonly host = new URL(origin).hostname,
  ) {}

  /** The response to a browser's request to create a passkey, as the form sends it. */
  register({ challenge }: { readonly challenge: string }, faults: ResponseFaults = {}): string {
    const id = Buffer.from(this.id, 'base64url');
    const authData = Buffer.concat([
      this.authenticatorData(NEW_CREDENTIAL, faults),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      coseKey(this.pair.publicKey),
    ]);
    // {"fmt": "none", "attStmt": {}, "authData": bytes} in CBOR.
    const attestation = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      Buffer.from('fmt'),
      Buffer.from([0x64]),
      Buffer.from('none'),
      Buffer.from([0x67]),
      Buffer.from('attStmt'),
      Buffer.from([0xa0]),
      Buffer.from([0x68]),
      Buffer.from('authData'),
      Buffer.from([0x58, authData.length]),
      authData,
    ]);
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', challenge, faults).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The response to a browser's request for a passkey, as the form sends it. */
  authenticate({ challenge }: { readonly challenge: string }, faults: ResponseFaults = {}): string {
    const [authData, clientData] = [
      this.authenticatorData(0, faults),
      this.clientData('webauthn.get', challenge, faults),
    ];
    const signature = sign(
      'sha256',
      Buffer.concat([authData, sha256(clientData)]),
      (faults.signedBy ?? this).pair.privateKey,
    );
    return this.answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  private answer(response: object): string {
    return JSON.stringify({ id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} });
  }

  private authenticatorData(flags: number, { host = this.host, verifies = true }: ResponseFaults): Buffer {
    // The counter is always zero, as in synced passkeys. If the counter increased, a server could refuse a repeated
    // response because of the counter. Tests would then not notice that the server does not check the challenge.
    const counter = Buffer.alloc(4);
    return Buffer.concat([
      sha256(Buffer.from(host)),
      Buffer.from([PRESENT | flags | (verifies ? VERIFIED : 0)]),
      counter,
    ]);
  }

  private clientData(type: string, challenge: string, faults: ResponseFaults): Buffer {
    return Buffer.from(
      JSON.stringify({
        type,
        challenge: faults.challenge ?? challenge,
        origin: faults.origin ?? this.origin,
        crossOrigin: false,
      }),
    );
  }
}

/** An ES256 key in CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, 'base64url'),
  ]);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
