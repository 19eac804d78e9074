import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** People and secret scanners recognize a token of this service by this prefix. */
const PREFIX = 'evt_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 36 characters from an alphabet of 62 are 214 random bits; ACC-3 requires 160. */
const RANDOM_CHARACTERS = 36;
const CHECKSUM_CHARACTERS = 6;
/**
 * The kinds of tokens. `personal`: created by a person, with an access level; `narrow`: created by a person, with a
 * list of scopes; `door`: the secret of a door link, with which a helper without an account checks people in; `app`:
 * issued to a connected app. The checksum of a secret shows its kind, so only the table of this kind is read.
 */
export const TOKEN_KINDS = ['personal', 'narrow', 'door', 'app'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);
/** The largest multiple of 62 below 256. Bytes from 248 on are discarded, so that all characters are equally likely. */
const BYTE_LIMIT = 248;

/** A new secret: prefix, random characters, checksum. */
export function mintSecret(kind: TokenKind = 'personal'): string {
  let random = '';
  while (random.length < RANDOM_CHARACTERS) random += charactersOf(randomBytes(RANDOM_CHARACTERS));
  return assemble(random, kind);
}

/** The secret derived from a key of 64 bytes. The same key and kind always give the same secret. */
export function secretOf(key: Buffer, kind: TokenKind = 'personal'): string {
  return assemble(charactersOf(key), kind);
}

function assemble(characters: string, kind: TokenKind): string {
  const random = characters.slice(0, RANDOM_CHARACTERS);
  return PREFIX + random + checksum(random, kind);
}

function charactersOf(bytes: Buffer): string {
  return [...bytes]
    .filter((byte) => byte < BYTE_LIMIT)
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join('');
}

/** The kind of the secret; null for a mistyped or invented secret. This check needs no database query. */
export function kindOf(secret: string): TokenKind | null {
  if (!SHAPE.test(secret)) return null;
  const random = secret.slice(PREFIX.length, PREFIX.length + RANDOM_CHARACTERS);
  return TOKEN_KINDS.find((kind) => secret.endsWith(checksum(random, kind))) ?? null;
}

function checksum(random: string, kind: TokenKind): string {
  let remaining = crc32(kind === 'personal' ? random : `${kind}:${random}`);
  let out = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    out = (ALPHABET[remaining % ALPHABET.length] as string) + out;
    remaining = Math.floor(remaining / ALPHABET.length);
  }
  return out;
}
