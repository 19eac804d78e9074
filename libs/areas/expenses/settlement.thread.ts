import { serveThreadRequests } from '#platform/threads/answer-questions';
import { settle } from '#settlement/settle';

/** The thread that `Settlements` starts. It settles balances, one request after another. */
serveThreadRequests(settle);
