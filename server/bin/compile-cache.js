// Plain JavaScript, as loci.js: where compiled code is kept between two starts.
import { mkdirSync, statSync } from 'node:fs'
import * as module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Keeps what was compiled once, since agents start "loci mcp" anew for each session and wait for it. Only in a directory
 * that nobody else can write to: whoever can, decides what runs here. Without one it does nothing.
 */
export function keepCompiledCode() {
  const directory = join(cacheDirectory(), 'loci', 'compiled')
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    if (isOursAlone(directory)) module.enableCompileCache(directory)
  } catch {
    // A user without a home; the program starts more slowly.
  }
}

function cacheDirectory() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  if (process.platform === 'win32' && LOCALAPPDATA) return LOCALAPPDATA
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME
  return process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache')
}

function isOursAlone(directory) {
  if (process.platform === 'win32') return true
  const { uid, mode } = statSync(directory)
  return uid === process.getuid() && (mode & 0o022) === 0
}
