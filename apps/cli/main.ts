import { Logger } from '@nestjs/common';
import { runCommand } from './run-command';
import { StderrLogger } from './stderr-logger';

// Log lines that are written before a command creates its application (such as the line about waiting for a database)
// also go to stderr.
Logger.overrideLogger(new StderrLogger());

/**
 * The operator's command line. It writes one JSON document (or the archive, for `backup -`) to stdout and everything
 * else to stderr. The exit code is 0 or 1.
 */
void runCommand(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  // Connections that were opened before a failure (for example to Redis) would keep the process running.
  if (code !== 0) process.exit();
});
