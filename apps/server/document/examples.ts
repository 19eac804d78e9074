import { AnswerExamples } from './answer-examples';
import { bodyExamples, type InDays } from './body-examples';
import type { Media, Node, PlacedOperation } from './schema';

const DAY_MS = 86_400_000;

export function inDaysAfter(now: Date): InDays {
  return (days, hour = 10) =>
    `${new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 11)}${String(hour).padStart(2, '0')}:00:00Z`;
}

/**
 * Adds one example to each request body, to the parameters `lat`, `lng` and (if required) `q`, and to each content of
 * responses with a status below 400. An example that a response content already has is not replaced. Times in examples
 * are some days before or after `now`.
 */
export function addExamples(
  placed: readonly PlacedOperation[],
  schemas: Readonly<Record<string, Node>>,
  now: Date,
  origin: string,
): void {
  const inDays = inDaysAfter(now);
  const bodies = bodyExamples(inDays);
  const answers = new AnswerExamples(schemas, inDays, origin);
  for (const { operation } of placed) {
    for (const parameter of operation.parameters ?? []) addParameterExample(parameter);
    for (const media of Object.values(operation.requestBody?.content ?? {}))
      addBodyExample(media, operation.operationId, bodies);
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      if (Number(status) < 400)
        for (const media of Object.values(content)) media.example ??= answers.exampleOf(media.schema);
    }
  }
}

function addBodyExample(media: Media, operationId: string, bodies: Readonly<Record<string, Node>>): void {
  const body = bodies[operationId];
  if (!body) throw new Error(`${operationId} has no example of its body in apps/server/document/body-examples.ts`);
  media.example = body;
}

function addParameterExample(parameter: Node): void {
  const examples: Node = { lat: 50.1044, lng: 14.4283, ...(parameter.required === true ? { q: 'jana' } : {}) };
  const example = examples[String(parameter.name)];
  if (example !== undefined) parameter.example = example;
}
