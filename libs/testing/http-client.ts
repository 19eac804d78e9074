/** A response of the server, for assertions. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON of `text`; null if `text` is not JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read bodies of any shape
  readonly body: any;
}

type Json = Record<string, unknown> | unknown[];

export interface RequestOptions {
  readonly json?: Json;
  readonly body?: string | Buffer | FormData;
  readonly headers?: Record<string, string>;
}

/**
 * Tests ask for uncompressed responses, because compressing and decompressing each response takes a tenth of the
 * processor time of a request.
 */
export const UNCOMPRESSED = { 'accept-encoding': 'identity' } as const;

/** Sends requests over HTTP as one person. A response with an error status is returned, not thrown. */
export class HttpClient {
  constructor(
    readonly origin: string,
    protected readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** `path` is relative to /api/v1, or, after a leading `~`, to the origin. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const headers: Record<string, string> = { ...UNCOMPRESSED, ...this.headers, ...options.headers };
    const body = options.json === undefined ? options.body : JSON.stringify(options.json);
    if (options.json !== undefined) headers['content-type'] = 'application/json';
    const url = path.startsWith('~') ? this.origin + path.slice(1) : `${this.origin}/api/v1${path}`;
    const response = await fetch(url, {
      method,
      headers,
      body: (body as string | undefined) ?? null,
      redirect: 'manual',
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  post(path: string, json?: Json): Promise<Answer> {
    return this.send('POST', path, json === undefined ? {} : { json });
  }

  put(path: string, json?: Json): Promise<Answer> {
    return this.send('PUT', path, json === undefined ? {} : { json });
  }

  patch(path: string, json: Json): Promise<Answer> {
    return this.send('PATCH', path, { json });
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path);
  }

  /** Sends a multipart form with text fields and files, in the given order. */
  upload(
    path: string,
    parts: readonly (readonly [name: string, value: string | Blob, fileName?: string])[],
    method = 'POST',
  ): Promise<Answer> {
    const form = new FormData();
    for (const [name, value, fileName] of parts) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, value, fileName ?? 'file');
    }
    return this.send(method, path, { body: form });
  }
}

/** The JSON of a text; null if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
