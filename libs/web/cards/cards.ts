import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createWriteStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { DiscoverEventResource } from '#areas/participation/event-for-viewer.resource';
import type { Locale } from '#contract/vocabulary';
import { ServiceBusy } from '#platform/capacity/service-busy';
import { Slots } from '#platform/capacity/slots';
import { runLimited, type ProcessLimits } from '#platform/media/limited-process';
import { Scratch } from '#platform/media/scratch';
import { DERIVED } from '#platform/storage/media-key';
import { Storage } from '#platform/storage/storage';
import { runnable } from '#platform/threads/runnable';
import { PRAGUE_ZONE } from '#platform/time/prague';
import { localTimes } from '../local-time';
import { coverOf } from '../public/event-facts';
import { translator } from '../texts';
import type { CardContent } from './card-content';
import { CORNER, drawingOf } from './drawing';

const PROGRAM = runnable(join(__dirname, 'card.process'));
/** `memory`, the limit of the process's address space, is high, because Node reserves gigabytes that it never uses. */
const PROCESS_LIMITS: ProcessLimits = { cpu: 20, wall: 40, memory: 16 * 2 ** 30, file: 8 * 2 ** 20, output: 1024 };
/** The version of the design. It is a part of the name of a card, so that cards of an older design are not used. */
const DESIGN_VERSION = '2';

/**
 * Cards of public events for other sites: 1200 x 630 pixels with the cover or a drawing, the title and the date
 * (PAGE-71). A separate process draws each card. The name of a stored card is a digest of the shown data, the language
 * and the design. So an event gets a new card when, for example, its title, cover or time changes. The job
 * `media-sweep` deletes stored cards after a day, because they can be drawn again.
 */
@Injectable()
export class Cards implements OnModuleDestroy {
  private readonly slots = new Slots({ capacity: 1, queue: 20, maxWaitSeconds: 20, assumedSeconds: 1 });
  private readonly stopping = new AbortController();

  constructor(
    private readonly storage: Storage,
    private readonly scratch: Scratch,
  ) {}

  onModuleDestroy(): void {
    this.slots.stop();
    this.stopping.abort();
  }

  /** The current name of an event's card, which is derived from the event's data, the language and the design. */
  nameOf(event: DiscoverEventResource, locale: Locale): string {
    const parts = [
      DESIGN_VERSION,
      locale,
      event.id,
      event.type,
      event.title,
      event.starts_at,
      event.ends_at,
      event.status,
      coverNameOf(event),
    ];
    return `${DERIVED}${createHash('sha1').update(JSON.stringify(parts)).digest('hex')}.png`;
  }

  /**
   * Returns the card as PNG.
   *
   * @throws ServiceBusy if too many cards wait, if the server stops, or if the process that draws the card cannot be
   * started or is killed (for example after 40 seconds)
   */
  async cardOf(event: DiscoverEventResource, locale: Locale): Promise<Buffer> {
    const name = this.nameOf(event, locale);
    return (
      (await this.stored(name)) ??
      this.slots.run(
        // While this request waited for the slot, another request may have stored the same card.
        async () =>
          (await this.stored(name)) ?? this.scratch.during((folder) => this.draw(name, event, locale, folder)),
      )
    );
  }

  private async stored(name: string): Promise<Buffer | null> {
    const card = await this.storage.read(name);
    return card && buffer(card);
  }

  private async draw(name: string, event: DiscoverEventResource, locale: Locale, folder: string): Promise<Buffer> {
    const [description, card] = [join(folder, 'card.json'), join(folder, 'card.png')];
    const say = translator(locale);
    const starts = localTimes({ locale, timezone: PRAGUE_ZONE }, new Date(event.starts_at), null);
    const content: CardContent = {
      background: await this.backgroundOf(event, folder),
      title: event.title,
      when: event.status === 'cancelled' ? `${say('cancelled')} · ${starts}` : starts,
      brand: say('brand'),
    };
    await writeFile(description, JSON.stringify(content));
    const args = [...PROGRAM.options, PROGRAM.path, description, card];
    const { ending, code, stderr } = await runLimited(process.execPath, args, PROCESS_LIMITS, this.stopping.signal);
    if (ending !== 'exited') throw new ServiceBusy(PROCESS_LIMITS.wall);
    if (code !== 0) throw new Error(`The card cannot be drawn: ${stderr}`);
    await this.storage.write(name, card, 'image/png');
    const storedCard = await this.stored(name);
    if (!storedCard) throw new ServiceBusy(1);
    return storedCard;
  }

  /**
   * The background of the card: the cover of the event, or a drawing if no cover is stored. The cover is copied into
   * `folder`, because a cover that is stored in S3 has no path on this machine.
   */
  private async backgroundOf(event: DiscoverEventResource, folder: string): Promise<CardContent['background']> {
    const cover = coverNameOf(event);
    const stored = cover === null ? null : await this.storage.read(cover);
    if (!stored) return { svg: drawingOf(event.type, event.id, CORNER) };
    const path = join(folder, 'cover');
    await pipeline(stored, createWriteStream(path));
    return { path };
  }
}

/** The name of the event's stored cover; null if the event has no cover. */
function coverNameOf(event: DiscoverEventResource): string | null {
  const cover = coverOf(event);
  return cover && basename(new URL(cover.url).pathname);
}
