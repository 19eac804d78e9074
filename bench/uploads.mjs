// Measures the server's memory and the total time of ten concurrent uploads of 15 MiB each: first for each of the
// formats that are most expensive to decode, then for a mix of these formats.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { apply, IN_A_MONTH, residentMiB, startService } from './lib/service.mjs';

const PEOPLE = 10;
const BYTES = 15 * 1024 * 1024;
const GOAL_MIB = 400;
const dataDir = mkdtempSync(join(tmpdir(), 'events-bench-'));
const env = { DATA_DIR: dataDir, RATE_LIMIT_TOKEN_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' };

/**
 * Pairs of a name and a large picture that the service accepts. Zeros after the end of the picture make each file 15
 * MiB large; decoders do not read these zeros.
 */
async function pictures() {
  const noise = await sharp({
    create: {
      width: 1300,
      height: 975,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  const large = (width, height) => sharp(noise).resize(width, height, { kernel: 'cubic' });
  const pictureByFormat = {
    'JPEG, 39 MP': large(7200, 5400).jpeg({ quality: 60 }),
    'progressive JPEG, 30 MP': large(6300, 4800).jpeg({ quality: 40, progressive: true, chromaSubsampling: '4:4:4' }),
    'interlaced PNG, 24 MP': large(6000, 4000).png({ palette: true, colours: 8, progressive: true }),
    'WebP, 39 MP': large(7200, 5400).webp({ quality: 30, effort: 0 }),
    'AVIF, 12 MP': large(4000, 3000).avif({ quality: 30, effort: 0 }),
    'GIF, 39 MP': large(7200, 5400).gif({ colours: 4, effort: 1, dither: 0 }),
  };
  const padded = async ([name, picture]) => {
    const bytes = await picture.toBuffer();
    if (bytes.length > BYTES) throw new Error(`${name} has ${bytes.length} bytes`);
    return [name, Buffer.concat([bytes, Buffer.alloc(BYTES - bytes.length)])];
  };
  return Promise.all(Object.entries(pictureByFormat).map(padded));
}

const service = await startService(env);
try {
  const slugs = Array.from({ length: PEOPLE }, (_, i) => `guest-${i}`);
  const created = await apply(
    {
      users: slugs.map((slug) => ({ slug, name: slug, verified: true, tokens: [{ name: 'bench', access: 'write' }] })),
      events: [
        {
          key: 'party',
          organizer: slugs[0],
          title: 'Party',
          starts_at: IN_A_MONTH,
          photos_enabled: true,
          participants: slugs.slice(1).map((user) => ({ user, status: 'confirmed' })),
        },
      ],
    },
    env,
  );
  const before = residentMiB(service.pid);
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, residentMiB(service.pid))), 10);
  const results = {};
  const formats = await pictures();
  for (const [name, ...sent] of [...formats, ['all of these', ...formats.map(([, bytes]) => bytes)]]) {
    peak = 0;
    const since = performance.now();
    const statuses = await Promise.all(
      created.users.map(async ({ tokens }, i) => {
        const form = new FormData();
        form.append('photos[]', new Blob([sent[i % sent.length]]), 'photo');
        const answer = await fetch(`${service.origin}/api/v1/events/${created.events[0].id}/photos`, {
          method: 'POST',
          headers: { authorization: `Bearer ${tokens[0].token}` },
          body: form,
        });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    results[name] = {
      accepted: statuses.filter((status) => status === 201).length,
      peak_mib: Math.round(peak),
      seconds: Number(((performance.now() - since) / 1000).toFixed(1)),
      goal_below_mib: GOAL_MIB,
    };
  }
  clearInterval(watch);
  const highest = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))[1]) / 1024;
  console.table(results);
  console.log(
    JSON.stringify({
      uploads: PEOPLE,
      bytes: BYTES,
      idle_mib: Math.round(before),
      highest_mib: Math.round(highest),
      results,
    }),
  );
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
