import type { OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '#platform/config/settings';
import { CompressedContent } from '#platform/http/compressed-content';
import { Clock } from '#platform/time/clock';
import { apiDocument } from '../document/document';
import { describedOperations, type DescribedOperation } from './operations';

const DAY_MS = 86_400_000;

interface BuiltDocument {
  readonly day: number;
  readonly document: OpenAPIObject;
  readonly operations: readonly DescribedOperation[];
  readonly texts: Map<string, CompressedContent>;
}

/**
 * The OpenAPI document. It is built at the first request of each UTC day, so that the events in its examples are in the
 * future.
 */
export class DailyDocument {
  private built: BuiltDocument | null = null;

  constructor(private readonly app: NestFastifyApplication) {}

  get document(): OpenAPIObject {
    return this.today.document;
  }

  get operations(): readonly DescribedOperation[] {
    return this.today.operations;
  }

  /** Returns a text derived from the document. `make` builds it once a day. `name` identifies the text. */
  text(name: string, make: () => CompressedContent): CompressedContent {
    const { texts } = this.today;
    const served = texts.get(name) ?? make();
    texts.set(name, served);
    return served;
  }

  private get today(): BuiltDocument {
    const now = this.app.get(Clock).now();
    const day = Math.floor(now.getTime() / DAY_MS);
    if (this.built?.day !== day) {
      const document = apiDocument(this.app, { baseUrl: this.app.get(Settings).baseUrl, now });
      this.built = { day, document, operations: describedOperations(document), texts: new Map() };
    }
    return this.built;
  }
}
