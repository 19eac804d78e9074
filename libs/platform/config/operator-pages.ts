import { join } from 'node:path';

/** Pages whose texts the operator writes, in the order of the footer. */
export const OPERATOR_PAGES = ['terms', 'privacy', 'imprint', 'help'] as const;
export type OperatorPage = (typeof OPERATOR_PAGES)[number];

/** The folder of their files, `<name>.<locale>.md`. A backup does not contain it. */
export function operatorPagesFolder(dataDir: string): string {
  return join(dataDir, 'pages');
}
