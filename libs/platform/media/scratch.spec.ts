import { promises, mkdtempSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceBusy } from '../capacity/service-busy';
import { Scratch } from './scratch';
import { OWN_PREFIX } from '../workers/work-owner';

const MB = 2 ** 20;

describe('Scratch', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'scratch-'))));
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  // WIRE-44
  describe('on a disk with 100 MB of free space', () => {
    beforeEach(() => {
      const statfs = { bavail: 100, bsize: MB } as Awaited<ReturnType<typeof promises.statfs>>;
      jest.spyOn(promises, 'statfs').mockResolvedValue(statfs);
    });
    const pendingWork = () => {
      let end = () => undefined as void;
      const work = new Promise<void>((resolve) => (end = resolve));
      return { work, end };
    };

    it('reserves space only while 64 MB remain free, also for a hundred parallel requests', async () => {
      const scratch = new Scratch(folder);
      const { work, end } = pendingWork();
      const reservations = Promise.allSettled(Array.from({ length: 100 }, () => scratch.reserving(5 * MB, () => work)));
      await new Promise((resolve) => setTimeout(resolve, 50));
      end();
      const outcomes = await reservations;
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ServiceBusy);
    });

    it('releases a reservation gradually while its bytes are written, and completely when its work ends or fails', async () => {
      const scratch = new Scratch(folder);
      const available = 36 * MB;
      await scratch.reserving(available, () => Promise.resolve());
      await expect(scratch.reserving(available, () => Promise.reject(new Error('left')))).rejects.toThrow('left');
      await scratch.reserving(available, async (reservation) => {
        await expect(scratch.reserving(1, () => Promise.resolve())).rejects.toBeInstanceOf(ServiceBusy);
        reservation.written(10 * MB);
        await scratch.reserving(10 * MB, () => Promise.resolve());
        // Writing more bytes than were reserved must not release more than the reservation.
        reservation.written(2 * available);
      });
      await expect(scratch.reserving(available + 1, () => Promise.resolve())).rejects.toBeInstanceOf(ServiceBusy);
    });
  });

  // OPS-44
  it('deletes the folders of dead processes of this machine, and no other folders', async () => {
    const host = hostname()
      .toLowerCase()
      .replace(/[^a-z0-9.]/g, '_');
    // The second name contains the id of this process, but another start time. So it belongs to an earlier process.
    const dead = [`work-${host}-4194999-123-aaaaaa`, `work-${host}-${process.pid}-1-bbbbbb`];
    const others = [`${OWN_PREFIX}cccccc`, 'work-another_host-4194999-123-dddddd', 'work-eeeeee', 'notes.txt'];
    for (const name of [...dead, ...others]) mkdirSync(join(folder, name));
    expect(await new Scratch(folder).removeFoldersOfDeadProcesses()).toBe(2);
    expect(readdirSync(folder).sort()).toEqual([...others].sort());
  });

  // OPS-44
  it('deletes the folder of unfinished work when the server stops', async () => {
    const scratch = new Scratch(folder);
    await new Promise<void>((begun) => void scratch.during(() => new Promise(() => begun())));
    expect(readdirSync(folder)).toHaveLength(1);
    await scratch.onApplicationShutdown();
    expect(readdirSync(folder)).toEqual([]);
  });
});
