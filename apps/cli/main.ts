import { runCommand } from './run-command';

/** The operator's command line (README): one JSON document on stdout, everything else on stderr, exit code 0 or 1. */
void runCommand(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  // Resources opened before a failed start (such as Redis) would keep the process running.
  if (code !== 0) process.exit();
});
