import { runCommand } from './run-command';

/** The operator's command line (README): one JSON document on stdout, everything else on stderr, exit code 0 or 1. */
void runCommand(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  // What a start had opened before it failed (Redis, say) would keep the process.
  if (code !== 0) process.exit();
});
