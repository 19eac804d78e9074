import { serveThreadRequests } from '#platform/threads/answer-questions';
import { settle } from '#settlement/settle';

/** The thread that `Settlements` starts. For each request it computes a settlement, one request after another. */
serveThreadRequests(settle);
