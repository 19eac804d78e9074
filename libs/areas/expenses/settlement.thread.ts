import { serveThreadRequests } from '#platform/threads/answer-questions';
import { settle } from '#settlement/settle';

/** A thread, started by `Settlements`, that settles balances, one request after another. */
serveThreadRequests(settle);
