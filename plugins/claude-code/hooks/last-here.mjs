// How far the changes of a memory were told at the last start of a session: the number of its newest change then, in a
// file of this machine for each memory and key.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { elsewhere } from './memory.mjs'

function fileOfMark() {
  const memory = JSON.stringify(elsewhere.map((name) => process.env[name] ?? ''))
  const name = createHash('sha256').update(memory).digest('hex').slice(0, 32)
  return join(process.env.LOCI_DATA_DIR || join(homedir(), '.loci'), 'last-here', name)
}

/** Undefined at the first start. */
export function readMark() {
  try {
    const mark = Number.parseInt(readFileSync(fileOfMark(), 'utf8'), 10)
    return mark >= 0 ? mark : undefined
  } catch {
    return undefined
  }
}

export function storeMark(newest) {
  const file = fileOfMark()
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(file, String(newest), { mode: 0o600 })
}
