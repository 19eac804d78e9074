import { Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ADMIN_URL } from '#testing/test-cluster';
import { currentRequest } from '../context/current-request';
import type { Database } from '../database/database';
import type { DatabaseServer } from '../database/database-server';
import type { ChangeSequencer } from './change-sequencer';
import { CommitNotifier } from './commit-notifier';

describe('CommitNotifier', () => {
  it.each([
    ['logs a warning', false],
    ['logs nothing during the shutdown', true],
  ])('notifies its listeners and %s if the changes of a commit cannot be numbered', async (_, isClosing) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const failure = new Error('the connection is closed');
    let commit: () => void = () => undefined;
    const notifier = new CommitNotifier(
      { whenCommitted: (listener: () => void) => (commit = listener) } as unknown as Database,
      { numberAndNotify: () => Promise.reject(failure) } as unknown as ChangeSequencer,
      { url: '' } as DatabaseServer,
    );
    if (isClosing) notifier.beforeApplicationShutdown();
    await new Promise<void>((notified) => {
      notifier.subscribe(notified);
      commit();
    });
    expect(warn.mock.calls).toEqual(isClosing ? [] : [[{ err: failure }, expect.any(String)]]);
    warn.mockRestore();
    await notifier.onApplicationShutdown();
  });

  it('calls its listeners outside the request that has opened the connection for LISTEN', async () => {
    const notifier = new CommitNotifier(
      { whenCommitted: () => undefined } as unknown as Database,
      {} as ChangeSequencer,
      { url: process.env[ADMIN_URL] } as DatabaseServer,
    );
    const request = await new Promise((notified) => {
      notifier.subscribe(() => notified(currentRequest.getStore()));
      currentRequest.run({ id: 'first' } as FastifyRequest, () => notifier.listenRemote());
    });
    expect(request).toBeUndefined();
    await notifier.onApplicationShutdown();
  });
});
