// The servers of rehearse/attacks.mjs preload this file, so that they resolve host names with the nameserver of the
// rehearsal. With `--break`, the rehearsal sets REHEARSE_WITHOUT_SHARES. Then every limit per account in
// `LIMITS.shares` is as high as the limit for all accounts together, and no receiver counts as slow.
const dns = require('node:dns/promises');
const { join } = require('node:path');

dns.Resolver = class extends dns.Resolver {
  constructor(options) {
    super(options);
    this.setServers([process.env.REHEARSE_NAMESERVER]);
  }
};

if (process.env.REHEARSE_WITHOUT_SHARES) {
  const { shares, webhooks } = require(join(process.cwd(), 'dist/libs/contract/limits.js')).LIMITS;
  for (const share of Object.values(shares)) share.account = share.all;
  webhooks.slow = webhooks.answer.within + 1;
}
