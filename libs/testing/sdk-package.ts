import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const TYPES = join(ROOT, 'node_modules/@types');

/**
 * The environment variable that holds the path of a folder, in which the processes of a test run install the package.
 * jest-global-setup.ts sets the variable.
 */
export const SDK_FOLDER_VARIABLE = 'TEST_SDK_FOLDER';

/**
 * The SDK as developers of clients get it: `npm run sdk` packs the SDK, and npm installs the package offline into an
 * empty folder.
 */
export class SdkPackage {
  private constructor(readonly folder: string) {}

  static install(): SdkPackage {
    const folder = mkdtempSync(join(tmpdir(), 'events-sdk-'));
    cpSync(installedOnce(), folder, { recursive: true });
    return new SdkPackage(folder);
  }

  /** Loads a module of the installed package in this process. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read modules of any shape
  load(entry: 'index' | 'node' = 'index'): Promise<any> {
    return import(join(this.folder, `node_modules/@events-service/sdk/dist/${entry}.js`));
  }

  /**
   * Compiles files of test/sdk/stories (`stories`) and of `folder` (`others`) with strict options and the types of
   * `platform`. Returns the errors as a text, which is empty if there are no errors.
   */
  compile(stories: readonly string[], platform: 'node' | 'browser', others: readonly string[] = []): string {
    const files = [...stories, ...others];
    for (const file of stories) cpSync(join(ROOT, 'test/sdk/stories', file), join(this.folder, file));
    const options = {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noPropertyAccessFromIndexSignature: true,
      // The declarations of the SDK are checked, those of the language are not.
      skipLibCheck: false,
      skipDefaultLibCheck: true,
      module: 'nodenext',
      target: 'es2023',
      lib: platform === 'browser' ? ['es2023', 'dom', 'dom.iterable'] : ['es2023'],
      types: platform === 'browser' ? [] : ['node'],
      typeRoots: [TYPES],
      outDir: 'out',
    };
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
    try {
      execFileSync(process.execPath, [TSC, '-p', '.'], { cwd: this.folder, encoding: 'utf8', stdio: 'pipe' });
      return '';
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  }

  /** Runs a file that `compile` has written. `runtime`: a program with its arguments. Returns stdout. */
  async run(runtime: string, file: string, env: Record<string, string>): Promise<string> {
    const [program = '', ...args] = runtime.split(' ');
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(program, [...args, join('out', file)], {
      cwd: this.folder,
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on('data', (part) => out.push(String(part)));
    child.stderr.on('data', (part) => err.push(String(part)));
    const [code] = (await once(child, 'close')) as [number];
    if (code !== 0) throw new Error(`${runtime} ended with ${code}:\n${err.join('')}`);
    return out.join('');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Returns a folder in which the package is installed. The processes of a test run share the folder, because packing and
 * installing take seconds. A process installs the package into a separate folder, and then renames it. If several
 * processes do this at the same time, only the first rename succeeds, and the other folders are deleted.
 */
function installedOnce(): string {
  const version = createHash('sha256').update(sourcesVersion()).digest('hex').slice(0, 16);
  const folder = join(process.env[SDK_FOLDER_VARIABLE]!, version);
  if (existsSync(folder)) return folder;
  const draft = mkdtempSync(`${folder}-`);
  const tarball = execFileSync('npm', ['run', '--silent', 'sdk'], { cwd: ROOT, encoding: 'utf8' }).trim();
  writeFileSync(join(draft, 'package.json'), '{"name":"app","private":true,"type":"module"}');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: draft, stdio: 'pipe' });
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
  return folder;
}

/**
 * Returns a text that changes when docs/openapi.json or a file directly in libs/sdk/src is written, because in watch
 * mode, these files may change while the process runs. The files in src/generated are made from docs/openapi.json.
 */
function sourcesVersion(): string {
  const files = ['docs/openapi.json', ...readdirSync(join(ROOT, 'libs/sdk/src')).map((name) => `libs/sdk/src/${name}`)];
  return files
    .filter((name) => name.includes('.'))
    .map((name) => `${name} ${statSync(join(ROOT, name)).mtimeMs}`)
    .join();
}
