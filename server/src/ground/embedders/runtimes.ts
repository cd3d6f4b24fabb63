import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InstallError } from './install-error.ts'
import native from './runtimes/native.json' with { type: 'json' }
import sentences from './runtimes/sentences.json' with { type: 'json' }
import wasm from './runtimes/wasm.json' with { type: 'json' }

/** Packages that run a model, verified by a lock file. */
export type Runtime = {
  name: 'native' | 'wasm' | 'sentences'
  library: string
  lock: typeof native | typeof wasm | typeof sentences
  /** Free bytes needed temporarily to install it. */
  roomBytes: number
}

const nativeRuntime: Runtime = {
  name: 'native',
  library: 'onnxruntime-node',
  lock: native,
  roomBytes: 450_000_000,
}
/** Four times as slow, but runs everywhere. */
const wasmRuntime: Runtime = {
  name: 'wasm',
  library: 'onnxruntime-web',
  lock: wasm,
  roomBytes: 220_000_000,
}
/** Contains its model: the lite Universal Sentence Encoder. */
export const sentenceRuntime: Runtime = {
  name: 'sentences',
  library: '@energetic-ai/embeddings',
  lock: sentences,
  roomBytes: 90_000_000,
}

const nativePlatforms = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64', 'win32-arm64']

/** The runtimes that work on this machine, best first. */
export function runtimesHere(): Runtime[] {
  const { platform, arch } = process
  const isKnown = nativePlatforms.includes(`${platform}-${arch}`) && !isMusl()
  return isKnown ? [nativeRuntime, wasmRuntime] : [wasmRuntime]
}

/** The native library is linked with glibc; Alpine has musl. */
function isMusl(): boolean {
  // Without an error of ours, Node formats the stack, for which it reads the source map of the bundle.
  const noStack = { name: '', message: '', stack: '' }
  const { header } = process.report.getReport(noStack) as { header: { glibcVersionRuntime?: string } }
  return process.platform === 'linux' && header.glibcVersionRuntime === undefined
}

/** Written last, so that an interrupted installation does not count. */
const marker = 'installed'

export const isInstalled = (directory: string) => existsSync(join(directory, marker))

/** Installs the packages of a runtime with npm, without running their scripts. Throws {@link InstallError}. */
export async function installRuntime(
  { lock, library }: Runtime,
  directory: string,
  signal: AbortSignal,
): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { name, dependencies } = lock.packages['']
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name, private: true, dependencies }))
  await writeFile(join(directory, 'package-lock.json'), JSON.stringify(lock))
  // A separate cache, since the server's user may have no home directory.
  const cache = join(directory, 'cache')
  await runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', cache], directory, signal)
  await rm(cache, { recursive: true, force: true })
  await prune(directory, library)
  await writeFile(join(directory, marker), '')
}

async function runNpm(args: readonly string[], cwd: string, signal: AbortSignal): Promise<void> {
  // npm is a batch file on Windows. All arguments are our own words or the data directory.
  const isWindows = process.platform === 'win32'
  const words = isWindows ? args.map((arg) => `"${arg}"`) : args
  const child = spawn('npm', words, { cwd, signal, shell: isWindows, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-20_000)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause
    throw new InstallError('npm is not installed, which fetches what runs the model.', { cause })
  })
  if (code !== 0) throw new InstallError(reasonOf(said, cwd))
}

const networkCodes =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/

/** A short form of npm's output. */
export function reasonOf(said: string, directory: string): string {
  if (/\bENOSPC\b/.test(said)) return `The disk of ${directory} is full. Make room on it.`
  const [code] = networkCodes.exec(said) ?? []
  if (code !== undefined) return `The package registry cannot be reached (${code}).`
  if (/\bEINTEGRITY\b/.test(said)) {
    return 'The package registry gave a package whose checksum is not the one that Loci knows. It is not used.'
  }
  const line = said.split('\n').find((one) => /^npm (error|ERR!) (?!code)/.test(one)) ?? said.split('\n')[0]
  return `npm could not install what runs the model: ${line?.replace(/^npm (error|ERR!) /, '') ?? ''}`
}

/** Deletes files for other systems and for browsers, three quarters of all. */
async function prune(directory: string, library: string): Promise<void> {
  const packages = join(directory, 'node_modules')
  if (library === sentenceRuntime.library) return
  if (library === 'onnxruntime-web') {
    const isNeeded = /^(ort\.node\.min\.m?js|ort-wasm-simd-threaded\.(mjs|wasm))$/
    return keepOnly(join(packages, library, 'dist'), isNeeded)
  }
  const binaries = join(packages, library, 'bin', 'napi-v6')
  await keepOnly(binaries, new RegExp(`^${process.platform}$`))
  await keepOnly(join(binaries, process.platform), new RegExp(`^${process.arch}$`))
}

async function keepOnly(directory: string, isNeeded: RegExp): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!isNeeded.test(name)) await rm(join(directory, name), { recursive: true, force: true })
  }
}
