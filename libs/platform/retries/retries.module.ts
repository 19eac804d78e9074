import { Global, Module } from '@nestjs/common';
import { AnswerSealer } from './answer-sealer';
import { StoredResponses } from './stored-responses';
import { KeptAnswersSweepJob } from './kept-answers-sweep.job';

/**
 * Ensures that repeated requests with the same `Idempotency-Key` make a change only once (docs/rules/retries.md).
 */
@Global()
@Module({
  providers: [AnswerSealer, StoredResponses, KeptAnswersSweepJob],
  exports: [StoredResponses, KeptAnswersSweepJob],
})
export class RetriesModule {}
