import { chownSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { removeAbandonedParts } from './write-whole.ts'

const directory = mkdtempSync(join(tmpdir(), 'loci-parts-'))
afterAll(() => rmSync(directory, { recursive: true }))

const nobody = 65_534

test.runIf(process.getuid?.() === 0)('files of other users stay, as in a shared directory', async () => {
  for (const name of ['mine', 'theirs']) {
    const path = join(directory, `${name}.loci.part`)
    writeFileSync(path, '')
    utimesSync(path, 0, 0)
    if (name === 'theirs') chownSync(path, nobody, nobody)
  }
  await removeAbandonedParts(directory)
  expect(readdirSync(directory)).toEqual(['theirs.loci.part'])
})
