import { writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MediaStore } from './media-store';

/**
 * A program that stores and deletes pictures, and kills itself (SIGKILL) at one step. Its arguments are the URL of the
 * database, the data folder, and the name of the step.
 */
const [url = '', dataDir = '', step = ''] = process.argv.slice(2);

function killProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

async function run(): Promise<void> {
  const store = await MediaStore.open(url, dataDir);
  store.storage.interrupt = (kind, nth) => {
    if (step === `${kind} ${nth}`) killProcess();
  };
  await store.scratch.during(async (folder) => {
    writeFileSync(join(folder, 'spooled'), 'half an upload');
    if (step === 'upload') killProcess();
    if (step === 'half a file') {
      const key = await store.files.store((await store.drafts(1))[0]!);
      mkdirSync(join(dataDir, 'files', key.slice(0, 2)), { recursive: true });
      writeFileSync(join(dataDir, 'files', key.slice(0, 2), `${key}.0a1b2c.part`), 'half');
      killProcess();
    }
    const keys = await store.addAlbums(1, () => step === 'before commit' && killProcess());
    await store.deleteAlbums(keys, () => step === 'before delete commits' && killProcess());
  });
}

void run();
