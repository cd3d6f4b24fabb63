import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { secondMs } from '../lib/time.ts'
import { InstallError, isDiskFull, UnreachableHubError } from './install-error.ts'

export type Wanted = { url: string; path: string; bytes: number; sha256: string }
type Options = { signal: AbortSignal; onBytes: (count: number) => void }

/** A connection without data for this long is aborted. */
const stalledAfterMs = 30 * secondMs
const triesMax = 3

/**
 * Downloads a file with a known checksum; keeps an existing file and resumes an interrupted one. `onBytes` gets the
 * bytes present so far. Throws {@link InstallError}.
 */
export async function download(wanted: Wanted, { signal, onBytes }: Options): Promise<void> {
  if ((await sizeOf(wanted.path)) === wanted.bytes && (await hasSum(wanted.path, wanted))) {
    onBytes(wanted.bytes)
    return
  }
  const part = `${wanted.path}.part`
  await mkdir(dirname(part), { recursive: true, mode: 0o700 })
  for (let tries = 1; ; tries++) {
    try {
      await fetchRest(wanted, part, signal, onBytes)
      break
    } catch (error) {
      if (signal.aborted) throw error
      if (isDiskFull(error)) {
        await rm(part, { force: true })
        throw new InstallError(`The disk of ${dirname(part)} is full. Make room on it.`, { cause: error })
      }
      if (error instanceof InstallError) throw error
      if (tries === triesMax) throw unreachable(wanted.url, error)
    }
  }
  if (!(await hasSum(part, wanted))) {
    await rm(part, { force: true })
    throw new InstallError(
      `${wanted.url} is not the file that Loci knows: its SHA-256 is another one. Nothing of it is used.`,
    )
  }
  await rename(part, wanted.path)
}

async function fetchRest(
  { url, bytes }: Wanted,
  part: string,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<void> {
  const there = await sizeOf(part)
  let done = there <= bytes ? there : 0
  if (done === bytes) return
  const stalled = new AbortController()
  const timer = setTimeout(() => stalled.abort(new Error('stalled')), stalledAfterMs)
  try {
    const response = await fetch(url, {
      headers: done > 0 ? { range: `bytes=${done}-` } : {},
      signal: AbortSignal.any([signal, stalled.signal]),
    })
    if (response.status !== 206) done = 0
    if (!response.ok || response.body === null) {
      await response.body?.cancel()
      throw refusal(url, response.status)
    }
    const count = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        timer.refresh()
        done += chunk.byteLength
        if (done > bytes) return
        onBytes(done)
        yield chunk
      }
    }
    const flags = done > 0 ? 'a' : 'w'
    await pipeline(count(response.body), createWriteStream(part, { flags, mode: 0o600 }))
  } finally {
    clearTimeout(timer)
  }
  if (done < bytes) throw new Error('the connection ended early')
  if (done > bytes) {
    await rm(part, { force: true })
    throw new InstallError(`${url} is not the file that Loci knows: it is longer. Nothing of it is used.`)
  }
}

/** Server errors may be temporary. */
function refusal(url: string, status: number): Error {
  const problem = `${new URL(url).origin} answered ${status}`
  if (status >= 500 || status === 429) return new Error(problem)
  return new InstallError(`${problem} for ${url}. If that is a mirror, it does not have this file.`)
}

function unreachable(url: string, error: unknown): UnreachableHubError {
  const { message, cause } = error as Error & { cause?: { code?: unknown } }
  const reason = typeof cause?.code === 'string' ? cause.code : message
  return new UnreachableHubError(
    `${new URL(url).origin} cannot be reached (${reason}). What was fetched is kept; try again to go on.`,
    { cause: error },
  )
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}

async function hasSum(path: string, { sha256 }: Wanted): Promise<boolean> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex') === sha256
}
