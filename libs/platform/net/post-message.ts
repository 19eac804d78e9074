import http from 'node:http';
import https from 'node:https';
import { LIMITS } from '#contract/limits';
import { pinnedTo, type ReachableAddress } from './reachable-address';

/** A receiver's response. */
export interface ReceiverAnswer {
  /** Null if no status line arrived in time, or if the request failed before a status line arrived. */
  readonly status: number | null;
  /** The beginning of the body; if `status` is null, the reason for the missing status. */
  readonly text: string;
  readonly retryAfter?: string;
}

export interface PostedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Seconds in which the status line must arrive. After this time, the body is not read any further either. */
  readonly within: number;
  /** When this signal is aborted, the body is not read any further. The status line is still awaited. */
  readonly stop: AbortSignal;
}

const { read: maxReadBytes, kept: maxKept } = LIMITS.webhooks.answer;

/**
 * Posts a message to the checked address, even if the host name of the URL now resolves to another address. Follows no
 * redirect, and closes the connection. Reads a limited part of the body, for a limited time. Only the status line
 * decides whether the receiver has accepted the message.
 */
export function postMessage(
  target: ReachableAddress,
  { headers, body, within, stop }: PostedMessage,
): Promise<ReceiverAnswer> {
  const { url } = target;
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve) => {
    const sending = request(url, {
      method: 'POST',
      agent: false,
      lookup: pinnedTo(target),
      headers: { 'content-length': body.length, ...headers },
    });
    let answer: ReceiverAnswer = { status: null, text: 'no answer in time' };
    const finish = (): void => {
      clearTimeout(deadline);
      stop.removeEventListener('abort', finish);
      resolve(answer);
      sending.destroy();
    };
    const deadline = setTimeout(finish, within * 1000);
    sending.on('error', (error) => {
      if (answer.status === null) answer = { status: null, text: error.message.slice(0, maxKept) };
      finish();
    });
    sending.on('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const retryAfter = response.headers['retry-after'];
      answer = { status: response.statusCode ?? null, text: '', ...(retryAfter !== undefined && { retryAfter }) };
      response.on('data', (chunk: Buffer) => {
        if (length < maxKept) chunks.push(chunk.subarray(0, maxKept - length));
        length += chunk.length;
        answer = { ...answer, text: Buffer.concat(chunks).toString('utf8').replaceAll('\0', '') };
        if (length >= maxReadBytes) finish();
      });
      response.on('end', finish);
      response.on('error', finish);
      response.on('close', finish);
      stop.addEventListener('abort', finish);
      if (stop.aborted) finish();
    });
    sending.end(body);
  });
}
