/** A mail that the sandbox has stored instead of sending it. */
export interface SandboxMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly { readonly name: string; readonly type: string }[];
  readonly at: string;
}

/** The new time, and how often each job has run because the time was moved. */
export interface SandboxMove {
  readonly now: string;
  readonly ran: Readonly<Record<string, number>>;
}

/** Controls a sandbox (`npm run sandbox` in the service's repository) in tests of a client. */
export interface Sandbox {
  /** Moves the time forward by at most a year. When the promise resolves, all jobs that were due have run. */
  advance(seconds: number): Promise<SandboxMove>;
  /** Like `advance`, but moves the time forward to `time`, which is at most a year after the sandbox's current time. */
  setNow(time: Date | string): Promise<SandboxMove>;
  /** Restores the initial state: data, files, mails, tokens, limits and the real time. */
  reset(): Promise<void>;
  /** Returns all stored mails, the newest first. */
  mail(): Promise<readonly SandboxMail[]>;
}

/** Returns the controls of a sandbox. @param baseUrl the value `base_url` in the line that the sandbox prints */
export function sandbox(baseUrl: string): Sandbox {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${baseUrl}/sandbox/${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
    const answer = (await response.json()) as { data: T; message?: string };
    if (!response.ok) throw new Error(`The sandbox refused ${method} ${path}: ${response.status} ${answer.message}`);
    return answer.data;
  };
  return {
    advance: (seconds) => call('POST', 'clock', { advance: seconds }),
    setNow: (time) => call('POST', 'clock', { now: typeof time === 'string' ? time : time.toISOString() }),
    reset: async () => void (await call('POST', 'reset', {})),
    mail: () => call('GET', 'mail'),
  };
}
