import { ApiProperty } from '@nestjs/swagger';
import { OwnEventResource } from '../../events/event.resource';
import { DiscoverEventResource } from '../event-for-viewer.resource';

/** An event that the caller organizes, in the list of the caller's events (EVT-25, DOC-5). */
export class OwnEventItemResource extends OwnEventResource {
  @ApiProperty({ type: 'string', enum: ['own'], description: 'identifies the shape of the item' })
  kind: 'own';
}

/** Another person's event in the list of the caller's events (EVT-26, DOC-5). */
export class DiscoverEventItemResource extends DiscoverEventResource {
  @ApiProperty({ type: 'string', enum: ['discover'], description: 'identifies the shape of the item' })
  kind: 'discover';
}

export function ownEventItem(event: OwnEventResource): OwnEventItemResource {
  return { kind: 'own', ...event };
}

export function discoverEventItem(event: DiscoverEventResource): DiscoverEventItemResource {
  return { kind: 'discover', ...event };
}
