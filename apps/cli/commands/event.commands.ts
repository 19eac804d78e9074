import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { EventsCommands, type EditorialFields } from '#areas/events/events.commands';
import { lockEvent } from '#areas/events/event-locks';
import { EventsReader } from '#areas/events/events.reader';
import { Database } from '#platform/database/database';
import { readInput } from '#platform/http/input';
import { PublicIds } from '#platform/http/public-ids';
import { ApplyCommands } from '#areas/apply/apply.commands';
import { BoostDto, PriceDto } from '#areas/apply/apply.dto';
import { OperatorError } from '#platform/config/operator-error';
import { toWire } from '#platform/time/wire-time';
import { readDocument } from '../document-file';
import { recordAction, type ActionEntry } from '../audit';
import { answer } from '../answer';

export function eventCommands(program: Command): void {
  const event = program.command('event').description('editorial changes of events');

  event
    .command('price <id> <credits>')
    .description('sets the price in credits; 0 removes it')
    .action(async (id: string, credits: string) => {
      const { ticket_price_credits } = await readInput(PriceDto, { ticket_price_credits: credits }, 'text');
      await answer((app) =>
        editEvent(
          app,
          id,
          { ticketPriceCredits: ticket_price_credits },
          { action: 'event price', details: { ticket_price_credits } },
        ),
      );
    });

  event
    .command('boost <id>')
    .description('lists the event first in Discover until the given time; an empty time ends the boost')
    .requiredOption('--until <time>', 'ISO 8601')
    .action(async (id: string, { until }: { until: string }) => {
      const { boosted_until } = await readInput(BoostDto, { boosted_until: until }, 'json');
      await answer((app) =>
        editEvent(
          app,
          id,
          { boostedUntil: boosted_until ?? null },
          { action: 'event boost', details: { boosted_until: toWire(boosted_until ?? null) } },
        ),
      );
    });

  event
    .command('import <file>')
    .description(
      'creates or changes imported (editorial) events from a list of events, or from the `events` of an apply document; each event must have a source; “-” reads the document from stdin',
    )
    .action(async (file: string) => {
      const document = readDocument(file);
      const events = Array.isArray(document)
        ? (document as unknown[])
        : (document as { events?: unknown } | null)?.events;
      if (!Array.isArray(events))
        throw new OperatorError('The document must contain a list of events, alone or as `events`.');
      await answer(
        async (app) =>
          (
            await app
              .get(ApplyCommands)
              .apply({ events: events.map(withSource) }, process.cwd(), (tx) =>
                recordAction(app, tx, { action: 'event import', details: { events: events.length } }),
              )
          ).events,
      );
    });
}

/**
 * Adds an empty source to an event without a source, so that `apply` reports that the name of the source is missing.
 */
function withSource(event: unknown): unknown {
  const isObject = typeof event === 'object' && event !== null && !Array.isArray(event);
  return isObject ? { ...event, source: (event as { source?: unknown }).source ?? {} } : event;
}

async function editEvent(
  app: INestApplicationContext,
  id: string,
  editorial: EditorialFields,
  entry: ActionEntry,
): Promise<unknown> {
  const eventId = app.get(PublicIds).decodeEvent(id);
  return app.get(Database).transaction(async (tx) => {
    const event = eventId === null ? null : await lockEvent(tx, eventId);
    if (!event) throw new OperatorError(`There is no event ${id}.`);
    await app.get(EventsCommands).change(tx, event, {}, editorial);
    const changedEvent = await app.get(EventsReader).own(tx, event.id);
    await recordAction(app, tx, { ...entry, subject: `event ${app.get(PublicIds).encode('event', event.id)}` });
    return changedEvent;
  });
}
